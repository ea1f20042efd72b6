#include "service/core.hpp"

#include <taskstate/base/text.hpp>
#include <taskstate/engine/governance.hpp>

#include "engine/field_checks.hpp"

#include <array>

namespace taskstate::inline v0 {
namespace {

/// What is already known under the id: nothing, the same rules, or other ones.
Result<bool> is_registered(const TaskService::Core& core, const std::string& id, const Digest& digest) {
    const auto known = core.profile(id);
    if (!known) return known.error().reason == Reason::unknown_profile ? Result<bool>(false) : known.error();
    if (profile_digest(**known) == digest) return true;
    return fail(Reason::profile_version_differs, "/profile");
}

}  // namespace

Result<Registration> TaskService::register_profile(const Profile& profile, const Actor& actor, Registering how) {
    FieldChecks fields(TextPolicy::refuse);
    fields.actor(actor);
    if (fields.error()) return *std::move(fields.error());
    if (auto may = check_capability(actor.role, Capability::register_profile); !may) {
        return under("/actor/role", std::move(may).error());
    }
    if (auto sound = check_profile(profile); !sound) return under("/profile", std::move(sound).error());
    Registration registration{.profile = profile.id, .digest = profile_digest(profile)};
    const auto registered = is_registered(*core_, profile.id, registration.digest);
    if (!registered) return registered.error();
    if (*registered) {
        registration.reason = Reason::profile_already_registered;
    } else if (how == Registering::dry_run) {
        registration.reason = Reason::dry_run_validated;
    } else {
        auto added = core_->store().commit(std::array<Write, 1>{AddProfile{profile}});
        if (!added) return std::move(added).error();
        registration.reason = Reason::profile_registered;
    }
    return registration;
}

}  // namespace taskstate::inline v0
