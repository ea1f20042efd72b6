#pragma once
// What a call asks of `operator new`.

#include <cstddef>
#include <cstdint>

namespace taskstate::bench {

/// Units: bytes as the allocator hands them out.
struct Memory {
    std::size_t allocations = 0;
    std::int64_t kept_bytes = 0;  ///< not given back when the call ended
    std::int64_t peak_bytes = 0;
};

/// Counts on this thread from construction to destruction; not to be nested.
class Watch {
 public:
    explicit Watch(Memory& memory);
    ~Watch();
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;
};

template <class Act>
Memory memory_of(const Act& act) {
    Memory memory;
    const Watch watch(memory);
    act();
    return memory;
}

}  // namespace taskstate::bench
