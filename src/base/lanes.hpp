#pragma once
// 16 bytes at once, where the processor's base instructions allow it.

#include <bit>
#include <cstddef>
#include <cstdint>

#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__ARM_NEON)
#include <arm_neon.h>
#endif

/// What two processors spell in two ways.  A comparison gives all ones where it holds; a range may go on from 0xFF to
/// 0.
///
/// Thread-safety: pure.
namespace taskstate::inline v0::lanes {

inline constexpr std::size_t lane_size = 16;

#if defined(__SSE2__)

using Lane = __m128i;
inline Lane load(const char* from) noexcept { return _mm_loadu_si128(reinterpret_cast<const Lane*>(from)); }
inline Lane either(Lane a, Lane b) noexcept { return _mm_or_si128(a, b); }
inline Lane differ(Lane a, Lane b) noexcept { return _mm_xor_si128(a, b); }
inline Lane without(Lane a, Lane b) noexcept { return _mm_andnot_si128(b, a); }
inline Lane all(unsigned byte) noexcept { return _mm_set1_epi8(static_cast<char>(byte)); }
inline Lane is(Lane a, unsigned byte) noexcept { return _mm_cmpeq_epi8(a, all(byte)); }
inline Lane within(Lane a, unsigned first, unsigned last) noexcept {
    const Lane distance = _mm_sub_epi8(a, all(first));
    return _mm_cmpeq_epi8(_mm_min_epu8(distance, all(last - first)), distance);
}
// Each byte in the place of the one `by` further on; zeros come in.
template <int by>
inline Lane delayed(Lane a) noexcept {
    return _mm_slli_si128(a, by);
}
// Where the first comparison that holds stands; 16 if there is none.
inline std::size_t first_set(Lane a) noexcept {
    return static_cast<std::size_t>(std::countr_zero(static_cast<unsigned>(_mm_movemask_epi8(a)) | 0x10000U));
}

#elif defined(__ARM_NEON)

using Lane = uint8x16_t;
inline Lane load(const char* from) noexcept { return vld1q_u8(reinterpret_cast<const std::uint8_t*>(from)); }
inline Lane either(Lane a, Lane b) noexcept { return vorrq_u8(a, b); }
inline Lane differ(Lane a, Lane b) noexcept { return veorq_u8(a, b); }
inline Lane without(Lane a, Lane b) noexcept { return vbicq_u8(a, b); }
inline Lane all(unsigned byte) noexcept { return vdupq_n_u8(static_cast<std::uint8_t>(byte)); }
inline Lane is(Lane a, unsigned byte) noexcept { return vceqq_u8(a, all(byte)); }
inline Lane within(Lane a, unsigned first, unsigned last) noexcept {
    return vcleq_u8(vsubq_u8(a, all(first)), all(last - first));
}
template <int by>
inline Lane delayed(Lane a) noexcept {
    return vextq_u8(all(0), a, 16 - by);
}
inline std::size_t first_set(Lane a) noexcept {
    const uint8x8_t nibbles = vshrn_n_u16(vreinterpretq_u16_u8(a), 4);  // four bits for each byte
    return static_cast<std::size_t>(std::countr_zero(vget_lane_u64(vreinterpret_u64_u8(nibbles), 0))) / 4;
}

#endif

}  // namespace taskstate::inline v0::lanes
