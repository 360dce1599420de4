"""Goals over HTTP (interface, sections 2.1 and 4.2; decisions, section 3)."""

import falcon
from falcon.asgi import Request, Response

from footfall.adapters.http.bodies import json_object
from footfall.adapters.http.failures import answer
from footfall.adapters.http.goal_bodies import goal_definition
from footfall.adapters.http.parameters import identifier
from footfall.adapters.http.reading import Reading
from footfall.adapters.http.report_bodies import goal_report_body, page_meta
from footfall.adapters.http.report_parameters import ReportParameters
from footfall.adapters.http.requests import cause, credentials
from footfall.application.access import Access, Gatekeeper
from footfall.application.commands import Commands
from footfall.application.goal_list import list_goals
from footfall.domain.conversion import GoalOrder, parse_goal_order
from footfall.domain.errors import GoalNotFound
from footfall.domain.page import Page, parse_page

PAGE_SIZE = 20


class Goals:
    """GET and POST /api/sites/<site_id>/goals."""

    access_get = Access.READER
    access_post = Access.MEMBER

    def __init__(self, gatekeeper: Gatekeeper, commands: Commands, reading: Reading) -> None:
        self._gatekeeper = gatekeeper
        self._commands = commands
        self._reading = reading

    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Answer with one page of the goals and what they counted in the period, the newest first."""
        site_id = await self._reading.site_id(req, self.access_get, site)
        own = ("page", "limit", "page_size", "sort", "order")
        parameters = ReportParameters(req, now=self._reading.clock.now(), own=own)
        question = parameters.question()
        order = parameters.read(parse_goal_order, GoalOrder())
        page = parameters.read(
            lambda texts: parse_page(texts, size=PAGE_SIZE, size_names=("limit", "page_size")), Page(1, 1)
        )
        parameters.check()
        await self._reading.freshness.catch_up()
        goals = self._reading.directory.goals_of(site_id)
        reports = await list_goals(goals, self._reading.goals, site_id, question, order=order, page=page)
        body = {"data": [goal_report_body(one) for one in reports], "meta": page_meta(page, len(goals))}
        answer(resp, falcon.HTTP_200, body)

    async def on_post(self, req: Request, resp: Response, site: str) -> None:
        """Define a goal."""
        listed = await self._gatekeeper.site(self.access_post, site, credentials(req))
        caller = await self._gatekeeper.caller(credentials(req))
        name, rule = goal_definition(await json_object(req))
        goal_id = await self._commands.define_goal(
            listed.site.site_id, name=name, rule=rule, cause=cause(req, caller.actor)
        )
        answer(resp, falcon.HTTP_201, {"success": True, "goalId": goal_id})


class GoalDetail:
    """PUT and DELETE /api/sites/<site_id>/goals/<goal_id>."""

    access_put = Access.MEMBER
    access_delete = Access.MEMBER

    def __init__(self, gatekeeper: Gatekeeper, commands: Commands) -> None:
        self._gatekeeper = gatekeeper
        self._commands = commands

    async def on_put(self, req: Request, resp: Response, site: str, goal: str) -> None:
        """Replace a goal as a whole."""
        listed = await self._gatekeeper.site(self.access_put, site, credentials(req))
        caller = await self._gatekeeper.caller(credentials(req))
        name, rule = goal_definition(await json_object(req))
        number = goal_id(goal)
        await self._commands.redefine_goal(
            listed.site.site_id, number, name=name, rule=rule, cause=cause(req, caller.actor)
        )
        answer(resp, falcon.HTTP_200, {"success": True, "goalId": number})

    async def on_delete(self, req: Request, resp: Response, site: str, goal: str) -> None:
        """Delete a goal for good."""
        listed = await self._gatekeeper.site(self.access_delete, site, credentials(req))
        caller = await self._gatekeeper.caller(credentials(req))
        await self._commands.delete_goal(listed.site.site_id, goal_id(goal), cause(req, caller.actor))
        answer(resp, falcon.HTTP_200, {"success": True})


def goal_id(text: str) -> int:
    """Return the id of a goal as a path names it.

    Raises:
        GoalNotFound: it is no number, or one that no sequence reaches.

    """
    number = identifier(text)
    if number is None:
        raise GoalNotFound
    return number
