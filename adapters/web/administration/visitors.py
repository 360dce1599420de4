"""The pages on the data of visitors: what is stored of them, and for owners what is given of one, and erased.

See docs/read/visitor-data.md.
"""

from collections.abc import Sequence

import falcon
import falcon.asgi
from attrs import frozen
from falcon.asgi import Request, Response

from footfall.adapters.web.formatting import made
from footfall.adapters.web.rendering import DashboardPage
from footfall.adapters.web.session.forms import CONFIRMED, Confirmation, Form, FormResource
from footfall.application.access.authorization import Access
from footfall.application.journal.directory_records import SiteRecord
from footfall.application.languages.language import tr, tr_plural
from footfall.application.visitors.document import erasure_body, file_name
from footfall.application.visitors.subjects import Asked
from footfall.application.visitors.visitors import Visitors
from footfall.domain.sites.privacy import (
    COUNTS_KEPT_DAYS,
    NEVER_STORED,
    kept,
    privacy_notice,
    processing_record,
    readers,
    stored_data,
)


@frozen
class PrivacyPage(DashboardPage):
    """GET /sites/<site_id>/privacy."""

    access_get = Access.VIEWER

    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Show what the site stores of its visitors with its present settings."""
        record = await self._access.authorize_site(self.access_get, site, req)
        organization = self._services.directory.organization_name(record.site.organization_id)
        locates = self._services.locates()
        await self.renderer.render(
            req,
            resp,
            "privacy.html",
            record=record,
            stored=stored_data(record.site.config, locates=locates, say=tr),
            never=[tr(text) for text in NEVER_STORED],
            kept=kept(record.site, say=tr),
            counts_days=COUNTS_KEPT_DAYS,
            readers=readers(record.site, organization, say=tr),
            notice=privacy_notice(record.site, locates=locates, say=tr),
            processing=processing_record(record.site, organization, locates=locates, say=tr),
        )


@frozen
class VisitorsPage(DashboardPage):
    """GET /sites/<site_id>/visitors."""

    access_get = Access.OWNER

    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Show the form that names a visitor, a visit of the address filled in, and the erasures of the site."""
        record = await self._access.authorize_site(self.access_get, site, req)
        await self.renderer.render(
            req,
            resp,
            "visitors.html",
            record=record,
            zone=record.site.zone,
            visit=req.get_param("visit") or "",
            erasures=await self._services.visitors.erasures(record.site.site_id),
            is_asked="asked" in req.params,
        )


@frozen
class VisitorFile(FormResource, DashboardPage):
    """POST /sites/<site_id>/visitors/data."""

    page_of_form = "/sites/{site}/visitors"
    access_post = Access.OWNER

    async def on_post(self, req: Request, resp: Response, site: str) -> None:
        """Answer with a file of all that is stored of a visitor."""
        record, form = await self._access.form_for_site(self.access_post, site, req)
        site_id, visitors = record.site.site_id, self._services.visitors
        resp.stream = await visitors.document(site_id, await _asked(visitors, record, form))
        _send_as(resp, file_name(site_id))


@frozen
class VisitorErasureForm(FormResource, DashboardPage):
    """POST /sites/<site_id>/visitors/erasure."""

    page_of_form = "/sites/{site}/visitors"
    access_post = Access.OWNER

    async def on_post(self, req: Request, _resp: Response, site: str) -> None:
        """Have a visitor erased, after a confirmation that says of how much."""
        record, form = await self._access.form_for_site(self.access_post, site, req)
        site_id, address = record.site.site_id, f"/sites/{record.site.site_id}/visitors"
        visitors = self._services.visitors
        asked = await _asked(visitors, record, form)
        if not form.is_checked(CONFIRMED):
            # Only for the question: to count them is to read the whole log of the site.
            events = await visitors.events_of(site_id, asked)
            sources = await visitors.sources(site_id)
            form.require_confirmation(_question(events, asked, sources, address))
        await visitors.erase(site_id, asked, form.context)
        raise falcon.HTTPSeeOther(f"{address}?asked")


@frozen
class CertificateFile(DashboardPage):
    """GET /sites/<site_id>/visitors/<erasure>."""

    access_get = Access.OWNER

    async def on_get(self, req: Request, resp: Response, site: str, erasure: str) -> None:
        """Answer with a file of an erasure and its certificate."""
        record = await self._access.authorize_site(self.access_get, site, req)
        requested = await self._services.visitors.erasure(record.site.site_id, erasure)
        resp.media = erasure_body(requested)
        _send_as(resp, f"erasure-{requested.erasure}.json")


def _question(events: int, asked: Asked, sources: Sequence[str], address: str) -> Confirmation:
    return Confirmation(
        question=tr_plural(
            "Erase {count} event of this visitor?", "Erase {count} events of this visitor?", events
        ),
        consequence=" ".join(
            [
                tr("They are permanently deleted, with all numbers that they are part of."),
                *(tr("Not found: {refusal}.", refusal=made(refusal)) for refusal in asked.refusals),
                *(
                    tr("Can bring events of the visitor again: {source}.", source=source)
                    for source in sources
                ),
            ]
        ),
        button="Erase visitor",
        cancel=address,
    )


async def _asked(visitors: Visitors, record: SiteRecord, form: Form) -> Asked:
    # A user id is what it is, white space included.
    user_id, visit = form.raw("user_id") or None, form.text("visit") or None
    return await visitors.asked(record, user_id=user_id, visit=visit)


def _send_as(resp: Response, name: str) -> None:
    resp.set_header("Cache-Control", "no-store")
    resp.set_header("Content-Disposition", f'attachment; filename="{name}"')
    resp.content_type = falcon.MEDIA_JSON
