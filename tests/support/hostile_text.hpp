#pragma once
// Random texts made of hostile pieces.

#include "support/hostile.hpp"

#include <rapidcheck.h>

#include <string>
#include <utility>
#include <vector>

namespace taskstate::test {

inline rc::Gen<std::string> joined(std::vector<std::string> pieces) {
    return rc::gen::map(rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(std::move(pieces))),
                        [](const std::vector<std::string>& chosen) {
                            std::string text;
                            for (const std::string& piece : chosen) text += piece;
                            return text;
                        });
}

/// Well-formed UTF-8, as admission lets it through but for blank and outer space.
inline rc::Gen<std::string> hostile_text() { return joined(hostile_pieces()); }

/// Well-formed UTF-8 that admission may refuse.
inline rc::Gen<std::string> refusable_text() {
    std::vector<std::string> pieces = hostile_pieces();
    for (std::string& piece : refused_pieces()) pieces.push_back(std::move(piece));
    return joined(std::move(pieces));
}

/// Any bytes, often ill-formed.
inline rc::Gen<std::string> hostile_bytes() {
    std::vector<std::string> pieces = refused_pieces();
    for (const char* piece : {"\xED\xA0\x80",
                              "\xC0\xAF",
                              "\xF4\x90\x80\x80",
                              "\xF8",
                              "\xE2\x82",
                              "\xFF",
                              "\x80",
                              "\xF0\x9F",
                              "\xF0",
                              "\xE0\x80",
                              "a",
                              "<",
                              "[INST]",
                              "é",
                              "\u200D",
                              "\uFE0F",
                              "\\",
                              "\"",
                              "`",
                              "```"}) {
        pieces.emplace_back(piece);
    }
    return joined(std::move(pieces));
}

}  // namespace taskstate::test
