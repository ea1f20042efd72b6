#pragma once
// Who may say that a text is item content: the reader that checked it, and an entry that holds it already.

#include <taskstate/model/input.hpp>

#include <string>
#include <utility>

namespace taskstate::inline v0 {

struct TrustedContent {
    static Content make(std::string canonical) { return Content(std::move(canonical)); }
};

}  // namespace taskstate::inline v0
