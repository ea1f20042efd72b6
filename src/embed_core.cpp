// taskstate::core as one source, for a host without CMake: docs/embedding.md.

#if defined(__GNUC__) && !defined(__clang__)
// g++ takes an unnamed namespace of an included file for that of a header; these files are included nowhere else.
#pragma GCC diagnostic ignored "-Wsubobject-linkage"
#endif

#include "base/code_points.cpp"
#include "base/digest.cpp"
#include "base/error.cpp"
#include "base/escape.cpp"
#include "base/estimate.cpp"
#include "base/json_writer.cpp"
#include "base/plain_run.cpp"
#include "base/text.cpp"
#include "base/time.cpp"
#include "engine/admit.cpp"
#include "engine/apply.cpp"
#include "engine/changes.cpp"
#include "engine/validate.cpp"
#include "model/entry.cpp"
#include "model/entry_list.cpp"
#include "model/line.cpp"
#include "model/profile.cpp"
#include "model/snapshot.cpp"
#include "model/view.cpp"
#include "model/wire.cpp"
#include "prompt/attach.cpp"
#include "prompt/block.cpp"
#include "prompt/dispatch.cpp"
#include "prompt/render.cpp"
#include "prompt/spellings.cpp"
#include "task/command.cpp"
#include "task/task_state.cpp"
