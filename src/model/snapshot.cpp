#include <taskstate/model/snapshot.hpp>
#include <taskstate/model/wire.hpp>

#include "model/trusted_content.hpp"

#include <string>

namespace taskstate::inline v0 {
namespace {

std::string own(std::string_view text) { return std::string(text); }
OptText own(const OptView& text) { return text ? OptText(own(*text)) : std::nullopt; }
std::vector<std::string> own(const std::vector<std::string_view>& texts) { return {texts.begin(), texts.end()}; }

EvidenceInput own(const Evidence& evidence) {
    EvidenceInput input{.kind = evidence.kind,
                        .id = own(evidence.id),
                        .digest = own(evidence.digest),
                        .scope = std::nullopt,
                        .size_bytes = evidence.size_bytes,
                        .status = evidence.status};
    if (evidence.scope) {
        const ScopeView& scope = *evidence.scope;
        input.scope = Scope{own(scope.tenant), own(scope.owner), own(scope.agent), own(scope.workspace)};
    }
    return input;
}

SourceInput own(const Source& source) {
    SourceInput input{.label = own(source.label), .turn = own(source.turn), .evidence = std::nullopt};
    if (source.evidence) input.evidence = own(*source.evidence);
    return input;
}

SavedNote own(const Note& note) {
    return {.note = {.id = own(note.id),
                     .category = note.category,
                     .text = own(note.text),
                     .supersedes = own(note.supersedes),
                     .conflicts_with = own(note.conflicts_with),
                     .source = own(note.source),
                     .gates_completion = note.gates_completion ? std::optional<bool>(true) : std::nullopt},
            .standing = note.standing,
            .superseded_by = own(note.superseded_by),
            .resolved = note.resolved};
}

SavedItem own(const Item& item) {
    SavedItem input{.id = own(item.id),
                    .title = own(item.title),
                    .status = item.status,
                    .assurance = item.assurance,
                    .kind = own(item.kind),
                    .required = item.required,
                    .depends_on = own(item.depends_on),
                    .because = own(item.because),
                    .content = TrustedContent::make(own(item.content)),
                    .reason = own(item.reason),
                    .evidence = {}};
    for (const Evidence& evidence : item.evidence) input.evidence.push_back(own(evidence));
    return input;
}

SavedAction own(const Action& action) {
    SavedAction input{.outcome = {.execution = own(action.execution),
                                  .call = own(action.call),
                                  .run = own(action.run),
                                  .tool = own(action.tool),
                                  .status = action.status,
                                  .completion = action.completion,
                                  .cancellation = action.cancellation,
                                  .started_at = action.started_at,
                                  .ended_at = action.ended_at,
                                  .evidence = std::nullopt},
                      .confirmation = std::nullopt};
    if (action.evidence) input.outcome.evidence = own(*action.evidence);
    if (action.confirmation) {
        input.confirmation = ConfirmationInput{action.confirmation->status, own(action.confirmation->source)};
    }
    return input;
}

/// `,"name":[` and `]` and the commas around the entries.
std::uint64_t list_bytes(std::string_view name, const EntryList& list) noexcept {
    if (list.empty()) return 0;
    return name.size() + 6 + list.json_bytes() + list.size() - 1;
}

std::uint64_t lists_bytes(const State& state) noexcept {
    return list_bytes("notes", state.notes) + list_bytes("items", state.items) + list_bytes("sources", state.sources) +
           list_bytes("actions", state.actions);
}

std::size_t size_of(const OptText& text) noexcept { return text ? text->size() : 0; }

/// The members of one of the two digested objects.
class Members {
 public:
    Members() { text_.reserve(1024); }

    void put(std::string_view name, std::string_view value) {
        json_.key(name);
        json_.string(value);
    }
    void put(std::string_view name, const Digest& digest) {
        const HexText digits = hex_text(digest);
        put(name, std::string_view(digits.data(), digits.size()));
    }
    void put(std::string_view name, Timestamp time) {
        const TimeText text = time_text(time);
        put(name, std::string_view(text.data(), text.size()));
    }
    void put_if(std::string_view name, const OptText& value) {
        if (value) put(name, std::string_view(*value));
    }
    [[nodiscard]] JsonWriter& json() noexcept { return json_; }
    [[nodiscard]] Digest digest() const { return sha256(text_); }

 private:
    std::string text_{};
    JsonWriter json_{text_};
};

}  // namespace

const EntryList& list_of(const State& state, EntryKind kind) noexcept {
    switch (kind) {
        case EntryKind::note:
            return state.notes;
        case EntryKind::item:
            return state.items;
        case EntryKind::source:
            return state.sources;
        case EntryKind::action:
            return state.actions;
    }
    bug("an entry kind without a list");
}

bool same_content(const State& a, const State& b) {
    return (a.identity == b.identity || *a.identity == *b.identity) && a.lifecycle == b.lifecycle &&
           a.phase == b.phase && a.schema_locked == b.schema_locked && a.link == b.link && a.notes == b.notes &&
           a.items == b.items && a.sources == b.sources && a.actions == b.actions;
}

bool operator==(const Snapshot& a, const Snapshot& b) {
    if (a.same_object(b)) return true;
    if (!a.state_ || !b.state_) return false;
    const State& x = *a.state_;
    const State& y = *b.state_;
    return x.revision == y.revision && x.updated_at == y.updated_at && x.last_progress_at == y.last_progress_at &&
           x.next_ids == y.next_ids && same_content(x, y);
}

Digest Snapshot::semantic_digest() const {
    const State& state = *state_;
    const Identity& identity = *state.identity;
    Members members;
    members.json().open_object();
    members.put("actions", state.actions.digest());
    members.put_if("association", identity.association);
    members.put("format", "taskstate.semantic/1");
    members.put_if("goal", identity.goal);
    members.put("id", identity.id);
    members.put("items", state.items.digest());
    members.put("lifecycle", word(state.lifecycle));
    if (state.link) {
        members.json().key("link");
        write(members.json(), *state.link);
    }
    members.put("notes", state.notes.digest());
    members.put_if("phase", state.phase);
    members.put("profile", identity.profile);
    if (state.schema_locked) {
        members.json().key("schema_locked");
        members.json().boolean(true);
    }
    members.json().key("scope");
    write(members.json(), view(identity.scope));
    members.put("sources", state.sources.digest());
    members.json().close_object();
    return members.digest();
}

Digest Snapshot::state_digest() const {
    const State& state = *state_;
    Members members;
    members.json().open_object();
    members.put("created_at", created_at());
    members.put("format", "taskstate.state/1");
    members.put("last_progress_at", state.last_progress_at);
    if (!(state.next_ids == NextIds{})) {
        members.json().key("next_ids");
        write(members.json(), state.next_ids);
    }
    members.json().key("revision");
    members.json().integer(static_cast<std::int64_t>(state.revision.number));
    members.put("semantic", semantic_digest());
    members.put("updated_at", state.updated_at);
    members.json().close_object();
    return members.digest();
}

std::uint64_t snapshot_bytes(const State& state) {
    State head = state;
    head.notes = head.items = head.sources = head.actions = EntryList{};
    JsonWriter json;
    write(json, head);
    return json.size() + lists_bytes(state);
}

std::uint64_t snapshot_bytes_bound(const State& state) noexcept {
    constexpr std::uint64_t frame_max = 1024;      // every key, word, number and time that there can be
    constexpr std::uint64_t escaped_byte_max = 6;  // as \u00xx
    const Identity& identity = *state.identity;
    const Scope& scope = identity.scope;
    std::uint64_t texts = identity.id.size() + identity.profile.size() + scope.tenant.size() + scope.owner.size() +
                          scope.agent.size() + scope.workspace.size();
    texts += size_of(identity.association) + size_of(identity.goal) + size_of(state.phase);
    if (state.link) texts += state.link->target.id.size() + size_of(state.link->status);
    return frame_max + escaped_byte_max * texts + lists_bytes(state);
}

SnapshotInput to_input(const Snapshot& snapshot) {
    const State& state = snapshot.state();
    const Identity& identity = *state.identity;
    SnapshotInput input{.id = identity.id,
                        .profile = identity.profile,
                        .scope = identity.scope,
                        .association = identity.association,
                        .revision = state.revision,
                        .goal = identity.goal,
                        .lifecycle = state.lifecycle,
                        .phase = state.phase,
                        .schema_locked = state.schema_locked,
                        .notes = {},
                        .items = {},
                        .sources = {},
                        .actions = {},
                        .link = state.link,
                        .next_ids = state.next_ids,
                        .created_at = identity.created_at,
                        .updated_at = state.updated_at,
                        .last_progress_at = state.last_progress_at};
    for (const Note& note : snapshot.notes()) input.notes.push_back(own(note));
    for (const Item& item : snapshot.items()) input.items.push_back(own(item));
    for (const SourceToInspect& source : snapshot.sources()) {
        input.sources.push_back({own(source.id), source.inspected});
    }
    for (const Action& action : snapshot.actions()) input.actions.push_back(own(action));
    return input;
}

}  // namespace taskstate::inline v0
