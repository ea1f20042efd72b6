#pragma once
// What every block may hold, whatever the task: a control spelling that occurs here cannot be kept out of a block.

#include <string_view>

namespace taskstate::inline v0 {

/// A block with every kind, field and word, in the order of the grammar, texts and ids left empty; and the lines that
/// stand only before a list of changes.
///
/// Source: docs/block.md, "Grammar".
inline constexpr std::string_view specimen = R"(<task-state task="" key="">
goal ""
constraint  state=superseded superseded_by= supersedes= conflicts_with= "" source="" turn= evidence=
objective  state=resolved superseded_by= conflicts_with= "" source="" turn= evidence=
decision  superseded_by= conflicts_with= "" source="" evidence=
question  supersedes= conflicts_with= "" source="" evidence=
artifact  conflicts_with= "" source="" evidence=
proposal  category=objective state= superseded_by= supersedes= conflicts_with= "" source="" turn= evidence=
proposal  category=constraint supersedes= "" source=""
proposal  category=decision conflicts_with= "" source=""
assumption  category=question state= superseded_by= supersedes= conflicts_with= "" source="" turn= evidence=
assumption  category=artifact "" source=""
item  kind= required depends_on= because= assurance=model_interpreted "" content={"":[null,true,false,{}]}
item  kind=step depends_on= because= assurance=rule_extracted "" content={}
item  required because= assurance=host_reported ""
item  depends_on= assurance=operator_confirmed "" content={}
item  because= assurance=independently_verified ""
item  assurance=asserted ""
action  started unknown cancellation=requested tool= call= evidence=
action  succeeded settled cancellation=acknowledged tool= call= evidence=
action  failed settled tool= evidence=
action  timed_out unknown tool= call=
action  cancelled unknown call= evidence=
action  denied settled evidence=
confirmation  pending source=""
confirmation  blocked source=""
confirmation  in_progress source=""
confirmation  waiting_external source=""
confirmation  completed source=""
confirmation  failed source=""
confirmation  skipped source=""
confirmation  cancelled source=""
source inspect=- inspected=-
reason  blocked ""
reason  failed ""
reason  skipped ""
progress running= ready= blocked= pending= failed= completed= skipped=
next items=- waiting=-
completion allowed=true
completion allowed=false items= kinds= constraints=
pending actions=
omitted completed_sources,sources_to_inspect,item_content,settled_items,confirmed_actions,historical_notes
omitted note_sources,artifacts,questions,decisions,assumptions,proposals
status lifecycle=open phase= link_kind=task link_id= link_status=pending revision=
status lifecycle=paused phase= link_kind=routine link_id= link_status=running revision=
status lifecycle=completed link_kind=memory link_id= link_status=unobserved revision=
status lifecycle=cancelled link_kind=task link_id= link_status=waiting_external revision=
status lifecycle=expired phase= revision=
</task-state key="">
changed since=
gone notes= items= sources= actions=
)";

}  // namespace taskstate::inline v0
