// Packing: each kind lists its fields once, and one archive writes them while another reads them.

#include <taskstate/base/estimate.hpp>
#include <taskstate/model/entry.hpp>
#include <taskstate/model/wire.hpp>

#include <cstring>
#include <new>
#include <string>
#include <type_traits>

namespace taskstate::inline v0 {
namespace {

template <class T>
concept Word = std::is_enum_v<T> || std::is_same_v<T, bool>;

// The field lists.  `id` comes first, so that it can be read without the rest.

template <class Archive>
void fields(Archive& archive, ScopeView& scope) {
    archive(scope.tenant, scope.owner, scope.agent, scope.workspace);
}

template <class Archive>
void fields(Archive& archive, Evidence& evidence) {
    archive(evidence.id, evidence.kind, evidence.digest, evidence.scope, evidence.size_bytes, evidence.status);
}

template <class Archive>
void fields(Archive& archive, Source& source) {
    archive(source.label, source.turn, source.evidence);
}

template <class Archive>
void fields(Archive& archive, Confirmation& confirmation) {
    archive(confirmation.status, confirmation.source);
}

template <class Archive>
void fields(Archive& archive, Note& note) {
    archive(note.id, note.category, note.standing, note.resolved, note.gates_completion, note.supersedes,
            note.superseded_by, note.conflicts_with, note.source, note.text);
}

template <class Archive>
void fields(Archive& archive, Item& item) {
    archive(item.id, item.status, item.assurance, item.required, item.kind, item.depends_on, item.because, item.reason,
            item.evidence, item.title, item.content);
}

template <class Archive>
void fields(Archive& archive, SourceToInspect& source) {
    archive(source.id, source.inspected);
}

template <class Archive>
void fields(Archive& archive, Action& action) {
    archive(action.execution, action.status, action.completion, action.cancellation, action.call, action.run,
            action.tool, action.started_at, action.ended_at, action.evidence, action.confirmation);
}

/// Appends fields: lengths and numbers as 7-bit groups, an optional field as its value plus one, 0 = absent.
class Packer {
 public:
    explicit Packer(std::string& out) : out_(out) {}

    template <class... Fields>
    void operator()(Fields&... list) {
        (put(list), ...);
    }

 private:
    void put(std::string_view text) {
        number(text.size());
        out_.append(text);
    }
    void put(OptView& text) {
        number(text ? text->size() + 1 : 0);
        if (text) out_.append(*text);
    }
    template <Word T>
    void put(T value) {
        number(static_cast<std::uint64_t>(value));
    }
    template <Word T>
    void put(std::optional<T>& value) {
        number(value ? static_cast<std::uint64_t>(*value) + 1 : 0);
    }
    void put(std::optional<std::uint64_t>& value) { number(value ? *value + 1 : 0); }
    void put(std::optional<Timestamp>& time) { number(time ? static_cast<std::uint64_t>(time->ms) + 1 : 0); }
    template <class T>
    void put(std::optional<T>& value) {
        number(value ? 1 : 0);
        if (value) fields(*this, *value);
    }
    template <class T>
    void put(std::vector<T>& list) {
        number(list.size());
        for (T& element : list) put(element);
    }
    template <class T>
        requires std::is_class_v<T>
    void put(T& value) {
        fields(*this, value);
    }

    void number(std::uint64_t value) {
        for (; value >= 0x80; value >>= 7) out_.push_back(static_cast<char>(value | 0x80));
        out_.push_back(static_cast<char>(value));
    }

    std::string& out_;
};

/// Reads what `Packer` wrote.
class Unpacker {
 public:
    explicit Unpacker(std::string_view bytes) : bytes_(bytes) {}

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
        std::uint64_t value = 0;
        for (unsigned shift = 0;; shift += 7) {
            const auto byte = static_cast<unsigned char>(bytes_.front());
            bytes_.remove_prefix(1);
            value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
            if (byte < 0x80) return value;
        }
    }
    std::string_view take(std::uint64_t size) {
        const std::string_view taken = bytes_.substr(0, size);
        bytes_.remove_prefix(size);
        return taken;
    }

    std::string_view bytes_;
};

struct Lines {
    std::string text{};
    EntryNumbers numbers{};

    /// Counts the line that was just appended.
    void finish() {
        text.push_back('\n');
        numbers.line_bytes += static_cast<std::uint32_t>(text.size());
        numbers.tokens += static_cast<std::uint32_t>(estimate_tokens(text));
        text.clear();
    }
};

void measure_lines(Lines& lines, const Note& note) {
    append_line(lines.text, note);
    lines.finish();
}

void measure_lines(Lines& lines, const Item& item) {
    append_line(lines.text, item);
    lines.finish();
    if (!shows_reason(item)) return;
    append_reason_line(lines.text, item);
    lines.finish();
}

void measure_lines(Lines&, const SourceToInspect&) {}  // all sources share one record of the tail

void measure_lines(Lines& lines, const Action& action) {
    append_line(lines.text, action);
    lines.finish();
    if (!action.confirmation) return;
    append_confirmation_line(lines.text, action);
    lines.finish();
}

template <class View>
EntryNumbers measure(const View& view) {
    Lines lines;
    measure_lines(lines, view);
    JsonWriter json;
    write(json, view);
    lines.numbers.json_bytes = static_cast<std::uint32_t>(json.size());
    return lines.numbers;
}

template <class View>
View unpack(std::string_view bytes) {
    View view;
    Unpacker unpacker(bytes);
    fields(unpacker, view);
    return view;
}

template <class View>
Digest leaf_of(const View& view) {
    std::string text;
    JsonWriter json(text);
    write(json, view);
    return sha256(text);
}

}  // namespace

template <class View>
Shared<const Entry> Entry::pack_as(EntryKind kind, const View& view, bool linked) {
    std::string bytes;
    Packer packer(bytes);
    View copy = view;
    fields(packer, copy);
    void* memory = ::operator new(sizeof(Entry) + bytes.size());
    auto* entry = new (memory) Entry(kind, linked, measure(view), bytes.size());
    std::memcpy(static_cast<void*>(entry + 1), bytes.data(), bytes.size());
    return Shared<const Entry>(entry);
}

Shared<const Entry> Entry::pack(const Note& note) {
    return pack_as(EntryKind::note, note, note.supersedes || note.superseded_by || !note.conflicts_with.empty());
}
Shared<const Entry> Entry::pack(const Item& item) { return pack_as(EntryKind::item, item, false); }
Shared<const Entry> Entry::pack(const SourceToInspect& source) { return pack_as(EntryKind::source, source, false); }
Shared<const Entry> Entry::pack(const Action& action) { return pack_as(EntryKind::action, action, false); }

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
    if (kind_ != EntryKind::note) bug("this entry is not a note");
    return unpack<Note>(bytes());
}
Item Entry::item() const {
    if (kind_ != EntryKind::item) bug("this entry is not an item");
    return unpack<Item>(bytes());
}
SourceToInspect Entry::source() const {
    if (kind_ != EntryKind::source) bug("this entry is not a source to inspect");
    return unpack<SourceToInspect>(bytes());
}
Action Entry::action() const {
    if (kind_ != EntryKind::action) bug("this entry is not an action");
    return unpack<Action>(bytes());
}

Digest Entry::leaf() const {
    return leaf_.get([this] {
        switch (kind_) {
            case EntryKind::note:
                return leaf_of(note());
            case EntryKind::item:
                return leaf_of(item());
            case EntryKind::source:
                return leaf_of(source());
            case EntryKind::action:
                return leaf_of(action());
        }
        bug("an entry of no kind");
    });
}

}  // namespace taskstate::inline v0
