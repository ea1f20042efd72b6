#pragma once
// Which task a call is about: the one rule by which reading, writing and preparing find it.

#include <taskstate/service/requests.hpp>
#include <taskstate/store/store.hpp>

#include <span>

namespace taskstate::inline v0 {

/// Whether a session is addressed at all: all three parts are there, each a Ref.
///
/// Errors: `session_identity_required` with the path of a part that is missing; those of a Ref.
/// Thread-safety: pure.
[[nodiscard]] Result<void> check_identity(const SessionIdentity& identity);

/// The task that is named or that the session is bound to, or why there is none; never a choice of several.
///
/// `bindings` holds the active ones of the scope for this host and session, whatever their epoch.  A binding that has
/// lapsed, or that is older than the session says it is, binds nothing.  A task of white space names none.
/// Errors: `task_binding_conflict` where the name and the binding differ; `task_binding_stale_session` where only
///         another epoch was bound, or a binding that is over; `task_context_selection_required`.
/// Thread-safety: pure.
/// Source: docs/sessions.md.
[[nodiscard]] Result<Resolution> resolve_session(const ResolveInput& asked, std::span<const Binding> bindings,
                                                 Timestamp now);

/// The same over the bindings of a store; part of an address is none.  Errors: as `resolve_session`, and those of the
/// store.
[[nodiscard]] Result<Resolution> resolve_session(Store& store, const ResolveInput& asked, Timestamp now);

}  // namespace taskstate::inline v0
