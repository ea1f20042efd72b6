#include "bench/memory.hpp"

#include <malloc.h>

#include <algorithm>
#include <cstdlib>
#include <new>

namespace taskstate::bench {
namespace {

thread_local Memory* watched = nullptr;

void* allocate(std::size_t size) {
    void* const block = std::malloc(size == 0 ? 1 : size);
    if (block == nullptr) std::abort();
    if (watched != nullptr) {
        ++watched->allocations;
        watched->kept_bytes += static_cast<std::int64_t>(malloc_usable_size(block));
        watched->peak_bytes = std::max(watched->peak_bytes, watched->kept_bytes);
    }
    return block;
}

void release(void* block) noexcept {
    if (watched != nullptr) watched->kept_bytes -= static_cast<std::int64_t>(malloc_usable_size(block));
    std::free(block);
}

}  // namespace

Watch::Watch(Memory& memory) { watched = &memory; }
Watch::~Watch() { watched = nullptr; }

}  // namespace taskstate::bench

// All forms: a sanitizer has its own of those that are left out, and what one of them gives another must not free.
void* operator new(std::size_t size) { return taskstate::bench::allocate(size); }
void* operator new[](std::size_t size) { return taskstate::bench::allocate(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return taskstate::bench::allocate(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return taskstate::bench::allocate(size); }
void operator delete(void* block) noexcept { taskstate::bench::release(block); }
void operator delete[](void* block) noexcept { taskstate::bench::release(block); }
void operator delete(void* block, std::size_t) noexcept { taskstate::bench::release(block); }
void operator delete[](void* block, std::size_t) noexcept { taskstate::bench::release(block); }
void operator delete(void* block, const std::nothrow_t&) noexcept { taskstate::bench::release(block); }
void operator delete[](void* block, const std::nothrow_t&) noexcept { taskstate::bench::release(block); }
