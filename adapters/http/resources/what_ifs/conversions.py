"""What-ifs of goals and funnels over HTTP (docs/goals/what-if.md); they save nothing."""

from typing import Any

from footfall.adapters.http.resources.endpoint import Body, Endpoints, ReaderCall
from footfall.adapters.http.resources.goals import name_of
from footfall.adapters.http.wire.goal_bodies import funnel_definition, goal_definition
from footfall.adapters.http.wire.report_bodies import session_bodies
from footfall.adapters.http.wire.report_parameters import ReportParameters
from footfall.application.access.authorization import Access
from footfall.application.access.readers import Reader
from footfall.application.citations.answer_states import Answer
from footfall.application.journal.interface_documents import rule_document, step_document
from footfall.application.reports.catalogue.funnels import funnel_at, rules_of
from footfall.application.reports.catalogue.goals import goal_at
from footfall.application.reports.what_if_query import WhatIfQuery, funnel_change, what_if_query
from footfall.domain.exceptions import FunnelNotFound, GoalNotFound
from footfall.domain.funnel_reports.funnel_change import Examples, FunnelChange, WhatIf, change_of_goal
from footfall.domain.funnels.funnel import FunnelPlan
from footfall.domain.goals.goal import with_groups

ENDPOINTS = Endpoints()


# For members only, since what-ifs belong to changing a goal or a funnel.
@ENDPOINTS.of_reader("POST", "/goals/{goal}/what-if", Access.MEMBER)
async def try_goal(call: ReaderCall) -> Body:
    """Answer with the conversions of the goal before and after the change."""
    reader, number, parameters = call.reader, call.number("goal", GoalNotFound), call.parameters()
    query = asked_query(parameters)
    name, rule, _ = goal_definition(await call.body())
    described = {"name": name_of(name, rule), **rule_document(rule)}
    async with call.opened(parameters, query.period) as answering:
        record = goal_at(answering.directory, reader.site_id, number)
        change = change_of_goal(record.goal.rule, with_groups(rule, reader.page_groups))
        result = await answering.reports.what_ifs.compare(reader.site_id, change, query, query.days)
    return {"data": {**described, **_body(result, query, reader)}}


@ENDPOINTS.of_reader("POST", "/funnels/{funnel}/what-if", Access.MEMBER)
async def try_funnel(call: ReaderCall) -> Body:
    """Answer with how many complete the funnel before and after the change."""
    reader, number, parameters = call.reader, call.number("funnel", FunnelNotFound), call.parameters()
    query = asked_query(parameters)
    plan = funnel_definition(await call.body(), unnamed="Preview")
    async with call.opened(parameters, query.period) as answering:
        change = _change(answering, reader, number, plan)
        result = await answering.reports.what_ifs.compare(reader.site_id, change, query, query.days)
    described = {
        "name": plan.name,
        "withinDays": plan.within_days,
        "steps": [step_document(step) for step in plan.steps],
    }
    return {"data": {**described, **_body(result, query, reader)}}


def asked_query(parameters: ReportParameters) -> WhatIfQuery:
    """Return period, days and filters of a request.

    Raises:
        Invalid: a parameter is not accepted, or there are too many days.

    """
    window, filters = parameters.window(), parameters.filters()
    parameters.check()
    return what_if_query(window, filters)


def _change(answering: Answer, reader: Reader, number: int, plan: FunnelPlan) -> FunnelChange:
    record = funnel_at(answering.directory, reader.site_id, number)
    rules, reach = rules_of(answering.directory, reader.site_id)
    return funnel_change(record.funnel.plan, plan, rules, reach=reach)


def _body(result: WhatIf, query: WhatIfQuery, reader: Reader) -> dict[str, Any]:
    days = zip(query.dates, result.days, strict=True)
    return {
        "before": result.counts.before,
        "after": result.counts.after,
        "gained": _examples_body(result.gained, reader),
        "lost": _examples_body(result.lost, reader),
        "days": [{"date": str(day), "before": counts.before, "after": counts.after} for day, counts in days],
    }


def _examples_body(examples: Examples, reader: Reader) -> dict[str, Any]:
    sessions = map(reader.shown, session_bodies(examples.sessions))
    return {"total": examples.total, "sessions": list(sessions)}
