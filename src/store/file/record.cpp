#include "store/file/record.hpp"

#include <taskstate/codec/json.hpp>
#include <taskstate/engine/changes.hpp>
#include <taskstate/model/wire.hpp>

#include "codec/values.hpp"
#include "store/row_text.hpp"

#include <charconv>
#include <utility>

namespace taskstate::inline v0 {
namespace {

enum class StepWord : std::uint8_t {
    start,
    advance,
    decision,
    delivery,
    binding,
    revocation,
    mode,
    profile,
    exposure,
    task,
    log
};

}  // namespace

template <>
struct Words<StepWord> {
    static constexpr std::array<std::string_view, 11> list{"start",    "advance",    "decision", "delivery",
                                                           "binding",  "revocation", "mode",     "profile",
                                                           "exposure", "task",       "log"};
};

namespace {

constexpr std::size_t field_bytes_max = 64 * 1024 * 1024;

void append_field(std::string& text, std::string_view field) {
    if (!text.empty()) text += '\t';
    text += field;
}

template <class... Fields>
void append_fields(std::string& text, StepWord kind, const Fields&... fields) {
    append_field(text, word(kind));
    (append_field(text, fields), ...);
}

std::string encode_id(std::string_view id) {
    std::string text;
    JsonWriter(text).string(id);
    return text;
}

/// Writes each kind of step.
struct StepWriter {
    std::string& text;

    void operator()(const Write& write) const { std::visit(*this, write); }
    void operator()(const StartTask& start) const {
        append_fields(text, StepWord::start, encode_row(start.head), encode_row(start.revision));
    }
    void operator()(const AdvanceTask& next) const {
        append_fields(text, StepWord::advance, encode_row(next.head), encode_row(next.revision));
    }
    void operator()(const TrimLog&) const { bug("a log is trimmed by files that hold it anew"); }
    void operator()(const AddDecision& added) const {
        append_fields(text, StepWord::decision, encode_id(added.task.id), encode_row(added.decision));
    }
    void operator()(const AddDelivery& added) const {
        append_fields(text, StepWord::delivery, encode_id(added.task.id), encode_row(added.delivery));
    }
    void operator()(const AddBinding& added) const {
        append_fields(text, StepWord::binding, encode_row(added.binding));
    }
    void operator()(const RevokeBinding& end) const {
        // A binding's row, of which only the end is read.
        append_fields(text, StepWord::revocation,
                      encode_row(Binding{.id = end.id,
                                         .scope = end.scope,
                                         .revoked_at = end.at,
                                         .revoked_by = end.by,
                                         .revoked_because = end.because}));
    }
    void operator()(const SetScopeMode& set) const { append_fields(text, StepWord::mode, word(set.mode)); }
    void operator()(const AddProfile& added) const { append_fields(text, StepWord::profile, encode(added.profile)); }
    void operator()(const Exposed& exposed) const {
        // A delivery's row, of which only the exposure is read.
        append_fields(text, StepWord::exposure,
                      encode_row(DeliveryRecord{.id = exposed.delivery, .exposed_at = exposed.at}));
    }
    void operator()(const KeptTask& kept) const { append_fields(text, StepWord::task, encode_row(kept.head)); }
    void operator()(const KeptRevision& kept) const {
        append_fields(text, StepWord::log, encode_id(kept.task.id), encode_row(kept.revision));
    }
};

/// Reads the fields of a record one after the other.
class StepReader {
 public:
    StepReader(std::string_view text, const Scope& scope, Depth depth) : left_(text), scope_(scope), depth_(depth) {}

    Result<std::vector<JournalStep>> read() {
        std::vector<JournalStep> steps;
        while (!ended_) {
            const auto kind = from_word<StepWord>(next());
            if (!kind) return fail(Reason::unreadable_record);
            if (is_left_out(*kind)) continue;
            auto step = read(*kind);
            if (!step) return std::move(step).error();
            steps.push_back(*std::move(step));
        }
        return steps;
    }

 private:
    std::string_view next() {
        const auto end = left_.find('\t');
        const auto field = left_.substr(0, end);
        ended_ = end == std::string_view::npos;
        left_.remove_prefix(ended_ ? left_.size() : end + 1);
        return field;
    }
    /// Skips the fields of a step that nobody asked for.
    bool is_left_out(StepWord kind) {
        const bool of_log = kind == StepWord::decision || kind == StepWord::delivery || kind == StepWord::exposure;
        if (depth_ == Depth::logs || !of_log) return false;
        (void)next();
        if (kind != StepWord::exposure) (void)next();
        return true;
    }

    Result<JournalStep> read(StepWord kind) {
        switch (kind) {
            case StepWord::start:
                return read_revision<StartTask>();
            case StepWord::advance:
                return read_revision<AdvanceTask>();
            case StepWord::decision:
                return read_of_task<AddDecision>(decode_row<DecisionRecord>);
            case StepWord::delivery:
                return read_of_task<AddDelivery>(decode_row<DeliveryRecord>);
            case StepWord::log:
                return read_of_task<KeptRevision>(decode_row<RevisionRecord>);
            case StepWord::binding:
                return decode_row<Binding>(next()).transform(
                    [](Binding&& row) -> JournalStep { return AddBinding{std::move(row)}; });
            case StepWord::revocation:
                return read_revocation();
            case StepWord::mode:
                return read_mode();
            case StepWord::profile:
                return decode_row<Profile>(next()).transform(
                    [](Profile&& row) -> JournalStep { return AddProfile{std::move(row)}; });
            case StepWord::exposure:
                return read_exposure();
            case StepWord::task:
                return decode_row<TaskHead>(next()).transform(
                    [](TaskHead&& row) -> JournalStep { return KeptTask{std::move(row)}; });
        }
        bug("a step of no kind");
    }
    template <class Kind>
    Result<JournalStep> read_revision() {
        auto head = decode_row<TaskHead>(next());
        if (!head) return std::move(head).error();
        auto revision = decode_row<RevisionRecord>(next());
        if (!revision) return std::move(revision).error();
        return JournalStep(Kind{*std::move(head), *std::move(revision)});
    }
    template <class Kind, class Row>
    Result<JournalStep> read_of_task(Result<Row> (*decode)(std::string_view)) {
        auto id = decode_as<std::string>(next(), {.bytes_max = field_bytes_max}, TextPolicy::refuse);
        if (!id) return std::move(id).error();
        auto row = decode(next());
        if (!row) return std::move(row).error();
        return JournalStep(Kind{{scope_, *std::move(id)}, *std::move(row)});
    }
    Result<JournalStep> read_revocation() {
        auto row = decode_row<Binding>(next());
        if (!row) return std::move(row).error();
        if (!row->revoked_at || !row->revoked_by) return fail(Reason::unreadable_record);
        return JournalStep(RevokeBinding{scope_, std::move(row->id), *row->revoked_at, *std::move(row->revoked_by),
                                         std::move(row->revoked_because)});
    }
    Result<JournalStep> read_mode() {
        const auto mode = from_word<ScopeMode>(next());
        if (!mode) return fail(Reason::unreadable_record);
        return JournalStep(SetScopeMode{scope_, *mode});
    }
    Result<JournalStep> read_exposure() {
        auto row = decode_row<DeliveryRecord>(next());
        if (!row) return std::move(row).error();
        if (!row->exposed_at) return fail(Reason::unreadable_record);
        return JournalStep(Exposed{scope_, std::move(row->id), *row->exposed_at});
    }

    std::string_view left_;
    const Scope& scope_;
    Depth depth_;
    bool ended_ = false;
};

/// A revision that puts all that stands in a state.
RevisionRecord summed_up(const TaskRows& task) {
    RevisionRecord sum = task.revisions.back();
    sum.changes = changes(Snapshot(State{.identity = task.snapshot.state().identity}), task.snapshot);
    sum.base = LogBase{.pause = task.head.pause};
    return sum;
}

/// The number in a text of digits.
std::optional<std::uint64_t> number_in(std::string_view text) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return number;
}

std::string record_of(const JournalStep& step) {
    std::string text;
    append_step(text, step);
    return text;
}

}  // namespace

void append_step(std::string& text, const JournalStep& step) { std::visit(StepWriter{text}, step); }

Result<std::vector<JournalStep>> decode_steps(std::string_view text, const Scope& scope, Depth depth) {
    auto steps = StepReader(text, scope, depth).read();
    if (!steps) return fail(Reason::unreadable_record);
    return steps;
}

Result<void> take(Batch& batch, const JournalStep& step) {
    struct Taker {
        Batch& batch;
        Result<void> operator()(const Write& write) const { return batch.write(write); }
        Result<void> operator()(const KeptTask& kept) const { return batch.restore(kept.head); }
        Result<void> operator()(const KeptRevision& kept) const { return batch.restore(kept.task, kept.revision); }
        Result<void> operator()(const Exposed& exposed) const {
            const bool done = batch.expose(exposed.scope, exposed.delivery, exposed.at);
            return done ? Result<void>() : fail(Reason::unreadable_record);
        }
    };
    return std::visit(Taker{batch}, step);
}

std::string encode_file_head(const FileHead& head) {
    std::string text(word(head.kind));
    append_field(text, head.scope);
    append_field(text, std::to_string(head.first));
    append_field(text, std::to_string(head.number));
    append_field(text, std::to_string(head.place.bytes));
    append_field(text, head.place.chain);
    return text;
}

Result<FileHead> decode_file_head(std::string_view text) {
    std::array<std::string_view, 6> fields;
    for (std::string_view& field : fields) {
        const auto end = text.find('\t');
        field = text.substr(0, end);
        text = end == std::string_view::npos ? "" : text.substr(end + 1);
    }
    const auto& [kind_word, scope, first_digits, number_digits, bytes_digits, chain] = fields;
    const auto kind = from_word<FileHead::Kind>(kind_word);
    const auto first = number_in(first_digits), number = number_in(number_digits), bytes = number_in(bytes_digits);
    if (!kind || !first || !number || !bytes || *number + 1 < *first) return fail(Reason::unreadable_record);
    return FileHead{*kind, std::string(scope), *first, *number, {*bytes, std::string(chain)}};
}

std::string encode_scope(const Scope& scope) {
    std::string text;
    JsonWriter json(text);
    write(json, view(scope));
    return text;
}

Result<Scope> decode_scope(std::string_view json) {
    if (json == no_scope) return Scope{};
    auto scope = decode_as<Scope>(json, {.bytes_max = field_bytes_max}, TextPolicy::refuse);
    if (!scope) return fail(Reason::unreadable_record);
    return scope;
}

std::vector<std::string> encode_rows(const Rows& rows, Depth depth) {
    std::vector<std::string> records;
    const auto add = [&](const JournalStep& step) { records.push_back(record_of(step)); };
    for (const auto& [id, profile] : rows.profiles) add(Write(AddProfile{profile}));
    for (const auto& [scope, kept] : rows.scopes) {
        add(Write(SetScopeMode{scope, kept.mode}));
        for (const auto& [id, task] : kept.tasks) {
            const TaskAddress address{scope, id};
            add(KeptTask{task.head});
            if (depth == Depth::heads) {
                add(KeptRevision{address, summed_up(task)});
                continue;
            }
            for (const RevisionRecord& revision : task.revisions) add(KeptRevision{address, revision});
            for (const DecisionRecord& decision : task.decisions) add(Write(AddDecision{address, decision}));
            for (const DeliveryRecord& delivery : task.deliveries) add(Write(AddDelivery{address, delivery}));
        }
        for (const auto& [number, binding] : kept.bindings) add(Write(AddBinding{binding}));
    }
    return records;
}

}  // namespace taskstate::inline v0
