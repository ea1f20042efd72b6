#pragma once
// The fuzz targets: each takes any bytes and throws a Violation where a rule of the library is broken.

#include <string_view>

namespace taskstate::fuzz {

void block(std::string_view bytes);     ///< what a block shows of stored texts; the pieces: fuzz/block.cpp
void call(std::string_view bytes);      ///< one line of `taskstate replay`, read
void command(std::string_view bytes);   ///< host commands, one a line
void content(std::string_view bytes);   ///< the content of an item
void delta(std::string_view bytes);     ///< a host's delta, read and applied
void file(std::string_view bytes);      ///< the bytes of a snapshot file, and the same bytes wrapped into one
void journal(std::string_view bytes);   ///< what follows the first line of a journal, and a record of it
void profile(std::string_view bytes);   ///< a set of rules
void proposal(std::string_view bytes);  ///< what somebody proposes, read and judged
void replay(std::string_view bytes);    ///< a session of `taskstate replay`
void request(std::string_view bytes);   ///< the body of a request with the block in it: fuzz/request.cpp
void row(std::string_view bytes);       ///< a record of a store
void snapshot(std::string_view bytes);  ///< a saved snapshot, read and restored

struct Target {
    std::string_view name{};
    void (*run)(std::string_view bytes) = nullptr;
};
inline constexpr Target targets[] = {
    {"block", block},     {"call", call},       {"command", command},   {"content", content},   {"delta", delta},
    {"file", file},       {"journal", journal}, {"profile", profile},   {"proposal", proposal}, {"replay", replay},
    {"request", request}, {"row", row},         {"snapshot", snapshot},
};

}  // namespace taskstate::fuzz
