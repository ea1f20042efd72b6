// taskstate::taskstate as one source, for a host without CMake: docs/embedding.md.

#include "codec/call.cpp"
#include "codec/content.cpp"
#include "codec/decode.cpp"
#include "codec/encode.cpp"
#include "codec/fields.cpp"
#include "codec/reader.cpp"
#include "codec/request.cpp"
#include "store/envelope.cpp"
#include "store/file_system.cpp"
#include "store/snapshot_file.cpp"
