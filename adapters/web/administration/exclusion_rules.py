"""The exclusion rules of a site: their list, and a new one with what it leaves out before it is saved."""

from functools import partial
from typing import Any

import falcon
from attrs import frozen
from falcon.asgi import Request, Response

from footfall.adapters.web.administration.change_preview import WhatIfs
from footfall.adapters.web.administration.condition_fields import (
    ADD,
    choices_without,
    filters_in,
    interpreted,
    kept_filters,
    with_conditions,
)
from footfall.adapters.web.lists import list_page
from footfall.adapters.web.rendering import DashboardPage
from footfall.adapters.web.reports.segments.segment import fingerprint
from footfall.adapters.web.session.forms import (
    Confirmation,
    Form,
    FormResource,
    asked,
    lead_to_answer,
    refusal_page,
)
from footfall.application.access.authorization import Access
from footfall.application.access.exclusions import accepted_conditions
from footfall.application.journal.directory_records import SiteRecord
from footfall.application.languages.language import tr
from footfall.domain.exceptions import Conflict, ExclusionRuleNotFound, Invalid, existing
from footfall.domain.sites.segment import Condition
from footfall.domain.traffic.filters import DEFINED_PARAMETERS

_WHAT_IF = "what-if"
_PLACE = "#what-if"
# Fields with errors of their own; those of filters are one sentence each.
_FIELDS = ("name", "start_date", "end_date")
_CHOICES = choices_without(DEFINED_PARAMETERS)


@frozen
class ExclusionRulesPage(DashboardPage):
    """GET and POST /sites/<site_id>/exclusions."""

    access_get = Access.VIEWER
    access_post = Access.MEMBER

    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Show the rules, and to members what the rule in the query would leave out."""
        record, form = await self._access.authorize_site(self.access_get, site, req), asked(req)
        await self._show(req, resp, record, form)

    async def on_post(self, req: Request, resp: Response, site: str) -> None:
        """Save a rule whose effect was shown, or lead to what it would leave out, or to its form, as `action` says."""
        record, form = await self._access.form_for_site(self.access_post, site, req)
        try:
            form = await interpreted(form, record.site, self._services)
            conditions = self._conditions(form)
            kept = Form(with_conditions(form.values, conditions))
            if form.text("action") == ADD:
                lead_to_answer(req, kept, place="#define")
            elif form.text("action") == "save" and form.raw("seen") == fingerprint(conditions):
                await self._services.commands.exclusions.define(
                    record.site.site_id,
                    name=form.text("name"),
                    conditions=conditions,
                    context=form.context,
                )
                raise falcon.HTTPSeeOther(f"/sites/{record.site.site_id}/exclusions?done=added")
            else:
                kept = Form({**kept.values, "action": _WHAT_IF, "seen": ""})
                lead_to_answer(req, kept, place=_PLACE)
        except (Invalid, Conflict) as refusal:
            await self._show(req, resp, record, form, **_refused(refusal))
            return
        # Too long for an address.
        await self._show(req, resp, record, kept)

    async def _show(
        self, req: Request, resp: Response, record: SiteRecord, form: Form, **values: Any
    ) -> None:
        caller = await self._access.caller(req)
        edits = self._access.edits(caller, record)
        shown: dict[str, Any] = {"tried": None, "seen": "", "field_errors": {}, **_CHOICES}
        if edits and form.text("action") == _WHAT_IF and not values:
            shown |= await self._tried(record, form)
        rules = sorted(record.site.exclusions.rules.items())
        await self.renderer.render(
            req,
            resp,
            "exclusion_rules.html",
            record=record,
            rules=list_page(
                req,
                rules,
                lambda entry: entry[1].name,
                path=f"/sites/{record.site.site_id}/exclusions",
            ),
            others=record.site.exclusions.enabled,
            edits=edits,
            form=form.values,
            filters=kept_filters(form.values),
            done=req.get_param("done"),
            **{**shown, **values},
        )

    async def _tried(self, record: SiteRecord, form: Form) -> dict[str, Any]:
        try:
            conditions = self._conditions(form)
            tried = await WhatIfs(self._services).of_rule(record, conditions, form.values)
        except (Invalid, Conflict) as refusal:
            return _refused(refusal)
        return {"tried": tried, "seen": fingerprint(conditions)}

    def _conditions(self, form: Form) -> tuple[Condition, ...]:
        return accepted_conditions(filters_in(form, self._services.expressions), self._services.expressions)


@frozen
class ExclusionRuleForm(FormResource, DashboardPage):
    """POST /sites/<site_id>/exclusions/<rule>."""

    page_of_form = "/sites/{site}/exclusions"
    access_post = Access.MEMBER

    async def on_post(self, req: Request, _resp: Response, site: str, rule: int) -> None:
        """Turn a rule on or off, or remove it after a confirmation, as `action` says."""
        record, form = await self._access.form_for_site(self.access_post, site, req)
        site_id = record.site.site_id
        address, action = f"/sites/{site_id}/exclusions", form.text("action")
        if action == "remove":
            present = existing(record.site.exclusions.rules.get(rule), ExclusionRuleNotFound)
            form.require_confirmation(
                Confirmation(
                    question=tr("Remove the rule “{name}”?", name=present.name),
                    consequence="The sessions that it leaves out count again.",
                    button="Remove rule",
                    cancel=address,
                )
            )
            await self._services.commands.exclusions.remove(site_id, rule, context=form.context)
            raise falcon.HTTPSeeOther(f"{address}?done=removed")
        if action not in ("on", "off"):
            raise Invalid({"action": ["must be one of on, off, remove"]})
        await self._services.commands.exclusions.change(
            site_id, rule, context=form.context, enabled=action == "on"
        )
        raise falcon.HTTPSeeOther(f"{address}?done={action}")


def _field_of(name: str) -> str:
    return name if name in _FIELDS else "filters"


_refused = partial(refusal_page, whole="rule", field_of=_field_of)
