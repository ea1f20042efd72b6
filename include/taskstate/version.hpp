#pragma once
// The version of the library: written here only; the build, the packages and the command read it from here.

#define TASKSTATE_VERSION_MAJOR 0
#define TASKSTATE_VERSION_MINOR 1
#define TASKSTATE_VERSION_PATCH 0
