#include "store/stored_state.hpp"

#include "store/successor.hpp"

#include <taskstate/engine/apply.hpp>

#include <utility>

namespace taskstate::inline v0 {
namespace {

constexpr std::size_t records_at_once = 500;

}  // namespace

Result<std::shared_ptr<const Profile>> profile_of(Store& store, std::string_view id) {
    using Shared = std::shared_ptr<const Profile>;
    if (const Profile* built_in = find_profile(id)) return Shared(Shared(), built_in);
    auto stored = store.profile(id);
    if (!stored) return std::move(stored).error();
    if (!*stored) return fail(Reason::unknown_profile, "/profile");
    return Shared(std::make_shared<const Profile>(**std::move(stored)));
}

Result<Snapshot> state_of(const StoredTask& stored, const Profile& profile) {
    const Rules any_size{.profile = &profile, .limits = unbounded, .text = TextPolicy::refuse};
    auto state = admit(stored.snapshot, any_size);
    if (!state || !validate(*state, any_size)) return fail(Reason::integrity_check_failed);
    Snapshot snapshot(*std::move(state));
    if (snapshot.state_digest() != stored.head.state_digest) return fail(Reason::integrity_check_failed);
    return snapshot;
}

Result<Snapshot> state_at(Store& store, const TaskHead& head, Revision revision) {
    if (revision == Revision{} || revision > head.frame.revision) {
        return fail(Reason::out_of_range, "", {head.frame.revision.number, revision.number});
    }
    Snapshot seen = nothing_of(head.identity);
    for (;;) {
        auto page = store.revisions(head.address(), seen.revision(), records_at_once);
        if (!page) return std::move(page).error();
        if (page->empty()) return fail(Reason::revision_gap);
        for (const RevisionRecord& record : *page) {
            const Revision next = record.frame.revision;
            if (next > revision) return fail(Reason::out_of_range, "", {head.frame.revision.number, revision.number});
            if (record.base) seen = nothing_of(head.identity, {next.number - 1});
            auto state = replay(seen.state(), record.frame, record.changes);
            if (!state) return std::move(state).error();
            seen = Snapshot(*std::move(state));
            if (next != revision) continue;
            if (seen.state_digest() != record.state_digest) return fail(Reason::digest_mismatch);
            return seen;
        }
    }
}

}  // namespace taskstate::inline v0
