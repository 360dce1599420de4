"""Goals for people: what is defined, and the form that defines it."""

from typing import Any

import falcon
from falcon.asgi import Request, Response

from footfall.adapters.web.door import Door
from footfall.adapters.web.forms import Form
from footfall.adapters.web.pages import Pages, page
from footfall.application.access import Access
from footfall.application.commands import Commands
from footfall.application.directory import Directory, ListedGoal, ListedSite
from footfall.domain.errors import Conflict, GoalNotFound, Invalid
from footfall.domain.goal import PathRule, Rule, event_rule, path_rule


class GoalChanged(Conflict):
    """Somebody has changed the goal since the form was loaded."""

    def __init__(self) -> None:
        super().__init__("Somebody has changed this goal meanwhile: save once more to replace what they did")


class Goals:
    """GET and POST /sites/<site_id>/goals."""

    access_get = Access.MEMBER
    access_post = Access.MEMBER

    def __init__(self, pages: Pages, door: Door, directory: Directory, commands: Commands) -> None:
        self.pages = pages
        self._door = door
        self._directory = directory
        self._commands = commands

    @page
    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Show the goals and an empty form."""
        listed = await self._door.site(self.access_get, site, req)
        form = {"goalType": req.get_param("goalType") or "path"}
        await self._show(req, resp, listed, form=form, done=req.get_param("done"))

    @page
    async def on_post(self, req: Request, resp: Response, site: str) -> None:
        """Define a goal."""
        form = await self._door.form(req)
        listed = await self._door.site(self.access_post, site, req)
        site_id, cause = listed.site.site_id, await self._door.cause(req)
        try:
            name, rule = form.text("name") or None, rule_of(form)
            await self._commands.define_goal(site_id, name=name, rule=rule, cause=cause)
        except (Invalid, Conflict) as refusal:
            await self._show(req, resp, listed, form=form.values, **refused(refusal))
            return
        raise falcon.HTTPSeeOther(f"/sites/{site_id}/goals?done=defined")

    async def _show(self, req: Request, resp: Response, listed: ListedSite, **values: Any) -> None:
        values.setdefault("done", None)
        goals = self._directory.goals_of(listed.site.site_id)
        await self.pages.show(req, resp, "goals.html", listed=listed, goals=goals, **values)


class GoalPage:
    """GET and POST /sites/<site_id>/goals/<goal_id>: one goal and its form."""

    access_get = Access.MEMBER
    access_post = Access.MEMBER

    def __init__(self, pages: Pages, door: Door, directory: Directory, commands: Commands) -> None:
        self.pages = pages
        self._door = door
        self._directory = directory
        self._commands = commands

    @page
    async def on_get(self, req: Request, resp: Response, site: str, goal: int) -> None:
        """Show the goal in its form."""
        listed = await self._door.site(self.access_get, site, req)
        found = self._goal(listed, goal)
        await self._show(req, resp, listed, goal=found.goal, form=form_of(found))

    @page
    async def on_post(self, req: Request, resp: Response, site: str, goal: int) -> None:
        """Replace the goal, or delete it: `action` says which."""
        form = await self._door.form(req)
        listed = await self._door.site(self.access_post, site, req)
        found = self._goal(listed, goal)
        try:
            done = await self._change(req, found, form)
        except GoalChanged as refusal:
            # What is shown from now on is seen: saving once more is meant.
            values = {**form.values, "version": _version(found)}
            await self._show(req, resp, listed, goal=found.goal, form=values, **refused(refusal))
            return
        except (Invalid, Conflict) as refusal:
            await self._show(req, resp, listed, goal=found.goal, form=form.values, **refused(refusal))
            return
        raise falcon.HTTPSeeOther(f"/sites/{listed.site.site_id}/goals?done={done}")

    async def _change(self, req: Request, found: ListedGoal, form: Form) -> str:
        goal, cause = found.goal, await self._door.cause(req)
        if form.text("action") == "delete":
            await self._commands.delete_goal(goal.site_id, goal.goal_id, cause)
            return "deleted"
        if form.raw("version") not in {"", _version(found)}:
            raise GoalChanged
        name, rule = form.text("name") or None, rule_of(form)
        await self._commands.redefine_goal(goal.site_id, goal.goal_id, name=name, rule=rule, cause=cause)
        return "changed"

    def _goal(self, listed: ListedSite, goal_id: int) -> ListedGoal:
        found = self._directory.goal(goal_id)
        if found is None or found.goal.site_id != listed.site.site_id:
            raise GoalNotFound
        return found

    async def _show(self, req: Request, resp: Response, listed: ListedSite, **values: Any) -> None:
        await self.pages.show(req, resp, "goal.html", listed=listed, **values)


def rule_of(form: Form) -> Rule:
    """Return the rule that a form describes.

    Raises:
        Invalid: a part is missing or breaks a rule; faults are named as the HTTP interface names its fields.

    """
    if form.text("goalType") != "event":
        return path_rule(form.text("pathPattern"))
    key, value = form.text("eventPropertyKey") or None, form.raw("eventPropertyValue") or None
    return event_rule(form.text("eventName"), key, value)


def form_of(found: ListedGoal) -> dict[str, Any]:
    """Return the fields that describe a goal, and in which version."""
    goal, rule = found.goal, found.goal.rule
    known = {"name": goal.name, "version": _version(found)}
    if isinstance(rule, PathRule):
        return {**known, "goalType": "path", "pathPattern": rule.path_pattern}
    value = rule.property_value
    shown = "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
    return {
        **known,
        "goalType": "event",
        "eventName": rule.event_name,
        "eventPropertyKey": rule.property_key or "",
        "eventPropertyValue": shown,
    }


def refused(refusal: Invalid | Conflict) -> dict[str, Any]:
    """Return the status and the faults with which a form is shown again."""
    if isinstance(refusal, Conflict):
        return {"status": falcon.HTTP_409, "faults": {"goal": [refusal.message]}}
    faults = {name.removeprefix("config."): messages for name, messages in refusal.faults.items()}
    return {"status": falcon.HTTP_400, "faults": faults}


def _version(found: ListedGoal) -> str:
    # The position is that of the rule: another name alone leaves it.
    return f"{found.defined_at_position} {found.goal.name}"
