#pragma once
// Reading numbers as the C locale does, on this thread only.

#include <taskstate/base/error.hpp>

#include <clocale>
#if defined(__APPLE__)
#include <xlocale.h>
#endif

namespace taskstate::inline v0 {

/// While it lives, this thread is in the C locale, whatever locale the process has and whoever changes it meanwhile.
///
/// Thread-safety: confined.
class PlainLocale {
 public:
    PlainLocale() : before_(::uselocale(plain())) {}
    ~PlainLocale() { ::uselocale(before_); }
    PlainLocale(const PlainLocale&) = delete;
    PlainLocale& operator=(const PlainLocale&) = delete;

 private:
    // Made once and never freed, as texts may be read until exit.
    static locale_t plain() {
        static const locale_t made = ::newlocale(LC_ALL_MASK, "C", nullptr);
        if (made == nullptr) bug("the system has no C locale");
        return made;
    }

    locale_t before_;
};

}  // namespace taskstate::inline v0
