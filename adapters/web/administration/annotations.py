"""The page of the annotations of a site: its list, and the form that adds one."""

from datetime import UTC, datetime
from typing import Any

import falcon
from attrs import frozen
from falcon.asgi import Request, Response

from footfall.adapters.web.lists import list_page
from footfall.adapters.web.rendering import DashboardPage
from footfall.adapters.web.session.forms import Form, refusal_page
from footfall.adapters.web.session.refused_forms import ShowsRefusedForms
from footfall.application.access.authorization import Access
from footfall.application.journal.directory_records import SiteRecord
from footfall.domain.exceptions import Invalid


@frozen
class AnnotationsPage(ShowsRefusedForms, DashboardPage):
    """GET and POST /sites/<site_id>/annotations."""

    access_get = access_post = Access.MEMBER

    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Show the annotations and an empty form."""
        record = await self._access.authorize_site(self.access_get, site, req)
        await self._render(req, resp, record, Form({}))

    async def on_post(self, req: Request, resp: Response, site: str) -> None:
        """Add an annotation, or remove the one that the form names."""
        record, form = await self._access.form_for_site(self.access_post, site, req)
        site_id = record.site.site_id
        try:
            if removed := form.text("remove"):
                await self._services.commands.annotations.remove(site_id, removed, form.context)
            else:
                text, release = form.text("text") or None, form.text("release") or None
                at = _time(form.text("at"), record)
                await self._services.commands.annotations.add(
                    site_id, form.context, at=at, text=text, release=release
                )
        except Invalid as refusal:
            await self._render(req, resp, record, form, **refusal_page(refusal, "text"))
            return
        raise falcon.HTTPSeeOther(f"/sites/{site_id}/annotations")

    async def _render(
        self, req: Request, resp: Response, record: SiteRecord, form: Form, **values: Any
    ) -> None:
        zone = record.site.zone
        every = self._services.directory.annotations(record.site.site_id).newest_first()
        annotations = list_page(
            req, every, lambda annotation: f"{annotation.release or ''} {annotation.text or ''}"
        )
        await self.renderer.render(
            req,
            resp,
            "annotations.html",
            record=record,
            form=form,
            zone=zone,
            now=self._services.clock.now().astimezone(zone).strftime("%Y-%m-%dT%H:%M"),
            annotations=annotations,
            **values,
        )


def _time(text: str, record: SiteRecord) -> datetime | None:
    """Return the local time of a form in the time zone of the site; None for an empty one."""
    if not text:
        return None
    try:
        local = datetime.fromisoformat(text)
        return local.replace(tzinfo=record.site.zone).astimezone(UTC)
    except (ValueError, OverflowError):
        raise Invalid({"at": ["must be a date and a time"]}) from None
