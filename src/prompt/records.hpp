#pragma once
// The records of a block that belong to no single entry.

#include "plan.hpp"

#include <taskstate/model/wire.hpp>

#include <string>
#include <string_view>

namespace taskstate::inline v0 {

/// One list field of a tail record; ids are written as words.
class ListField {
 public:
    void add(std::string_view id, Spellings spellings) {
        if (!text_.empty()) text_.push_back(',');
        append_word(text_, id, spellings);
    }
    [[nodiscard]] bool empty() const { return text_.empty(); }
    void append_to(std::string& out, std::string_view name) const {
        out.append(" ").append(name).append("=").append(text_.empty() ? "-" : text_);
    }
    void append_unless_empty(std::string& out, std::string_view name) const {
        if (!empty()) append_to(out, name);
    }

 private:
    std::string text_;
};

void append_field(std::string& out, std::string_view name, std::string_view text, Spellings spellings);

/// Each appends whole lines, in the order of the grammar, or nothing where there is nothing to say.
///
/// Source: docs/block.md, "Records".
void append_open(std::string& out, const State& state, std::string_view key, Spellings spellings);
void append_goal(std::string& out, const State& state, Spellings spellings);
void append_sources(std::string& out, const Snapshot& snapshot, const Plan& plan, Spellings spellings);
void append_progress(std::string& out, const Snapshot& snapshot, Spellings spellings);
void append_gates(std::string& out, const Snapshot& snapshot, const Profile& profile, Spellings spellings);
void append_pending(std::string& out, const State& state, Spellings spellings);
void append_omitted(std::string& out, const Plan& plan);
/// The line that stands last: it alone holds the revision.
void append_status(std::string& out, const State& state, Spellings spellings);
void append_close(std::string& out, std::string_view key);

}  // namespace taskstate::inline v0
