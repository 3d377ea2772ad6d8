"""The fixes that may mend a case, full ones and half ones beside them; which is best is for a replay to say."""

from __future__ import annotations

from collections.abc import Callable

from radixlint.remedy.history_plans import history_plans, side_call_plans
from radixlint.remedy.order_plans import form_plans, json_plans, section_plans, tool_plans, tool_set_plans
from radixlint.remedy.plan import Plan, Subject
from radixlint.remedy.template_plans import template_plans
from radixlint.remedy.value_plans import block_plans, clock_plans, value_plans
from radixlint.result.cause import Cause

_Planner = Callable[[Subject], list[Plan]]
_PLANNERS: dict[Cause, tuple[_Planner, ...]] = {
    Cause.CLOCK: (value_plans, clock_plans),
    Cause.ID: (value_plans,),
    Cause.COUNTER: (value_plans,),
    Cause.LIVE_STATE: (value_plans,),
    Cause.TENANT_BEFORE_SHARED: (value_plans,),
    Cause.RETRIEVAL_BEFORE_HISTORY: (block_plans,),
    Cause.TOOL_ORDER: (tool_plans,),
    Cause.KEY_ORDER: (json_plans,),
    Cause.TEXT_FORM: (form_plans,),
    Cause.TOOL_SET: (tool_set_plans,),
    Cause.SECTION_ORDER: (section_plans,),
    Cause.HISTORY_REWRITTEN: (history_plans,),
    Cause.BLOCK_MOVED: (block_plans, history_plans),
    Cause.SIDE_CALL: (side_call_plans,),
    Cause.CHAT_TEMPLATE: (template_plans,),
}


def plans_for(subject: Subject) -> list[Plan]:
    """Return the plans for the subject's case, none for a cause that no change of the requests mends."""
    cause = subject.case.verdict.cause
    return [plan for planner in _PLANNERS.get(cause, ()) for plan in planner(subject)]
