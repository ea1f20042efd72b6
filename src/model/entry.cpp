// Packing: each kind lists its fields once, and one archive writes them while another reads them.

#include <taskstate/base/estimate.hpp>
#include <taskstate/model/entry.hpp>
#include <taskstate/model/wire.hpp>

#include <algorithm>
#include <new>
#include <string>
#include <type_traits>

namespace taskstate::inline v0 {
namespace {

template <class T>
concept Word = std::is_enum_v<T> || std::is_same_v<T, bool>;

/// `T`, to be read into, or `const T`, to be packed.
template <class View, class T>
concept Either = std::is_same_v<std::remove_const_t<View>, T>;

// The field lists.  `id` comes first, so that it can be read without the rest.

template <class Archive, Either<ScopeView> View>
void fields(Archive& archive, View& scope) {
    archive(scope.tenant, scope.owner, scope.agent, scope.workspace);
}

template <class Archive, Either<Evidence> View>
void fields(Archive& archive, View& evidence) {
    archive(evidence.id, evidence.kind, evidence.digest, evidence.scope, evidence.size_bytes, evidence.status);
}

template <class Archive, Either<Source> View>
void fields(Archive& archive, View& source) {
    archive(source.label, source.turn, source.evidence);
}

template <class Archive, Either<Confirmation> View>
void fields(Archive& archive, View& confirmation) {
    archive(confirmation.status, confirmation.source);
}

template <class Archive, Either<Note> View>
void fields(Archive& archive, View& note) {
    archive(note.id, note.category, note.standing, note.resolved, note.gates_completion, note.supersedes,
            note.superseded_by, note.conflicts_with, note.source, note.text);
}

template <class Archive, Either<Item> View>
void fields(Archive& archive, View& item) {
    archive(item.id, item.status, item.assurance, item.required, item.kind, item.depends_on, item.because, item.reason,
            item.evidence, item.title, item.content);
}

template <class Archive, Either<SourceToInspect> View>
void fields(Archive& archive, View& source) {
    archive(source.id, source.inspected);
}

template <class Archive, Either<Action> View>
void fields(Archive& archive, View& action) {
    archive(action.execution, action.status, action.completion, action.cancellation, action.call, action.run,
            action.tool, action.started_at, action.ended_at, action.evidence, action.confirmation);
}

/// Where a packer without room for bytes counts them.
class Count {
 public:
    void append(std::string_view bytes) { size_ += bytes.size(); }
    void push_back(char) { ++size_; }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }

 private:
    std::size_t size_ = 0;
};

/// Room that was counted before.
class Room {
 public:
    explicit Room(void* memory) : next_(static_cast<char*>(memory)) {}
    void append(std::string_view bytes) { next_ = std::copy(bytes.begin(), bytes.end(), next_); }
    void push_back(char byte) { *next_++ = byte; }

 private:
    char* next_;
};

/// Puts fields: lengths and numbers as 7-bit groups, an optional field as its value plus one, 0 = absent.
template <class Out>
class Packer {
 public:
    explicit Packer(Out& out) : out_(out) {}

    template <class... Fields>
    void operator()(const Fields&... list) {
        (put(list), ...);
    }

 private:
    void put(std::string_view text) {
        number(text.size());
        out_.append(text);
    }
    void put(const OptView& text) {
        number(text ? text->size() + 1 : 0);
        if (text) out_.append(*text);
    }
    template <Word T>
    void put(T value) {
        number(static_cast<std::uint64_t>(value));
    }
    template <Word T>
    void put(const std::optional<T>& value) {
        number(value ? static_cast<std::uint64_t>(*value) + 1 : 0);
    }
    void put(const std::optional<std::uint64_t>& value) { number(value ? *value + 1 : 0); }
    void put(const std::optional<Timestamp>& time) { number(time ? static_cast<std::uint64_t>(time->ms) + 1 : 0); }
    template <class T>
    void put(const std::optional<T>& value) {
        number(value ? 1 : 0);
        if (value) fields(*this, *value);
    }
    template <class T>
    void put(const std::vector<T>& list) {
        number(list.size());
        for (const T& element : list) put(element);
    }
    template <class T>
        requires std::is_class_v<T>
    void put(const T& value) {
        fields(*this, value);
    }

    void number(std::uint64_t value) {
        for (; value >= 0x80; value >>= 7) out_.push_back(static_cast<char>(value | 0x80));
        out_.push_back(static_cast<char>(value));
    }

    Out& out_;
};

/// Reads what `Packer` wrote.
class Unpacker {
 public:
    explicit Unpacker(std::string_view bytes) : next_(bytes.data()) {}

    template <class... Fields>
    void operator()(Fields&... list) {
        (get(list), ...);
    }

 private:
    void get(std::string_view& text) { text = take(number()); }
    void get(OptView& text) {
        const std::uint64_t size = number();
        if (size > 0) text = take(size - 1);
    }
    template <Word T>
    void get(T& value) {
        value = static_cast<T>(number());
    }
    template <Word T>
    void get(std::optional<T>& value) {
        const std::uint64_t stored = number();
        if (stored > 0) value = static_cast<T>(stored - 1);
    }
    void get(std::optional<std::uint64_t>& value) {
        const std::uint64_t stored = number();
        if (stored > 0) value = stored - 1;
    }
    void get(std::optional<Timestamp>& time) {
        const std::uint64_t stored = number();
        if (stored > 0) time = Timestamp{static_cast<std::int64_t>(stored - 1)};
    }
    template <class T>
    void get(std::optional<T>& value) {
        if (number() > 0) fields(*this, value.emplace());
    }
    template <class T>
    void get(std::vector<T>& list) {
        list.resize(number());
        for (T& element : list) get(element);
    }
    template <class T>
        requires std::is_class_v<T>
    void get(T& value) {
        fields(*this, value);
    }

    std::uint64_t number() {
        std::uint64_t next = byte();
        if (next < 0x80) return next;  // nearly always
        std::uint64_t value = next & 0x7F;
        for (unsigned shift = 7; next >= 0x80; shift += 7) {
            next = byte();
            value |= (next & 0x7F) << shift;
        }
        return value;
    }
    std::uint64_t byte() { return static_cast<unsigned char>(*next_++); }
    std::string_view take(std::uint64_t size) {
        const char* const begin = next_;
        next_ += size;
        return {begin, static_cast<std::size_t>(size)};
    }

    const char* next_;
};

/// Adds up what the record lines and the wire object of an entry come to.
class Measure {
 public:
    Measure() { line_.reserve(512); }

    template <class View>
    EntryNumbers of(const View& view) {
        numbers_ = {};
        lines_of(view);
        JsonWriter json;
        write(json, view);
        numbers_.json_bytes = static_cast<std::uint32_t>(json.size());
        return numbers_;
    }
    /// What the last line cost in hundredths of a token.
    [[nodiscard]] std::size_t hundredths() const noexcept { return hundredths_; }
    [[nodiscard]] bool plain() const noexcept { return plain_; }
    [[nodiscard]] std::uint8_t rounded_up() const noexcept {
        return static_cast<std::uint8_t>(numbers_.tokens * 100 - hundredths_);
    }

 private:
    void lines_of(const Note& note) {
        const NoteLine written = append_line(line_, note);
        const std::string_view source = std::string_view(line_).substr(written.source);
        numbers_.source_bytes = static_cast<std::uint32_t>(source.size());
        numbers_.source_hundredths = static_cast<std::uint32_t>(estimate_hundredths(source));
        plain_ = written.plain;
        line_.resize(written.source);
        finish();
        // What stands after a space counts for itself.
        numbers_.line_bytes += numbers_.source_bytes;
        hundredths_ += numbers_.source_hundredths;
        numbers_.tokens = static_cast<std::uint32_t>(whole_tokens(hundredths_));
    }
    void lines_of(const Item& item) {
        append_line(line_, item);
        finish();
        if (!shows_reason(item)) return;
        append_reason_line(line_, item);
        finish();
    }
    void lines_of(const SourceToInspect&) {}  // all sources share one record of the tail
    void lines_of(const Action& action) {
        append_line(line_, action);
        finish();
        if (!action.confirmation) return;
        append_confirmation_line(line_, action);
        finish();
    }

    /// Counts the line that was just appended.
    void finish() {
        line_.push_back('\n');
        numbers_.line_bytes += static_cast<std::uint32_t>(line_.size());
        hundredths_ = estimate_hundredths(line_);
        numbers_.tokens += static_cast<std::uint32_t>(whole_tokens(hundredths_));
        line_.clear();
    }

    std::string line_{};
    EntryNumbers numbers_{};
    std::size_t hundredths_ = 0;
    bool plain_ = false;
};

template <class View>
View unpack(std::string_view bytes) {
    View view;
    Unpacker unpacker(bytes);
    fields(unpacker, view);
    return view;
}

template <class View>
Digest leaf_of(const View& view, std::size_t json_bytes) {
    std::string text;
    text.reserve(json_bytes);
    JsonWriter json(text);
    write(json, view);
    return sha256(text);
}

EntryMarks marks_of(const Note& note) {
    return EntryMarks{.category = note.category, .standing = note.standing, .gates_completion = note.gates_completion};
}

bool is_linked(const Note& note) { return note.supersedes || note.superseded_by || !note.conflicts_with.empty(); }

/// `note` without what its state leaves alone.
Note state_of(const Note& note) {
    return {.category = note.category,
            .standing = note.standing,
            .superseded_by = note.superseded_by,
            .resolved = note.resolved};
}

}  // namespace

template <class View>
Shared<const Entry> Entry::pack_as(const View& view, const Facts& facts) {
    Count count;
    Packer counter(count);
    fields(counter, view);
    void* memory = ::operator new(sizeof(Entry) + count.size());
    auto* entry = new (memory) Entry(facts, count.size());
    Room room(entry + 1);
    Packer packer(room);
    fields(packer, view);
    return Shared<const Entry>(entry);
}

Shared<const Entry> Entry::pack(const Note& note) {
    Measure measure;
    const EntryNumbers numbers = measure.of(note);
    return pack_as(note, {numbers, EntryKind::note, marks_of(note), is_linked(note), !note.active(), measure.plain(),
                          measure.rounded_up()});
}
Shared<const Entry> Entry::pack(const Item& item) {
    return pack_as(item, {Measure().of(item), EntryKind::item, EntryMarks{}, false, is_settled(item.status)});
}
Shared<const Entry> Entry::pack(const SourceToInspect& source) {
    return pack_as(source, {Measure().of(source), EntryKind::source, EntryMarks{}, false, source.inspected});
}
Shared<const Entry> Entry::pack(const Action& action) {
    const EntryMarks marks{.confirmed = action.confirmation.has_value()};
    return pack_as(action, {Measure().of(action), EntryKind::action, marks, false, action.closed()});
}

Shared<const Entry> Entry::resolved() const {
    Note changed = note();
    changed.resolved = true;
    return with_state(changed);
}

Shared<const Entry> Entry::superseded_by(std::string_view successor) const {
    Note changed = note();
    changed.superseded_by = successor;
    return with_state(changed);
}

// Bytes add up, and so does the estimate: the parts of a line stand after one space each, where the estimate begins
// anew.  So what two versions of a note share adds the same to both.
Shared<const Entry> Entry::with_state(const Note& changed) const {
    Measure measure;
    const EntryNumbers old = measure.of(state_of(note()));
    const std::size_t old_hundredths = measure.hundredths();
    const EntryNumbers now = measure.of(state_of(changed));
    Facts facts = facts_;
    facts.linked = is_linked(changed);
    facts.past = !changed.active();
    facts.numbers.line_bytes += now.line_bytes - old.line_bytes;
    facts.numbers.json_bytes += now.json_bytes - old.json_bytes;
    const std::size_t hundredths =
        facts_.numbers.tokens * 100 - facts_.rounded_up + measure.hundredths() - old_hundredths;
    facts.numbers.tokens = static_cast<std::uint32_t>(whole_tokens(hundredths));
    facts.rounded_up = static_cast<std::uint8_t>(facts.numbers.tokens * 100 - hundredths);
    return pack_as(changed, facts);
}

void Entry::destroy(const Entry* entry) noexcept {
    entry->~Entry();
    ::operator delete(const_cast<Entry*>(entry));
}

std::string_view Entry::bytes() const noexcept { return {reinterpret_cast<const char*>(this + 1), size_}; }

std::string_view Entry::id() const noexcept {
    std::string_view id;
    Unpacker unpacker(bytes());
    unpacker(id);
    return id;
}

Note Entry::note() const {
    if (facts_.kind != EntryKind::note) bug("this entry is not a note");
    return unpack<Note>(bytes());
}
Item Entry::item() const {
    if (facts_.kind != EntryKind::item) bug("this entry is not an item");
    return unpack<Item>(bytes());
}
SourceToInspect Entry::source() const {
    if (facts_.kind != EntryKind::source) bug("this entry is not a source to inspect");
    return unpack<SourceToInspect>(bytes());
}
Action Entry::action() const {
    if (facts_.kind != EntryKind::action) bug("this entry is not an action");
    return unpack<Action>(bytes());
}

Digest Entry::leaf() const {
    return leaf_.get([this] {
        switch (facts_.kind) {
            case EntryKind::note:
                return leaf_of(note(), facts_.numbers.json_bytes);
            case EntryKind::item:
                return leaf_of(item(), facts_.numbers.json_bytes);
            case EntryKind::source:
                return leaf_of(source(), facts_.numbers.json_bytes);
            case EntryKind::action:
                return leaf_of(action(), facts_.numbers.json_bytes);
        }
        bug("an entry of no kind");
    });
}

}  // namespace taskstate::inline v0
