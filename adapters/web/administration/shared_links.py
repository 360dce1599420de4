"""The links of a site that show some of its reports: their list, a new one, and the page of one."""

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from hashlib import blake2b
from types import MappingProxyType
from typing import Any

import falcon
from attrs import astuple, evolve, frozen
from falcon.asgi import Request, Response

from footfall.adapters.web.rendering import DashboardPage
from footfall.adapters.web.reports.panels.contents import panel_titles
from footfall.adapters.web.session.forms import Confirmation, Form, refusal_page
from footfall.adapters.web.session.refused_forms import ShowsRefusedForms
from footfall.application.access.authorization import Access
from footfall.application.access.shared_links import require_shareable
from footfall.application.journal.directory_records import SiteRecord
from footfall.application.languages.language import tr
from footfall.domain.exceptions import Conflict, Invalid, SharedLinkNotFound, existing
from footfall.domain.number import identifier
from footfall.domain.periods.period import Period
from footfall.domain.sites.sharing.shared_links import LinkTerms, SharedLink, SharedPanel
from footfall.domain.sites.site import Site

# What every link shows is no choice.
PANELS: Mapping[str, str] = MappingProxyType(
    dict(panel_titles()) | {SharedPanel.JOURNEYS: "Journeys", SharedPanel.RETENTION: "Retention"}
)
_PANEL = "panel_{}"


class LinkChanged(Conflict):
    """A form was made of terms that are others by now."""

    message = "The link was changed meanwhile; the form shows its present terms"


@frozen
class LinkPages(DashboardPage):
    """Renders the pages of links, and reads their forms."""

    async def show(
        self, req: Request, resp: Response, template: str, record: SiteRecord, form: Form, **values: Any
    ) -> None:
        """Show a page with the form of a link."""
        site = record.site
        segments = {
            number: segment.name for number, segment in site.segments.present.items() if segment.owner is None
        }
        await self.renderer.render(
            req,
            resp,
            template,
            record=record,
            form=form,
            panels=PANELS,
            segments=segments,
            zone=site.zone,
            now=self._services.clock.now(),
            **{"field_errors": {}, **values},
        )

    async def with_password(self, form: Form, terms: LinkTerms) -> LinkTerms:
        """Return the terms with the password of a form; without one they stay as they are.

        Raises:
            Invalid: it is too short or too long.

        """
        password = form.raw("password")
        keys = self._services.link_keys
        return evolve(terms, password=await keys.keep_password(password)) if password else terms

    def address_of(self, req: Request, site: Site, link: SharedLink) -> str | None:
        """Return the address of a link; None when it was sealed with another secret."""
        key = self._services.link_keys.shared_key_of(link)
        return None if key is None else f"{req.forwarded_prefix}/share/{site.public_id}/{key}"


@frozen
class SharedLinksPage(ShowsRefusedForms, LinkPages):
    """GET and POST /sites/<site_id>/links."""

    access_get = access_post = Access.ADMIN

    async def on_get(self, req: Request, resp: Response, site: str) -> None:
        """Show the links and an empty form."""
        record = await self._access.authorize_site(self.access_get, site, req)
        await self._render(req, resp, record, Form({}))

    async def on_post(self, req: Request, resp: Response, site: str) -> None:
        """Make a link."""
        record, form = await self._access.form_for_site(self.access_post, site, req)
        try:
            terms = await self.with_password(form, terms_of(form, record.site))
            await self._services.link_keys.make(record.site.site_id, terms, form.context)
        except (Invalid, Conflict) as refusal:
            await self._render(req, resp, record, _without_password(form), **refusal_page(refusal, "link"))
            return
        raise falcon.HTTPSeeOther(f"/sites/{record.site.site_id}/links?done=made")

    async def _render(
        self, req: Request, resp: Response, record: SiteRecord, form: Form, **values: Any
    ) -> None:
        present = record.site.links.present
        used = await self._services.link_tracker.of(
            record.site.site_id, [link.digest for link in present.values()]
        )
        links = [
            (number, link, self.address_of(req, record.site, link), used.get(link.digest))
            for number, link in sorted(present.items())
        ]
        values |= {"links": links, "done": req.get_param("done")}
        await self.show(req, resp, "shared_links.html", record, form, **values)


@frozen
class SharedLinkPage(ShowsRefusedForms, LinkPages):
    """GET and POST /sites/<site_id>/links/<link>."""

    access_get = access_post = Access.ADMIN

    async def on_get(self, req: Request, resp: Response, site: str, link: int) -> None:
        """Show a link in its form."""
        record = await self._access.authorize_site(self.access_get, site, req)
        form = form_of(_existing(record, link).terms, record.site)
        await self._render(req, resp, record, link, form)

    async def on_post(self, req: Request, resp: Response, site: str, link: int) -> None:
        """Change a link, or revoke it after a confirmation, as `action` says."""
        record, form = await self._access.form_for_site(self.access_post, site, req)
        site_id = record.site.site_id
        present = _existing(record, link)
        if form.text("action") == "revoke":
            form.require_confirmation(
                Confirmation(
                    question=tr("Revoke the link “{name}”?", name=present.terms.name),
                    consequence="The link and frames that use it stop working. Other links stay.",
                    button="Revoke link",
                    cancel=f"/sites/{site_id}/links",
                )
            )
            await self._services.commands.links.revoke(site_id, link, context=form.context)
            raise falcon.HTTPSeeOther(f"/sites/{site_id}/links?done=revoked")
        try:
            wanted = await self.with_password(form, terms_of(form, record.site, present.terms))
            await self._services.commands.links.change(
                site_id,
                link,
                lambda terms: _instead_of(terms, form.raw("former"), wanted),
                context=form.context,
            )
        except (Invalid, Conflict) as refusal:
            shown = _without_password(form)
            if isinstance(refusal, LinkChanged):
                record = await self._access.authorize_site(self.access_post, site, req)
                shown = form_of(_existing(record, link).terms, record.site)
            await self._render(req, resp, record, link, shown, **refusal_page(refusal, "link"))
            return
        raise falcon.HTTPSeeOther(f"/sites/{site_id}/links?done=saved")

    async def _render(
        self, req: Request, resp: Response, record: SiteRecord, number: int, form: Form, **values: Any
    ) -> None:
        link = _existing(record, number)
        values |= {"number": number, "link": link, "address": self.address_of(req, record.site, link)}
        await self.show(req, resp, "shared_link.html", record, form, **values)


def terms_of(form: Form, site: Site, present: LinkTerms | None = None) -> LinkTerms:
    """Return the terms in a form; an end whose day stays is as it was.

    Raises:
        Invalid: a field cannot be read, or the segment must not be shared.

    """
    segment = identifier(form.text("segment")) if form.text("segment") else None
    if form.text("segment") and segment is None:
        raise Invalid({"segmentId": ["must be one of the segments"]})
    require_shareable(site, segment)
    kept = present is not None and form.text("ends") == form_of(present, site).text("ends")
    return LinkTerms(
        name=form.text("name"),
        panels=tuple(name for name in PANELS if form.is_checked(_PANEL.format(name))),
        segment=segment,
        ends_at=present.ends_at if present is not None and kept else _end(form.text("ends"), site),
        embed=form.is_checked("embed"),
        password=None if present is None or form.is_checked("no_password") else present.password,
    )


def form_of(terms: LinkTerms, site: Site) -> Form:
    """Return the fields of a form that has these terms; the last day of a link is that before its end."""
    zone = site.zone
    ends = "" if terms.ends_at is None else (terms.ends_at - timedelta(microseconds=1)).astimezone(zone)
    return Form(
        {
            "former": fingerprint(terms),
            "name": terms.name,
            "segment": "" if terms.segment is None else str(terms.segment),
            "ends": ends if isinstance(ends, str) else str(ends.date()),
            **({"embed": "on"} if terms.embed else {}),
            **{_PANEL.format(name): "on" for name in terms.panels},
        }
    )


def fingerprint(terms: LinkTerms) -> str:
    """Return what tells terms from others, also by their passwords."""
    return blake2b(repr(astuple(terms)).encode(), digest_size=8).hexdigest()


def _instead_of(present: LinkTerms, former: str, wanted: LinkTerms) -> LinkTerms:
    """Return the wanted terms, if the present ones are those of which the form was made.

    Raises:
        LinkChanged: they are others.

    """
    if former != fingerprint(present):
        raise LinkChanged
    return wanted


def _end(text: str, site: Site) -> datetime | None:
    """Return the end of a day in the time zone of the site; None for an empty text."""
    if not text:
        return None
    try:
        last = date.fromisoformat(text)
        return Period.local_days(last, last, site.zone).end
    except (ValueError, OverflowError):
        raise Invalid({"endsAt": ["must be a date"]}) from None


def _existing(record: SiteRecord, number: int) -> SharedLink:
    return existing(record.site.links.present.get(number), SharedLinkNotFound)


def _without_password(form: Form) -> Form:
    # What was typed can come back with the page, and a password does not.
    return Form({name: text for name, text in form.values.items() if name != "password"})
