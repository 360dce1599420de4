"""Goal pages: the list of goals, and the form that adds or changes one."""

from collections import Counter
from functools import partial
from types import MappingProxyType
from typing import Any

import falcon
from attrs import evolve, frozen
from falcon.asgi import Request, Response

from footfall.adapters.web.administration.change_preview import WhatIfs
from footfall.adapters.web.lists import list_page
from footfall.adapters.web.rendering import DashboardPage
from footfall.adapters.web.session.access import SentForm
from footfall.adapters.web.session.forms import Confirmation, Form, asked, lead_to_answer, refusal_page
from footfall.adapters.web.session.refused_forms import ShowsRefusedForms
from footfall.application.access.authorization import Access
from footfall.application.journal.directory_records import GoalRecord, SiteRecord
from footfall.application.languages.language import tr
from footfall.application.reports.catalogue.goals import goal_at
from footfall.domain.exceptions import Conflict, Invalid
from footfall.domain.goals.goal import (
    EventRule,
    Goal,
    PageGroupRule,
    PathRule,
    Rule,
    Scalar,
    event_rule,
    group_rule,
    path_rule,
)
from footfall.domain.goals.value import Marks, money_of
from footfall.domain.sites.site import Site

# The fields of the form that have other names than those of the HTTP interface.
# An exclusion rule that is refused stands above the form.
_FIELDS = MappingProxyType(
    {"value.property": "valueProperty", "value.currency": "valueCurrency", "excluded": "goal"}
)

# The action that changes nothing, whose answer has an address.
_WHAT_IF = "what-if"


class GoalChanged(Conflict):
    """The goal has changed since the form was loaded."""

    def __init__(self) -> None:
        super().__init__("This goal has changed since you opened it. Save again to replace the new version")


@frozen
class GoalsPage(ShowsRefusedForms, DashboardPage):
    """GET and POST /sites/<site_id>/goals."""

    access_get = access_post = Access.MEMBER

    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Show the goals and an empty form."""
        record = await self._access.authorize_site(self.access_get, site, req)
        usual = Counter(record.site.currencies.values()).most_common(1) or [("", 0)]
        form = {"goalType": req.get_param("goalType") or "path", "valueCurrency": usual[0][0]}
        await self._render(req, resp, record, form=form, done=req.get_param("done"))

    async def on_post(self, req: Request, resp: Response, site: str) -> None:
        """Add a goal."""
        record, form = await self._access.form_for_site(self.access_post, site, req)
        site_id = record.site.site_id
        try:
            name, rule = form.text("name") or None, rule_of(form)
            await self._services.commands.goals.define(
                site_id, name=name, rule=rule, context=form.context, marks=marks_of(form, rule)
            )
        except (Invalid, Conflict) as refusal:
            await self._render(req, resp, record, form=form.values, **_refused(refusal))
            return
        raise falcon.HTTPSeeOther(f"/sites/{site_id}/goals?done=added")

    async def _render(self, req: Request, resp: Response, record: SiteRecord, **values: Any) -> None:
        values.setdefault("done", None)
        newest = list(self._services.directory.goals_of(record.site.site_id))[::-1]
        values["goals"] = list_page(req, newest, lambda goal_record: goal_record.goal.name)
        values["money"] = {
            goal_record.goal.goal_id: money_of(goal_record.goal.rule, record.site.currencies)
            for goal_record in values["goals"].items
        }
        values["set_aside"] = await self._services.reports.goals.set_aside(record.site.site_id)
        await self.renderer.render(req, resp, "goals.html", record=record, **values)


@frozen
class GoalPage(ShowsRefusedForms, DashboardPage):
    """GET and POST /sites/<site_id>/goals/<goal_id>: one goal and its form."""

    access_get = access_post = Access.MEMBER

    async def on_get(self, req: Request, resp: Response, site: str, goal: int) -> None:
        """Show the goal in its form, or the what-if that the query asks for."""
        record = await self._access.authorize_site(self.access_get, site, req)
        goal_record, form = goal_at(self._services.directory, record.site.site_id, goal), asked(req)
        if form.text("action") == _WHAT_IF:
            await self._answer(req, resp, record, goal_record.goal, form)
            return
        await self._render(req, resp, record, goal=goal_record.goal, form=form_of(goal_record, record.site))

    async def on_post(self, req: Request, resp: Response, site: str, goal: int) -> None:
        """Change or delete the goal, or lead to what a change would do, as `action` says."""
        record, form = await self._access.form_for_site(self.access_post, site, req)
        goal_record = goal_at(self._services.directory, record.site.site_id, goal)
        if form.text("action") == _WHAT_IF:
            lead_to_answer(req, form, place="#what-if")
            await self._answer(req, resp, record, goal_record.goal, form)
            return
        try:
            done = await self._change(goal_record, form)
        except GoalChanged as refusal:
            # The reader sees the new version with this page, so that the next save may replace it.
            values = {**form.values, "version": _version(goal_record)}
            await self._render(req, resp, record, goal=goal_record.goal, form=values, **_refused(refusal))
            return
        except (Invalid, Conflict) as refusal:
            await self._render(
                req, resp, record, goal=goal_record.goal, form=form.values, **_refused(refusal)
            )
            return
        raise falcon.HTTPSeeOther(f"/sites/{record.site.site_id}/goals?done={done}")

    async def _answer(self, req: Request, resp: Response, record: SiteRecord, goal: Goal, form: Form) -> None:
        """Show the what-if that a form asks for, in which nothing changes."""
        shown: dict[str, Any] = {}
        try:
            after = _with_kept_value(rule_of(form), goal.rule)
            shown = {"tried": await WhatIfs(self._services).of_goal(record, goal.rule, after, form.values)}
        except (Invalid, Conflict) as refusal:
            shown = _refused(refusal)
        await self._render(req, resp, record, goal=goal, form=form.values, **shown)

    async def _change(self, goal_record: GoalRecord, form: SentForm) -> str:
        goal, goals = goal_record.goal, self._services.commands.goals
        if form.text("action") == "delete":
            form.require_confirmation(_deletion(goal))
            await goals.delete(goal.site_id, goal.goal_id, form.context)
            return "deleted"
        if form.raw("version") not in {"", _version(goal_record)}:
            raise GoalChanged
        name, rule = form.text("name") or None, _with_kept_value(rule_of(form), goal.rule)
        marks = marks_of(form, rule, goal.rule)
        await goals.redefine(
            goal.site_id, goal.goal_id, name=name, rule=rule, context=form.context, marks=marks
        )
        return "changed"

    async def _render(self, req: Request, resp: Response, record: SiteRecord, **values: Any) -> None:
        await self.renderer.render(req, resp, "goal.html", record=record, **{"tried": None, **values})


def rule_of(form: Form) -> Rule:
    """Return the rule that a form describes.

    Raises:
        Invalid: a part is missing or breaks a rule; fields have the names of the HTTP interface.

    """
    if form.text("goalType") == "page_group":
        return group_rule(form.text("pageGroup"))
    kind = "event" if form.text("goalType") == "event" else "page"
    key, value = form.text(f"{kind}PropertyKey") or None, form.raw(f"{kind}PropertyValue") or None
    if kind == "page":
        return path_rule(form.text("pathPattern"), key, value)
    return event_rule(form.text("eventName"), key, value)


def marks_of(form: Form, rule: Rule, former: Rule | None = None) -> Marks:
    """Return what a form changed about the money in the events of a goal.

    The hidden field `formerValue` has the property and the currency that the form was opened with: only what was
    changed in the form is changed, and the former property is no money any more where another or none took its place.
    """
    if not isinstance(rule, EventRule):
        return ()
    currency_before, _, key_before = form.raw("formerValue").partition(" ")
    if not isinstance(former, EventRule) or former.event_name != rule.event_name:
        key_before = currency_before = ""
    key = form.raw("valueProperty")
    key = key if key == key_before else key.strip()
    currency = form.text("valueCurrency").upper()
    if key == key_before and (not key or currency == currency_before):
        return ()
    removed: list[tuple[str, str | None]] = [(key_before, None)] if key_before not in ("", key) else []
    return [*removed, *([(key, currency)] if key else [])]


def form_of(goal_record: GoalRecord, site: Site) -> dict[str, Any]:
    """Return the fields of a goal's form, with its version, and with the first property of its events that is money."""
    goal, rule = goal_record.goal, goal_record.goal.rule
    fields = {"name": goal.name, "version": _version(goal_record)}
    if isinstance(rule, PageGroupRule):
        return {**fields, "goalType": "page_group", "pageGroup": rule.group}
    key, value = rule.property_key or "", _value_text(rule.property_value)
    if isinstance(rule, PathRule):
        properties = {"pagePropertyKey": key, "pagePropertyValue": value}
        return {**fields, "goalType": "path", "pathPattern": rule.path_pattern, **properties}
    properties = {"eventPropertyKey": key, "eventPropertyValue": value}
    return {
        **fields,
        "goalType": "event",
        "eventName": rule.event_name,
        **properties,
        **_value_fields(rule, site),
    }


def _value_fields(rule: Rule, site: Site) -> dict[str, str]:
    # A field has one line: a property whose name has several is changed on its own page.
    of_one_line = [pair for pair in money_of(rule, site.currencies) if pair[0].splitlines() == [pair[0]]]
    if not of_one_line:
        return {}
    key, currency = of_one_line[0]
    return {"valueProperty": key, "valueCurrency": currency, "formerValue": f"{currency} {key}"}


def _field_of(name: str) -> str:
    return _FIELDS.get(name, name.removeprefix("config."))


_refused = partial(refusal_page, whole="goal", field_of=_field_of)


def _deletion(goal: Goal) -> Confirmation:
    return Confirmation(
        question=tr("Delete the goal “{name}”?", name=goal.name),
        consequence="The goal is permanently deleted; visitor data is kept.",
        button="Delete goal",
        cancel=f"/sites/{goal.site_id}/goals/{goal.goal_id}",
    )


def _value_text(value: Scalar | None) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None else str(value)


def _with_kept_value(rule: Rule, former: Rule) -> Rule:
    """Return a rule with the type of the former value where the value was not edited; forms send only texts."""
    if isinstance(rule, PageGroupRule) or isinstance(former, PageGroupRule):
        return rule
    unchanged = rule.property_value == _value_text(former.property_value)
    return evolve(rule, property_value=former.property_value) if unchanged else rule


def _version(goal_record: GoalRecord) -> str:
    # The position changes with the rule only, not with the name.
    return f"{goal_record.defined_at_position} {goal_record.goal.name}"
