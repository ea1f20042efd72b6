// The record lines of a block: what a model reads of one entry.

#include <taskstate/model/wire.hpp>

#include "base/gathered.hpp"

namespace taskstate::inline v0 {
namespace {

/// One record: parts by position, each after a space.  Names of fields are given with the space and the sign.
class Line {
 public:
    Line(std::string& out, Spellings spellings, std::string_view kind, Strings strings = Strings::any)
        : out_(out), spellings_(spellings), strings_(strings), begin_(out.size()) {
        out_.append(kind);
    }

    void bare(std::string_view word) {
        out_.append(" ");
        out_.append(word);
    }
    void word(std::string_view text) {
        out_.append(" ");
        append(text);
    }
    void string(std::string_view text) {
        out_.append(" ");
        append_quoted(text);
    }
    template <std::size_t size>
    void field(const char (&name)[size], std::string_view text) {
        out_.append(name);
        append(text);
    }
    template <std::size_t size>
    void field(const char (&name)[size], const OptView& text) {
        if (text) field(name, *text);
    }
    template <std::size_t size>
    void string_field(const char (&name)[size], std::string_view text) {
        out_.append(name);
        append_quoted(text);
    }
    template <std::size_t size>
    void list(const char (&name)[size], const std::vector<std::string_view>& ids) {
        if (ids.empty()) return;
        out_.append(name);
        for (std::size_t i = 0; i < ids.size(); ++i) {
            if (i > 0) out_.append(",");
            append(ids[i]);
        }
    }
    template <std::size_t size>
    void object(const char (&name)[size], std::string_view canonical) {
        out_.append(name);
        append_object(out_, canonical, spellings_);
    }

    /// Bytes so far.
    [[nodiscard]] std::size_t size() const { return out_.size() - begin_; }
    [[nodiscard]] bool plain() const { return plain_; }

 private:
    void append(std::string_view text) {
        if (strings_ == Strings::plain) {
            out_.append(text);
            return;
        }
        const std::size_t before = out_.size();
        append_word(out_, text, spellings_);
        plain_ = plain_ && out_.size() - before == text.size();
    }
    void append_quoted(std::string_view text) {
        constexpr std::size_t quotes = 2;
        if (strings_ == Strings::plain) {
            out_.append("\"");
            out_.append(text);
            out_.append("\"");
            return;
        }
        const std::size_t before = out_.size();
        append_escaped(out_, text, spellings_);
        plain_ = plain_ && out_.size() - before == text.size() + quotes;
    }

    Gathered out_;
    Spellings spellings_;
    const Strings strings_;
    const std::size_t begin_;
    bool plain_ = true;  // every escape and every pair of quotes around a word makes a text longer
};

std::string_view kind_of(const Note& note) {
    return note.standing == Standing::host ? word(note.category) : word(note.standing);
}

void evidence_of(Line& line, const std::optional<Evidence>& evidence) {
    if (evidence) line.field(" evidence=", evidence->id);
}

}  // namespace

NoteLine append_line(std::string& out, const Note& note, Spellings spellings, Strings strings) {
    Line line(out, spellings, kind_of(note), strings);
    line.word(note.id);
    if (note.standing != Standing::host) line.field(" category=", word(note.category));
    if (!note.active()) line.field(" state=", std::string_view(note.resolved ? "resolved" : "superseded"));
    line.field(" superseded_by=", note.superseded_by);
    line.field(" supersedes=", note.supersedes);
    line.list(" conflicts_with=", note.conflicts_with);
    line.string(note.text);
    const std::size_t source = line.size();
    if (!note.source.label.empty()) {  // else left out for the sake of a budget
        line.string_field(" source=", note.source.label);
        line.field(" turn=", note.source.turn);
        evidence_of(line, note.source.evidence);
    }
    return {.source = source, .plain = line.plain()};
}

void append_line(std::string& out, const Item& item, Spellings spellings) {
    Line line(out, spellings, "item");
    line.word(item.id);
    line.field(" kind=", item.kind);
    if (item.required) line.bare("required");
    line.list(" depends_on=", item.depends_on);
    line.list(" because=", item.because);
    if (item.assurance != Assurance::asserted) line.field(" assurance=", word(item.assurance));
    line.string(item.title);
    if (!item.content.empty()) line.object(" content=", item.content);
}

void append_line(std::string& out, const Action& action, Spellings spellings) {
    Line line(out, spellings, "action");
    line.word(action.execution);
    line.bare(word(action.status));
    line.bare(word(action.completion));
    if (action.cancellation != Cancellation::none) line.field(" cancellation=", word(action.cancellation));
    line.field(" tool=", action.tool);
    line.field(" call=", action.call);
    evidence_of(line, action.evidence);
}

void append_confirmation_line(std::string& out, const Action& action, Spellings spellings) {
    Line line(out, spellings, "confirmation");
    line.word(action.execution);
    line.bare(word(action.confirmation->status));
    line.string_field(" source=", action.confirmation->source.label);
}

bool shows_reason(const Item& item) noexcept {
    return item.reason && (item.status == ItemStatus::blocked || item.status == ItemStatus::failed ||
                           item.status == ItemStatus::skipped);
}

void append_reason_line(std::string& out, const Item& item, Spellings spellings) {
    Line line(out, spellings, "reason");
    line.word(item.id);
    line.bare(word(item.status));
    line.string(*item.reason);
}

}  // namespace taskstate::inline v0
