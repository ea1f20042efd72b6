# Reads the version from the one place where it is written, and gives `taskstate_version`.
file(STRINGS "${CMAKE_CURRENT_LIST_DIR}/../include/taskstate/version.hpp" lines REGEX "^#define TASKSTATE_VERSION_")
list(TRANSFORM lines REPLACE "^.* " "")
list(JOIN lines "." taskstate_version)
