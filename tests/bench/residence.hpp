#pragma once
// What something adds to the memory of a process that is resident.

#include <malloc.h>

#include <cstddef>
#include <functional>

namespace taskstate::bench {

/// Units: bytes.
[[nodiscard]] std::size_t resident_bytes();
/// What `measure` says in a child of this process.
[[nodiscard]] std::size_t in_child(const std::function<std::size_t()>& measure);

/// Of what `make()` gives; asked of a child, so that no memory freed before is used again.
template <class Make>
std::size_t resident_bytes_of(const Make& make) {
    return in_child([&] {
        malloc_trim(0);
        const std::size_t before = resident_bytes();
        const auto made = make();
        return resident_bytes() - before;
    });
}

}  // namespace taskstate::bench
