"""Goals, their sessions and their preview over HTTP (docs/reports.md)."""

import falcon
from attrs import frozen
from falcon.asgi import Request, Response

from footfall.adapters.http.wire.bodies import json_object
from footfall.adapters.http.wire.context import command_context, credentials
from footfall.adapters.http.wire.failures import answer, answer_csv
from footfall.adapters.http.wire.goal_bodies import goal_definition
from footfall.adapters.http.wire.parameters import identifier
from footfall.adapters.http.wire.report_bodies import (
    conversions_body,
    goal_report_body,
    page_meta,
    session_body,
)
from footfall.adapters.http.wire.report_context import ReportContext
from footfall.adapters.http.wire.report_parameters import ReportParameters
from footfall.application.access.authorization import Access, Gatekeeper
from footfall.application.access.disclosure import Reader
from footfall.application.commands.commands import Commands
from footfall.application.journal.interface_names import rule_document
from footfall.application.reports.goal_list import ReportQuery, list_goals
from footfall.application.reports.goal_values import goal_values
from footfall.application.reports.tables import goals_table, sessions_table
from footfall.domain.exceptions import GoalNotFound
from footfall.domain.goals.goal import GoalQuery, Rule, define
from footfall.domain.traffic.conversion import GoalOrder, parse_goal_order

PAGE_SIZE = 20
SESSIONS_PAGE_SIZE = 25


@frozen
class Goals:
    """GET and POST /api/sites/<site_id>/goals."""

    access_get = Access.READER
    access_post = Access.MEMBER

    _gatekeeper: Gatekeeper
    _commands: Commands
    _reports: ReportContext

    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Answer with one page of the goals and what they counted in the period, the newest first."""
        reader = await self._reports.reader(req, self.access_get, site)
        own = ("page", "limit", "page_size", "sort", "order", "search")
        parameters = ReportParameters(req, reader, now=self._reports.clock.now(), own=own)
        query = parameters.query()
        order = parameters.read(parse_goal_order, GoalOrder())
        choice = parameters.search()
        page = parameters.page(size=PAGE_SIZE, size_names=("limit", "page_size"))
        parameters.check()
        is_cheap = await self._is_cheap(reader, parameters, query)
        async with self._reports.opened(
            resp, reader, parameters, query.period, is_cheap=is_cheap
        ) as answering:
            every = answering.directory.goals_of(reader.site_id)
            goals = [one for one in every if choice.is_in(one.goal.name)]
            reports = await list_goals(
                goals, answering.reports.goals, reader.site_id, query, order=order, page=page
            )
            record = answering.directory.site(str(reader.site_id))
            currencies = {} if record is None else record.site.currencies
            # The columns of a CSV file are the same for all goals, whatever their events hold.
            values = [
                await goal_values(
                    answering.reports.properties, reader.site_id, one.goal.rule, currencies, query
                )
                for one in ([] if parameters.csv else reports)
            ]
        if parameters.csv:
            answer_csv(resp, goals_table(reports))
            return
        data = [goal_report_body(one, of_goal) for one, of_goal in zip(reports, values, strict=True)]
        body = {"data": data, "meta": page_meta(page, len(goals))}
        answer(resp, falcon.HTTP_200, body)

    async def _is_cheap(self, reader: Reader, parameters: ReportParameters, query: ReportQuery) -> bool:
        """Whether the store has counted everything that the list says."""
        record = self._reports.directory.site(str(reader.site_id))
        # The values of goals are read from the properties of events.
        has_values = not parameters.csv and record is not None and bool(record.site.currencies)
        if query.filters or has_values or reader.as_of is not None:
            return False
        goals = [one.query for one in reader.goals]
        return await self._reports.present.goals.are_counted(reader.site_id, goals, query.period)

    async def on_post(self, req: Request, resp: Response, site: str) -> None:
        """Define a goal."""
        grant = await self._gatekeeper.admit(self.access_post, site, credentials(req))
        name, rule = goal_definition(await json_object(req))
        goal_id = await self._commands.goals.define(
            grant.site_id,
            name=name,
            rule=rule,
            context=command_context(req, grant.actor),
        )
        answer(resp, falcon.HTTP_201, {"success": True, "goalId": goal_id})


@frozen
class GoalDetail:
    """PUT and DELETE /api/sites/<site_id>/goals/<goal_id>."""

    access_put = Access.MEMBER
    access_delete = Access.MEMBER

    _gatekeeper: Gatekeeper
    _commands: Commands

    async def on_put(self, req: Request, resp: Response, site: str, goal: str) -> None:
        """Replace a goal as a whole."""
        grant = await self._gatekeeper.admit(self.access_put, site, credentials(req))
        name, rule = goal_definition(await json_object(req))
        number = goal_id(goal)
        await self._commands.goals.redefine(
            grant.site_id,
            number,
            name=name,
            rule=rule,
            context=command_context(req, grant.actor),
        )
        answer(resp, falcon.HTTP_200, {"success": True, "goalId": number})

    async def on_delete(self, req: Request, resp: Response, site: str, goal: str) -> None:
        """Delete a goal for good."""
        grant = await self._gatekeeper.admit(self.access_delete, site, credentials(req))
        await self._commands.goals.delete(grant.site_id, goal_id(goal), command_context(req, grant.actor))
        answer(resp, falcon.HTTP_200, {"success": True})


@frozen
class GoalSessions:
    """GET /api/sites/<site_id>/goals/<goal_id>/sessions."""

    access_get = Access.READER

    _reports: ReportContext

    async def on_get(self, req: Request, resp: Response, site: str, goal: str) -> None:
        """Answer with one page of the sessions that completed the goal, the latest end first."""
        reader = await self._reports.reader(req, self.access_get, site)
        number = goal_id(goal)
        own = ("search", "page", "limit")
        parameters = ReportParameters(req, reader, now=self._reports.clock.now(), own=own)
        choice = parameters.search()
        query, page = parameters.query(), parameters.page(size=SESSIONS_PAGE_SIZE)
        parameters.check()
        async with self._reports.opened(resp, reader, parameters, query.period) as answering:
            record = answering.directory.goal(number)
            if record is None or record.goal.site_id != reader.site_id:
                raise GoalNotFound
            found = await answering.reports.goals.converted_sessions(
                reader.site_id, record.query, query.period, page, query.filters, choice=choice
            )
        if parameters.csv:
            answer_csv(resp, sessions_table(found.sessions, reader))
            return
        body = {
            "data": [reader.shown(session_body(one)) for one in found.sessions],
            "meta": page_meta(page, found.total),
        }
        answer(resp, falcon.HTTP_200, body)


@frozen
class GoalPreview:
    """POST /api/sites/<site_id>/goals/preview.

    For members only: it belongs to defining a goal, and costs more than a report of stored conversions.
    """

    access_post = Access.MEMBER

    _reports: ReportContext

    async def on_post(self, req: Request, resp: Response, site: str) -> None:
        """Answer with the conversions that the goal would have in the period; save nothing."""
        reader = await self._reports.reader(req, self.access_post, site)
        parameters = ReportParameters(req, reader, now=self._reports.clock.now())
        query = parameters.query()
        parameters.check()
        name, rule = goal_definition(await json_object(req))
        async with self._reports.opened(resp, reader, parameters, query.period) as answering:
            [conversions] = await answering.reports.goals.count_conversions(
                reader.site_id, [GoalQuery(rule)], query.period, query.filters
            )
        data = {"name": name_of(name, rule), **rule_document(rule), **conversions_body(conversions)}
        answer(resp, falcon.HTTP_200, {"data": data})


def goal_id(text: str) -> int:
    """Return the id of a goal as a path names it.

    Raises:
        GoalNotFound: it is not a number, or too large for an id.

    """
    number = identifier(text)
    if number is None:
        raise GoalNotFound
    return number


def name_of(name: str | None, rule: Rule) -> str:
    """Return the name that a goal would get.

    Raises:
        Invalid: the goal could not have it.

    """
    [defined] = define(0, site_id=0, name=name, rule=rule)
    return str(getattr(defined, "name", ""))
