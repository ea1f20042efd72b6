#include "service/adapter_registry.hpp"

#include "service/core.hpp"

#include "engine/field_checks.hpp"

#include <utility>

namespace taskstate::inline v0 {

Result<void> AdapterRegistry::add(const AdapterAbilities& adapter) {
    FieldChecks fields(TextPolicy::refuse);
    fields.ref("/name", adapter.name);
    fields.ref("/rotating_value", adapter.rotating_value);
    fields.ref("/delta_tool", adapter.delta_tool);
    if (auto& wrong = fields.error()) return *std::move(wrong);
    adapters_.use([&](auto& known) { known.insert_or_assign(adapter.name, adapter); });
    return {};
}

Capabilities AdapterRegistry::capabilities() const {
    Capabilities real;
    adapters_.use([&](const auto& known) {
        for (const auto& [name, adapter] : known) {
            if (adapter.rotating_value) real.session_binding_adapters.push_back(name);
            if (adapter.proposes) real.host_proposal_adapters.push_back(name);
            if (adapter.delta_tool) real.delta_tool_adapters.push_back(name);
            if (adapter.blocker) real.enforcing_adapters.push_back(name);
        }
    });
    return real;
}

Result<void> TaskService::register_adapter(const AdapterAbilities& adapter) { return core_->adapters().add(adapter); }

Capabilities TaskService::capabilities() const {
    Capabilities real = core_->adapters().capabilities();
    for (const Profile& profile : built_in_profiles()) real.profiles.push_back(profile.id);
    if (const auto stored = core_->store().profiles()) {
        for (const Profile& profile : *stored) real.profiles.push_back(profile.id);
    }
    real.block_format = block_format;
    return real;
}

}  // namespace taskstate::inline v0
