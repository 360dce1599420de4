"""Reports by mail: the subscriptions of a user, and the latest mail of each to look at."""

from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

import falcon
from attrs import frozen
from falcon.asgi import Request, Response

from footfall.adapters.web.rendering import DashboardPage
from footfall.adapters.web.security_headers import set_security_headers
from footfall.adapters.web.session.forms import Form, FormResource
from footfall.adapters.web.session.refused_forms import ShowsRefusedForms
from footfall.application.access.authorization import Access
from footfall.domain.accounts.report_subscriptions import subscribe
from footfall.domain.accounts.user import ReportSubscribed, User
from footfall.domain.exceptions import Invalid, NotFound, require_valid
from footfall.domain.mail.mail import MailKind
from footfall.domain.number import identifier
from footfall.domain.periods.report_schedule import Interval

PREVIEW = "/account/mail-reports/preview"
_ALL = "all"
# A mail has a style sheet of its own, and nothing else.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox allow-popups; base-uri 'none'; frame-ancestors 'none'"


@frozen
class MailReportsPage(ShowsRefusedForms, DashboardPage):
    """GET /account/mail-reports; POST subscribes, or leads to the preview of the report."""

    access_get = access_post = Access.USER

    async def on_get(self, req: Request, resp: Response) -> None:
        """Show the subscriptions."""
        await self._render(req, resp)

    async def on_post(self, req: Request, resp: Response) -> None:
        """Subscribe; an address that has unsubscribed by a link gets reports again."""
        form = await self._access.form(req)
        try:
            site_id, interval = _site_and_interval(form.text)
            self._require_visible(form.caller.user_id, site_id)
            if form.text("action") == "preview":
                raise falcon.HTTPSeeOther(_preview(form))
            await self._services.commands.report_subscriptions.subscribe(
                form.caller.user_id, site_id, interval, _zone(form, site_id), form.context
            )
        except Invalid as refusal:
            status, errors = falcon.HTTP_400, refusal.field_errors
            await self._render(req, resp, status=status, field_errors=errors, form=form.values)
            return
        person = await self._services.commands.people.of(form.caller.user_id)
        if person.verified_address is not None:
            await self._services.mailer.unsubscribing.resubscribe(person.verified_address, MailKind.REPORT)
        raise falcon.HTTPSeeOther("/account/mail-reports?done=subscribed")

    def _require_visible(self, user_id: str, site_id: int | None) -> None:
        sites = [record.site.site_id for record in self._services.mail_reports.sites_of(user_id)]
        if site_id is not None and site_id not in sites:
            raise Invalid({"site": ["must be one of your sites"]})

    async def _render(self, req: Request, resp: Response, **values: Any) -> None:
        caller, services = await self._access.caller(req), self._services
        user = services.directory.state.users.get(caller.user_id, User())
        person = await services.commands.people.of(caller.user_id)
        sites = services.mail_reports.sites_of(caller.user_id)
        address = person.verified_address
        without = [
            kind
            for kind in (MailKind.REPORT, MailKind.ALERT)
            if address is not None and await services.mailer.unsubscribing.is_unsubscribed(address, kind)
        ]
        await self.renderer.render(
            req,
            resp,
            "mail_reports.html",
            **{
                "form": {},
                "intervals": list(Interval),
                "organizations": [
                    record.organization
                    for record in services.directory.organizations_of(caller.user_id)
                    if record.organization.roles[caller.user_id].edits
                ],
                "subscriptions": list(user.reports.values()),
                "names": {record.site.site_id: record.site.name for record in sites},
                "address": address,
                "by_mail": services.mailer.enabled,
                "is_unsubscribed": MailKind.REPORT in without,
                "gets_no_alerts": MailKind.ALERT in without,
                "done": req.get_param("done"),
            }
            | values,
        )


@frozen
class MailReportEnd(FormResource, DashboardPage):
    """POST /account/mail-reports/end: ends a subscription."""

    page_of_form = "/account/mail-reports"
    access_post = Access.USER

    async def on_post(self, req: Request, _resp: Response) -> None:
        """End a subscription; nothing happens when there is none."""
        form = await self._access.form(req)
        site_id, interval = _site_and_interval(form.text)
        await self._services.commands.report_subscriptions.unsubscribe(
            form.caller.user_id, site_id, interval, form.context
        )
        raise falcon.HTTPSeeOther("/account/mail-reports?done=ended")


@frozen
class AlertMails(FormResource, DashboardPage):
    """POST /account/mail-reports/alerts: an address that has unsubscribed from alerts by a link gets them again."""

    page_of_form = "/account/mail-reports"
    access_post = Access.USER

    async def on_post(self, req: Request, _resp: Response) -> None:
        """Let the verified address of the caller get alerts; nothing happens without one."""
        form = await self._access.form(req)
        person = await self._services.commands.people.of(form.caller.user_id)
        if person.verified_address is not None:
            await self._services.mailer.unsubscribing.resubscribe(person.verified_address, MailKind.ALERT)
        raise falcon.HTTPSeeOther("/account/mail-reports?done=alerts")


@frozen
class MailReportPreview(DashboardPage):
    """GET /account/mail-reports/preview: the latest report as its mail shows it."""

    access_get = Access.USER

    async def on_get(self, req: Request, resp: Response) -> None:
        """Show the mail that a subscription would have brought the last time."""
        caller = await self._access.caller(req)
        site_id, interval = _site_and_interval(lambda name: (req.get_param(name) or "").strip())
        zone, now = (req.get_param("time_zone") or "").strip() or None, self._services.clock.now()
        zone = zone or ("UTC" if site_id is None else None)
        [subscription] = subscribe(None, site_id=site_id, interval=interval, time_zone=zone, now=now)
        assert isinstance(subscription, ReportSubscribed)  # noqa: S101 - a new subscription is one event
        values = await self._services.mail_reports.preview(caller.user_id, subscription, now)
        if values is None:
            raise NotFound("Site not found")
        resp.content_type = falcon.MEDIA_HTML
        resp.text = self._services.mailer.renderer.render(MailKind.REPORT, values).html
        set_security_headers(resp)
        resp.set_header("Content-Security-Policy", _POLICY)


def _site_and_interval(text: Callable[[str], str]) -> tuple[int | None, Interval]:
    """Return site and interval of a form or a query.

    Raises:
        Invalid: the site is neither a number nor all sites, or there is no such interval.

    """
    site, interval = text("site"), text("interval")
    errors: dict[str, list[str]] = {}
    if site != _ALL and identifier(site) is None:
        errors["site"] = ["must be one of your sites"]
    if interval not in list(Interval):
        errors["interval"] = [f"must be one of {', '.join(Interval)}"]
    require_valid(errors)
    return None if site == _ALL else int(site), Interval(interval)


def _preview(form: Form) -> str:
    """Return the address of a preview: what the form says, without its token."""
    return f"{PREVIEW}?{urlencode({name: form.text(name) for name in ('site', 'interval', 'time_zone')})}"


def _zone(form: Form, site_id: int | None) -> str | None:
    """Return the time zone of a form; without one, that of the site, or UTC for all sites."""
    return form.text("time_zone") or ("UTC" if site_id is None else None)
