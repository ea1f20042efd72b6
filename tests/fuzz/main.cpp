// What libFuzzer calls: the target that this program is built for.

#include "fuzz/targets.hpp"

#include <cstddef>
#include <cstdint>

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer looks for this name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    taskstate::fuzz::TASKSTATE_FUZZ_TARGET({reinterpret_cast<const char*>(data), size});
    return 0;
}
