"""Goals over HTTP (interface, sections 2.1 and 4.2; decisions, section 3)."""

from typing import Any

import falcon
from falcon.asgi import Request, Response

from footfall.adapters.http.answers import timestamp
from footfall.adapters.http.bodies import json_object
from footfall.adapters.http.failures import answer
from footfall.adapters.http.goal_bodies import goal_definition
from footfall.adapters.http.parameters import Page, refuse_unknown
from footfall.adapters.http.requests import cause, credentials
from footfall.application.access import Access, Gatekeeper
from footfall.application.commands import Commands
from footfall.application.directory import Directory, ListedGoal
from footfall.domain.errors import GoalNotFound
from footfall.domain.goal import EventRule, PathRule, Rule

PAGE_SIZE = 20
MAX_PAGE_SIZE = 200


class Goals:
    """GET and POST /api/sites/<site_id>/goals."""

    access_get = Access.READER
    access_post = Access.MEMBER

    def __init__(self, gatekeeper: Gatekeeper, directory: Directory, commands: Commands) -> None:
        self._gatekeeper = gatekeeper
        self._directory = directory
        self._commands = commands

    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Answer with one page of the goals, the newest first."""
        await self._directory.catch_up()
        listed = await self._gatekeeper.site(self.access_get, site, credentials(req))
        refuse_unknown(req, Page.NAMES)
        page = Page.of(req, size=PAGE_SIZE, maximum=MAX_PAGE_SIZE)
        goals = self._directory.goals_of(listed.site.site_id)[::-1]
        body = {"data": [goal_body(goal) for goal in page.cut(goals)], "meta": page.meta(len(goals))}
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
        goal_id = _goal_id(goal)
        await self._commands.redefine_goal(
            listed.site.site_id, goal_id, name=name, rule=rule, cause=cause(req, caller.actor)
        )
        answer(resp, falcon.HTTP_200, {"success": True, "goalId": goal_id})

    async def on_delete(self, req: Request, resp: Response, site: str, goal: str) -> None:
        """Delete a goal for good."""
        listed = await self._gatekeeper.site(self.access_delete, site, credentials(req))
        caller = await self._gatekeeper.caller(credentials(req))
        await self._commands.delete_goal(listed.site.site_id, _goal_id(goal), cause(req, caller.actor))
        answer(resp, falcon.HTTP_200, {"success": True})


def goal_body(listed: ListedGoal) -> dict[str, Any]:
    """Return a goal as section 2.1 of the interface shows it, without the metrics of a period."""
    goal = listed.goal
    return {
        "goalId": goal.goal_id,
        "name": goal.name,
        "goalType": "path" if isinstance(goal.rule, PathRule) else "event",
        "config": _config(goal.rule),
        "createdAt": timestamp(listed.created_at),
    }


def _config(rule: Rule) -> dict[str, Any]:
    match rule:
        case PathRule(pattern):
            return {"pathPattern": pattern}
        case EventRule(name, None):
            return {"eventName": name}
        case EventRule(name, key, value):
            return {"eventName": name, "eventPropertyKey": key, "eventPropertyValue": value}


def _goal_id(text: str) -> int:
    # What is no number, or a number that no sequence reaches, names no goal.
    if not text.isascii() or not text.isdecimal() or len(text) > 18:  # noqa: PLR2004
        raise GoalNotFound
    return int(text)
