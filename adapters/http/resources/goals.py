"""Decisions about goals, and their preview, over HTTP (docs/read/reports.md#goals)."""

from functools import reduce

from footfall.adapters.http.resources.endpoint import Body, Endpoints, ReaderCall, SiteCall, Unlisted
from footfall.adapters.http.wire.goal_bodies import goal_definition
from footfall.adapters.http.wire.report_bodies import conversions_body, values_body
from footfall.application.access.authorization import Access
from footfall.application.journal.interface_documents import rule_document
from footfall.application.reports.goal_values import goal_values
from footfall.domain.exceptions import GoalNotFound
from footfall.domain.goals.goal import GoalQuery, Rule, define, with_groups
from footfall.domain.goals.value import decide_value
from footfall.domain.sites.currencies import Currencies, with_currency

ENDPOINTS = Endpoints()


@ENDPOINTS.of_site("POST", "/goals", Access.MEMBER, status=201, parameters=Unlisted.IGNORED)
async def define_goal(call: SiteCall) -> Body:
    """Define a goal."""
    name, rule, marks = goal_definition(await call.body())
    goal_id = await call.services.commands.goals.define(
        call.site_id, name=name, rule=rule, context=call.context, marks=marks
    )
    return {"success": True, "goalId": goal_id}


@ENDPOINTS.of_site("PUT", "/goals/{goal}", Access.MEMBER, parameters=Unlisted.IGNORED)
async def redefine_goal(call: SiteCall) -> Body:
    """Replace a goal as a whole."""
    name, rule, marks = goal_definition(await call.body())
    number = call.number("goal", GoalNotFound)
    await call.services.commands.goals.redefine(
        call.site_id, number, name=name, rule=rule, context=call.context, marks=marks
    )
    return {"success": True, "goalId": number}


@ENDPOINTS.of_site("DELETE", "/goals/{goal}", Access.MEMBER, parameters=Unlisted.IGNORED)
async def delete_goal(call: SiteCall) -> None:
    """Delete a goal for good."""
    number = call.number("goal", GoalNotFound)
    await call.services.commands.goals.delete(call.site_id, number, call.context)


# For members only: it belongs to defining a goal, and costs more than a report of stored conversions.
@ENDPOINTS.of_reader("POST", "/goals/preview", Access.MEMBER)
async def preview_goal(call: ReaderCall) -> Body:
    """Answer with the conversions that the goal would have in the period, and with their money; save nothing."""
    reader, parameters = call.reader, call.parameters()
    query = parameters.query()
    parameters.check()
    name, rule, marks = goal_definition(await call.body())
    currencies: Currencies = reduce(with_currency, decide_value({}, rule, marks), {})
    async with call.opened(parameters, query.period) as answering:
        [conversions] = await answering.reports.goals.count_conversions(
            reader.site_id,
            [GoalQuery(with_groups(rule, reader.page_groups))],
            query,
        )
        properties = answering.reports.properties
        values = await goal_values(properties, reader.site_id, rule, currencies, query)
    data = {"name": name_of(name, rule), **rule_document(rule), **conversions_body(conversions)}
    return {"data": data | values_body(values)}


def name_of(name: str | None, rule: Rule) -> str:
    """Return the name that a goal would get.

    Raises:
        Invalid: the goal could not have it.

    """
    [defined] = define(0, site_id=0, name=name, rule=rule)
    return str(getattr(defined, "name", ""))
