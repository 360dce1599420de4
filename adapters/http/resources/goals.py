"""Decisions about goals, and their preview, over HTTP (docs/read/reports.md#goals)."""

from functools import reduce

import falcon
from attrs import frozen
from falcon.asgi import Request, Response

from footfall.adapters.http.resources.reports.description import ReportEndpoint
from footfall.adapters.http.resources.resource import Resource
from footfall.adapters.http.wire.bodies import json_object
from footfall.adapters.http.wire.context import command_context, credentials
from footfall.adapters.http.wire.failures import answer
from footfall.adapters.http.wire.goal_bodies import goal_definition
from footfall.adapters.http.wire.parameters import path_id
from footfall.adapters.http.wire.report_bodies import conversions_body, values_body
from footfall.adapters.http.wire.report_context import ReportContext
from footfall.application.access.authorization import Access, Gatekeeper
from footfall.application.commands.all_commands import Commands
from footfall.application.journal.interface_names import rule_document
from footfall.application.reports.goal_values import goal_values
from footfall.domain.exceptions import GoalNotFound
from footfall.domain.goals.goal import GoalQuery, Rule, define, with_groups
from footfall.domain.goals.value import decide_value
from footfall.domain.sites.currencies import Currencies, with_currency


@frozen
class Goals(ReportEndpoint):
    """GET and POST /api/sites/<site_id>/goals."""

    access_post = Access.MEMBER

    _gatekeeper: Gatekeeper
    _commands: Commands

    async def on_post(self, req: Request, resp: Response, site: str) -> None:
        """Define a goal."""
        grant = await self._gatekeeper.admit(self.access_post, site, credentials(req))
        name, rule, marks = goal_definition(await json_object(req))
        goal_id = await self._commands.goals.define(
            grant.site_id,
            name=name,
            rule=rule,
            context=command_context(req, grant.actor),
            marks=marks,
        )
        answer(resp, falcon.HTTP_201, {"success": True, "goalId": goal_id})


@frozen
class GoalDetail(Resource):
    """PUT and DELETE /api/sites/<site_id>/goals/<goal_id>."""

    access_put = Access.MEMBER
    access_delete = Access.MEMBER

    _commands: Commands

    async def on_put(self, req: Request, resp: Response, site: str, goal: str) -> None:
        """Replace a goal as a whole."""
        grant = await self._gatekeeper.admit(self.access_put, site, credentials(req))
        name, rule, marks = goal_definition(await json_object(req))
        number = path_id(goal, GoalNotFound)
        await self._commands.goals.redefine(
            grant.site_id,
            number,
            name=name,
            rule=rule,
            context=command_context(req, grant.actor),
            marks=marks,
        )
        answer(resp, falcon.HTTP_200, {"success": True, "goalId": number})

    async def on_delete(self, req: Request, resp: Response, site: str, goal: str) -> None:
        """Delete a goal for good."""
        grant = await self._gatekeeper.admit(self.access_delete, site, credentials(req))
        number, context = path_id(goal, GoalNotFound), command_context(req, grant.actor)
        await self._commands.goals.delete(grant.site_id, number, context)
        answer(resp, falcon.HTTP_200, {"success": True})


@frozen
class GoalPreview:
    """POST /api/sites/<site_id>/goals/preview.

    For members only: it belongs to defining a goal, and costs more than a report of stored conversions.
    """

    access_post = Access.MEMBER

    _reports: ReportContext

    async def on_post(self, req: Request, resp: Response, site: str) -> None:
        """Answer with the conversions that the goal would have in the period, and with their money; save nothing."""
        reader = await self._reports.reader(req, self.access_post, site)
        parameters = self._reports.parameters(req, reader)
        query = parameters.query()
        parameters.check()
        name, rule, marks = goal_definition(await json_object(req))
        currencies: Currencies = reduce(with_currency, decide_value({}, rule, marks), {})
        async with self._reports.opened(resp, reader, parameters, query.period) as answering:
            [conversions] = await answering.reports.goals.count_conversions(
                reader.site_id,
                [GoalQuery(with_groups(rule, reader.page_groups))],
                query,
            )
            properties = answering.reports.properties
            values = await goal_values(properties, reader.site_id, rule, currencies, query)
        data = {"name": name_of(name, rule), **rule_document(rule), **conversions_body(conversions)}
        data |= values_body(values)
        answer(resp, falcon.HTTP_200, {"data": data})


def name_of(name: str | None, rule: Rule) -> str:
    """Return the name that a goal would get.

    Raises:
        Invalid: the goal could not have it.

    """
    [defined] = define(0, site_id=0, name=name, rule=rule)
    return str(getattr(defined, "name", ""))
