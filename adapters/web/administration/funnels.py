"""Funnel pages: the list of funnels, and the form that adds, previews or changes one."""

import json
import re
from collections.abc import Sequence
from functools import partial
from hashlib import blake2b
from types import MappingProxyType
from typing import Any

import falcon
from attrs import frozen
from falcon.asgi import Request, Response

from footfall.adapters.web.administration.change_preview import WhatIfs
from footfall.adapters.web.lists import list_page
from footfall.adapters.web.rendering import DashboardPage
from footfall.adapters.web.services import Dashboard
from footfall.adapters.web.session.forms import Confirmation, Form, asked, lead_to_answer, refusal_page
from footfall.adapters.web.session.refused_forms import ShowsRefusedForms
from footfall.application.access.authorization import Access
from footfall.application.access.exclusions import exclusion_filters
from footfall.application.journal.directory_records import FunnelRecord, SiteRecord
from footfall.application.journal.interface_documents import step_document
from footfall.application.languages.language import tr
from footfall.application.reports.catalogue.funnels import funnel_at
from footfall.domain.exceptions import Conflict, Invalid, require_valid
from footfall.domain.funnel_reports.funnel_report import StepProgress
from footfall.domain.funnels.checking import check_plan, countable_steps, step_names
from footfall.domain.funnels.funnel import MAX_STEPS, Funnel, FunnelPlan, GoalStep, Step, funnel_plan
from footfall.domain.goals.goal import EventRule, PathRule, describe, event_rule, path_rule
from footfall.domain.periods.report_period import last_30_days
from footfall.domain.traffic.report_query import ReportQuery

# Actions that change nothing, whose answers have addresses, and the places of these answers on the page.
_ANSWERED = MappingProxyType({"preview": "", "what-if": "#what-if"})
_GOAL = re.compile(r"goal:([1-9][0-9]{0,17})")
_KEPT = re.compile(r"kept:([0-7])")
_FIELD = re.compile(r"steps\[([0-7])\]\.?(.*)")


class FunnelChanged(Conflict):
    """A form keeps a step of a funnel whose steps are others by now."""

    message = "This funnel was changed meanwhile; the form shows its saved steps"


@frozen
class _Preview:
    names: Sequence[str]
    steps: Sequence[StepProgress]


@frozen
class FunnelsPage(ShowsRefusedForms, DashboardPage):
    """GET and POST /sites/<site_id>/funnels."""

    access_get = access_post = Access.MEMBER

    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Show the funnels and an empty form, or the preview that the query asks for."""
        record = await self._access.authorize_site(self.access_get, site, req)
        form = asked(req)
        if form.text("action") == "preview":
            await self._show_preview(req, resp, record, form)
            return
        await self._render(req, resp, record, form={}, done=req.get_param("done"))

    async def on_post(self, req: Request, resp: Response, site: str) -> None:
        """Add a funnel, or lead to its preview when `action` is "preview"."""
        record, form = await self._access.form_for_site(self.access_post, site, req)
        if form.text("action") == "preview":
            lead_to_answer(req, form)
            await self._show_preview(req, resp, record, form)
            return
        try:
            plan = plan_of(form)
            await self._services.commands.funnels.define(record.site.site_id, plan, form.context)
        except (Invalid, Conflict) as refusal:
            await self._render(req, resp, record, form=form.values, **_refused(refusal))
            return
        raise falcon.HTTPSeeOther(f"/sites/{record.site.site_id}/funnels?done=added")

    async def _show_preview(self, req: Request, resp: Response, record: SiteRecord, form: Form) -> None:
        try:
            preview = await previewed(self._services, record, plan_of(form))
        except (Invalid, Conflict) as refusal:
            await self._render(req, resp, record, form=form.values, **_refused(refusal))
            return
        await self._render(req, resp, record, form=form.values, preview=preview)

    async def _render(self, req: Request, resp: Response, record: SiteRecord, **values: Any) -> None:
        site_id, directory = record.site.site_id, self._services.directory
        goals = [goal_record.goal for goal_record in directory.goals_of(site_id)]
        names = {goal.goal_id: goal.name for goal in goals}
        newest = [
            (funnel_record, step_names(funnel_record.funnel.plan, names))
            for funnel_record in directory.funnels_of(site_id)
        ][::-1]
        funnels = list_page(req, newest, lambda row: row[0].funnel.plan.name)
        shown = {"done": None, "preview": None, "kept_steps": {}, "former": None, **values}
        await self.renderer.render(
            req, resp, "funnels.html", record=record, funnels=funnels, goals=goals, steps=MAX_STEPS, **shown
        )


@frozen
class FunnelPage(ShowsRefusedForms, DashboardPage):
    """GET and POST /sites/<site_id>/funnels/<funnel_id>: one funnel and its form."""

    access_get = access_post = Access.MEMBER

    async def on_get(self, req: Request, resp: Response, site: str, funnel: int) -> None:
        """Show the funnel in its form, or the preview or what-if that the query asks for."""
        record = await self._access.authorize_site(self.access_get, site, req)
        funnel_record = funnel_at(self._services.directory, record.site.site_id, funnel)
        form = asked(req)
        if form.text("action") in _ANSWERED:
            await self._answer(req, resp, record, funnel_record, form)
            return
        await self._render(req, resp, record, funnel_record, form=_form_of(funnel_record.funnel.plan))

    async def on_post(self, req: Request, resp: Response, site: str, funnel: int) -> None:
        """Change or delete the funnel, or lead to a preview or a what-if, as `action` says."""
        record, form = await self._access.form_for_site(self.access_post, site, req)
        funnel_record = funnel_at(self._services.directory, record.site.site_id, funnel)
        if form.text("action") in _ANSWERED:
            lead_to_answer(req, form, place=_ANSWERED[form.text("action")])
            await self._answer(req, resp, record, funnel_record, form)
            return
        try:
            if form.text("action") == "delete":
                form.require_confirmation(_deletion(funnel_record.funnel))
                await self._services.commands.funnels.delete(record.site.site_id, funnel, form.context)
                raise falcon.HTTPSeeOther(f"/sites/{record.site.site_id}/funnels?done=deleted")
            plan = plan_of(form, funnel_record.funnel.plan)
            await self._services.commands.funnels.redefine(record.site.site_id, funnel, plan, form.context)
        except (Invalid, Conflict) as refusal:
            shown = _refused_change(refusal, form, funnel_record.funnel.plan)
            await self._render(req, resp, record, funnel_record, **shown)
            return
        raise falcon.HTTPSeeOther(f"/sites/{record.site.site_id}/funnels?done=changed")

    async def _answer(
        self, req: Request, resp: Response, record: SiteRecord, funnel_record: FunnelRecord, form: Form
    ) -> None:
        """Show the preview or the what-if that a form asks for, in which nothing changes."""
        former = funnel_record.funnel.plan
        shown: dict[str, Any] = {"form": form.values}
        try:
            plan = plan_of(form, former)
            if form.text("action") == "preview":
                shown["preview"] = await previewed(self._services, record, plan)
            else:
                shown["tried"] = await WhatIfs(self._services).of_funnel(record, former, plan, form.values)
        except (Invalid, Conflict) as refusal:
            shown = _refused_change(refusal, form, former)
        await self._render(req, resp, record, funnel_record, **shown)

    async def _render(
        self, req: Request, resp: Response, record: SiteRecord, funnel_record: FunnelRecord, **values: Any
    ) -> None:
        goals = [goal_record.goal for goal_record in self._services.directory.goals_of(record.site.site_id)]
        kept_steps = {
            f"kept:{index}": f"{tr('Page') if isinstance(step, PathRule) else tr('Event')} {describe(step)}"
            for index, step in enumerate(funnel_record.funnel.plan.steps)
            if not isinstance(step, GoalStep) and step.property_key is not None
        }
        shown = {
            "preview": None,
            "tried": None,
            "kept_steps": kept_steps,
            "former": _digest(funnel_record.funnel.plan),
            "goals": goals,
            "steps": MAX_STEPS,
            **values,
        }
        await self.renderer.render(
            req, resp, "funnel.html", record=record, funnel=funnel_record.funnel, **shown
        )


def plan_of(form: Form, former: FunnelPlan | None = None) -> FunnelPlan:
    """Return the plan that a form describes; steps that a form cannot show are kept from the former plan.

    Raises:
        Invalid: a part is missing or breaks a rule; the errors name the fields of the form.
        FunnelChanged: it keeps a step of a former plan with other steps.

    """
    if former is not None and _keeps_steps(form) and form.text("former") != _digest(former):
        raise FunnelChanged
    errors: dict[str, list[str]] = {}
    steps = []
    for number in range(1, MAX_STEPS + 1):
        try:
            steps += _steps(form, number, former)
        except Invalid as refusal:
            errors[f"value{number}"] = refusal.messages
    days = form.text("withinDays")
    if days and not (days.isascii() and days.isdecimal() and len(days) <= 3):  # noqa: PLR2004
        errors["withinDays"] = ["must be a whole number of days"]
    require_valid(errors)
    return funnel_plan(form.text("name"), steps, int(days) if days else None)


async def previewed(services: Dashboard, record: SiteRecord, plan: FunnelPlan) -> _Preview:
    """Return the progress that a funnel would have in the last 30 days.

    Raises:
        Invalid: the site cannot count it, or a pattern takes too long.

    """
    site = record.site
    goals = [goal_record.goal for goal_record in services.directory.goals_of(site.site_id)]
    rules = {goal.goal_id: goal.rule for goal in goals}
    check_plan(plan, rules, reach=site.config.visitor_reach)
    steps = countable_steps(plan, rules, reach=site.config.visitor_reach)
    await services.freshness.catch_up(site.site_id)
    period = last_30_days(services.clock.now(), site.zone).period
    filters = exclusion_filters(site.exclusions, services.expressions)
    progress = await services.reports.funnels.progress(site.site_id, steps, ReportQuery(period, filters))
    return _Preview(step_names(plan, {goal.goal_id: goal.name for goal in goals}), progress)


def _steps(form: Form, number: int, former: FunnelPlan | None) -> list[Step]:
    """Return the step of a row of the form, none when the row is empty."""
    kind, value = form.text(f"step{number}"), form.text(f"value{number}")
    if goal := _GOAL.fullmatch(kind):
        return [GoalStep(int(goal[1]))]
    if (place := _KEPT.fullmatch(kind)) and former is not None and int(place[1]) < len(former.steps):
        return [former.steps[int(place[1])]]
    if kind == "path" and value:
        return [path_rule(value)]
    if value and not kind:
        raise Invalid({"kind": ["choose a page, a custom event or a goal for this step"]})
    return [event_rule(value)] if kind == "event" and value else []


def _keeps_steps(form: Form) -> bool:
    return any(_KEPT.fullmatch(form.text(f"step{number}")) for number in range(1, MAX_STEPS + 1))


def _digest(plan: FunnelPlan) -> str:
    """Return what tells the steps of a plan from others; steps that a form keeps are known by their places alone."""
    steps = json.dumps([step_document(step) for step in plan.steps], sort_keys=True)
    return blake2b(steps.encode(), digest_size=8).hexdigest()


def _form_of(plan: FunnelPlan) -> dict[str, Any]:
    values = {"name": plan.name, "withinDays": "" if plan.within_days is None else str(plan.within_days)}
    for number, step in enumerate(plan.steps, start=1):
        match step:
            case GoalStep(goal_id):
                values[f"step{number}"] = f"goal:{goal_id}"
            case PathRule(pattern, None):
                values |= {f"step{number}": "path", f"value{number}": pattern}
            case EventRule(name, None):
                values |= {f"step{number}": "event", f"value{number}": name}
            case PathRule() | EventRule():
                values[f"step{number}"] = f"kept:{number - 1}"
    return values


def _field_of(name: str) -> str:
    """Return the field of the form that an error is about; an exclusion rule that is refused stands above the form."""
    if step := _FIELD.fullmatch(name):
        return f"value{int(step[1]) + 1}"
    return "funnel" if name == "excluded" else name


_refused = partial(refusal_page, whole="funnel", field_of=_field_of)


def _refused_change(refusal: Invalid | Conflict, form: Form, former: FunnelPlan) -> dict[str, Any]:
    """Return what `refusal_page` does, with the form as it was sent, or as saved when it was made from other steps."""
    values = _form_of(former) if isinstance(refusal, FunnelChanged) else form.values
    return {"form": values, **_refused(refusal)}


def _deletion(funnel: Funnel) -> Confirmation:
    return Confirmation(
        question=tr("Delete the funnel “{name}”?", name=funnel.plan.name),
        consequence="The funnel is permanently deleted; visitor data is kept.",
        button="Delete funnel",
        cancel=f"/sites/{funnel.site_id}/funnels/{funnel.funnel_id}",
    )
