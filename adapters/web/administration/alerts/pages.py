"""The pages of alert rules: the list, and one rule with its firings."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import falcon
from attrs import frozen
from falcon.asgi import Request, Response

from footfall.adapters.web.administration.alerts.forms import CHOICES, AlertForms, form_of
from footfall.adapters.web.administration.alerts.topics import TOPICS
from footfall.adapters.web.administration.condition_fields import interpreted
from footfall.adapters.web.formatting import made
from footfall.adapters.web.lists import list_page
from footfall.adapters.web.rendering import DashboardPage, error_sentences
from footfall.adapters.web.session.access import SentForm
from footfall.adapters.web.session.forms import Confirmation, Form, FormResource, refusal_page
from footfall.adapters.web.session.shown_once import ShownOnce
from footfall.application.access.authorization import Access
from footfall.application.alerts.messages import bounds_text, value_text
from footfall.application.alerts.targets import AddedTarget
from footfall.application.journal.directory_records import SiteRecord
from footfall.application.languages.language import marked, tr
from footfall.domain.alerts.rules import AlertRule, TargetKind
from footfall.domain.exceptions import AlertTargetNotFound, Conflict, Invalid, existing
from footfall.domain.number import identifier

# What the form calls its fields, where a sentence names them.
_LABELS = marked({"value": "Limit", "deviations": "Tell of", "goalId": "Goal", "metric": "Figure"})


@frozen
class AlertsPage(AlertForms):
    """GET and POST /sites/<site_id>/alerts."""

    access_get = access_post = Access.MEMBER

    once: ShownOnce

    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Show the rules, the targets, and what a new rule can tell of, or the form of what `topic` chooses."""
        record = await self._access.authorize_site(self.access_get, site, req)
        secret = self.once.take(req, resp).get("secret")
        topic = TOPICS.get(req.get_param("topic") or "")
        form = None if topic is None else {**topic.proposal(), **self._only_target(record)}
        await self.render(req, resp, record, form=form, done=req.get_param("done"), secret=secret)

    async def on_post(self, req: Request, resp: Response, site: str) -> None:
        """Add a rule, or preview it, or add a filter to the form, when `action` says so."""
        record, form = await self._access.form_for_site(self.access_post, site, req)
        try:
            form = await interpreted(form, record.site, self._services)
            if (shown := await self.shown_again(record, form)) is not None:
                await self.render(req, resp, record, **shown)
                return
            await self._services.commands.alerts.define(record.site.site_id, self.plan(form), form.context)
        except (Invalid, Conflict) as refusal:
            await self.render(req, resp, record, form=form.values, **_refused(refusal))
            return
        raise falcon.HTTPSeeOther(f"/sites/{record.site.site_id}/alerts?done=added")

    async def render(
        self,
        req: Request,
        resp: Response,
        record: SiteRecord,
        *,
        form: Mapping[str, str] | None = None,
        **values: Any,
    ) -> None:
        """Show the page; without `form` with what a new rule can tell of."""
        site_id, services = record.site.site_id, self._services.alerts
        alerts, watches = self._services.directory.alerts(site_id), await services.watches.of_site(site_id)
        every = [
            (rule, self._services.directory.firings(site_id, number), watches.get(number))
            for number, rule in sorted(alerts.rules.items())
        ]
        rules = list_page(req, every, lambda entry: entry[0].plan.name)
        shown = {
            "secret": None,
            "target_form": {},
            "rules": rules,
            "sentences": {rule.number: self.sentence(site_id, rule.plan) for rule, _, _ in rules.items},
            "names": {target.number: target.name for target in alerts.targets.values()},
            "states": await services.targets.states(site_id),
            "kinds": list(TargetKind),
            **self.shown(record, form),
        }
        await self.renderer.render(req, resp, "alerts.html", record=record, **{**shown, **values})

    def _only_target(self, record: SiteRecord) -> dict[str, str]:
        """Return the checked box of the only target of a site; nothing where there are more of them, or none."""
        numbers = list(self._services.directory.alerts(record.site.site_id).targets)
        return {f"target-{numbers[0]}": "on"} if len(numbers) == 1 else {}


@frozen
class AlertPage(AlertForms):
    """GET and POST /sites/<site_id>/alerts/<number>: one rule, its form and its firings."""

    access_get = access_post = Access.MEMBER

    async def on_get(self, req: Request, resp: Response, site: str, alert: int) -> None:
        """Show the rule in its form, or in that of another `topic`, and its firings."""
        record = await self._access.authorize_site(self.access_get, site, req)
        rule = self._services.directory.alerts(record.site.site_id).rule(alert)
        form = form_of(rule.plan, req.get_param("topic"))
        await self._render(req, resp, record, rule, form=form, done=req.get_param("done"))

    async def on_post(self, req: Request, resp: Response, site: str, alert: int) -> None:
        """Change the rule, preview it, add a filter to the form, acknowledge a firing, or delete it: see `action`."""
        record, form = await self._access.form_for_site(self.access_post, site, req)
        rule = self._services.directory.alerts(record.site.site_id).rule(alert)
        try:
            form = await interpreted(form, record.site, self._services)
            needs_target = bool(rule.plan.targets)
            shown = (
                None if _decides(form) else await self.shown_again(record, form, needs_target=needs_target)
            )
            if shown is not None:
                await self._render(req, resp, record, rule, **shown)
                return
            done = await self._changed(form, record, rule)
        except (Invalid, Conflict) as refusal:
            await self._render(req, resp, record, rule, form=form.values, **_refused(refusal))
            return
        place = "" if done == "deleted" else f"/{alert}"
        raise falcon.HTTPSeeOther(f"/sites/{record.site.site_id}/alerts{place}?done={done}")

    async def _changed(self, form: SentForm, record: SiteRecord, rule: AlertRule) -> str:
        context, commands, site_id = form.context, self._services.commands.alerts, record.site.site_id
        if (firing := identifier(form.text("acknowledge"))) is not None:
            await commands.acknowledge(site_id, rule.number, firing, context)
            return "acknowledged"
        if form.text("action") == "delete":
            form.require_confirmation(_deletion(record, rule))
            await commands.delete(site_id, rule.number, context)
            return "deleted"
        await commands.redefine(site_id, rule.number, self.plan(form), context)
        return "changed"

    async def _render(
        self,
        req: Request,
        resp: Response,
        record: SiteRecord,
        rule: AlertRule,
        *,
        form: Mapping[str, str],
        **values: Any,
    ) -> None:
        site_id = record.site.site_id
        targets = self._services.directory.alerts(site_id).targets
        shown = {
            "rule": rule,
            "sentence": self.sentence(site_id, rule.plan),
            "names": {target.number: target.name for target in targets.values()},
            "firings": [
                (firing, value_text(firing.value), bounds_text(firing.lower, firing.upper))
                for firing in self._services.directory.firings(site_id, rule.number).newest_first()
            ],
            **self.shown(record, form),
        }
        await self.renderer.render(req, resp, "alert.html", record=record, **{**shown, **values})


@frozen
class AlertPreviewPanel(AlertForms):
    """GET /sites/<site_id>/alert-preview: when the rule of a form would have fired, as it is changed."""

    access_get = Access.MEMBER

    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Show the chart; a rule that is incomplete is no error, and needs no name yet."""
        record = await self._access.authorize_site(self.access_get, site, req)
        texts = {name: value for name, value in req.params.items() if isinstance(value, str)}
        values: dict[str, Any] = {"zone": record.site.zone, "errors": [], "preview": None, **CHOICES}
        try:
            named = Form({**texts, "name": texts.get("name", "").strip() or "Preview"})
            plan = self.plan(await interpreted(named, record.site, self._services))
            values["preview"] = await self.preview(record, plan)
        except Invalid as refusal:
            labelled = {tr(_LABELS.get(name, name)): errors for name, errors in refusal.field_errors.items()}
            values["errors"] = [*error_sentences(Invalid(labelled)), *map(made, refusal.form_errors)]
        except Conflict as refusal:
            values["errors"] = [made(refusal.message)]
        self.renderer.render_fragment(resp, "alert_preview.html", **values)


@frozen
class AlertTargetsForm(FormResource, DashboardPage):
    """POST /sites/<site_id>/alert-targets: adds, tests or removes a target."""

    page_of_form = "/sites/{site}/alerts"
    access_post = Access.ADMIN

    _page: AlertsPage

    async def on_post(self, req: Request, resp: Response, site: str) -> None:
        """Do what `action` says with the target that `target` names, or add one."""
        record, form = await self._access.form_for_site(self.access_post, site, req)
        targets = self._services.alerts.targets
        site_id, action = record.site.site_id, form.text("action")
        try:
            if action == "test":
                await targets.test(record, _target(form))
                raise falcon.HTTPSeeOther(f"/sites/{site_id}/alerts?done=tested")
            if action == "remove":
                await targets.remove(site_id, _target(form), form.context)
                raise falcon.HTTPSeeOther(f"/sites/{site_id}/alerts?done=removed")
            added = await self._added(form, record)
        except (Invalid, Conflict) as refusal:
            await self._page.render(req, resp, record, target_form=form.values, **_refused(refusal))
            return
        if added.secret is not None:
            self._page.once.lead(req, resp, f"/sites/{site_id}/alerts", {"secret": added.secret})
            return
        raise falcon.HTTPSeeOther(f"/sites/{site_id}/alerts?done=target")

    async def _added(self, form: SentForm, record: SiteRecord) -> AddedTarget:
        kind = form.text("kind")
        if kind not in list(TargetKind):
            raise Invalid({"kind": ["must be one of the list"]})
        return await self._services.alerts.targets.add(
            record.site.site_id,
            TargetKind(kind),
            form.text("targetName"),
            form.context,
            url=None if kind == TargetKind.MAIL else form.text("url"),
            user_id=form.caller.user_id if kind == TargetKind.MAIL else None,
        )


def _decides(form: Form) -> bool:
    """Whether a form is about a firing, or the end of a rule, and not about its plan."""
    return form.text("action") == "delete" or form.text("acknowledge") != ""


def _field_of(name: str) -> str:
    # Errors of a filter name its place.
    return name.partition("[")[0]


_refused = partial(refusal_page, whole="alert", field_of=_field_of)


def _target(form: Form) -> int:
    return existing(identifier(form.text("target")), AlertTargetNotFound)


def _deletion(record: SiteRecord, rule: AlertRule) -> Confirmation:
    return Confirmation(
        question=tr("Delete the alert rule “{name}”?", name=rule.plan.name),
        consequence="The rule is permanently deleted and tells no more; the audit log keeps its alerts.",
        button="Delete rule",
        cancel=f"/sites/{record.site.site_id}/alerts/{rule.number}",
    )
