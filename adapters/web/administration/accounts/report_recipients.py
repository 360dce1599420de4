"""Addresses outside that get reports by mail: their list, the page of the question, and the end by a link."""

from typing import Any

import falcon
from attrs import frozen
from falcon.asgi import Request, Response

from footfall.adapters.web.administration.accounts.unsubscribing import BY_PAGE
from footfall.adapters.web.rendering import DashboardPage
from footfall.adapters.web.session.forms import Confirmation, Form, FormResource, read_form
from footfall.adapters.web.session.refused_forms import ShowsRefusedForms
from footfall.application.access.authorization import Access
from footfall.application.commands.context import CommandContext
from footfall.application.sign_in.attempts import TooManyAttempts
from footfall.domain.accounts.organization import Role
from footfall.domain.exceptions import Conflict, Invalid, OrganizationNotFound, existing
from footfall.domain.mail.mail import RecipientKey
from footfall.domain.number import identifier
from footfall.domain.periods.report_schedule import Interval

RECIPIENTS = "/organizations/{organization}/mail-recipients"


@frozen
class RecipientsPage(ShowsRefusedForms, DashboardPage):
    """GET and POST /organizations/<organization_id>/mail-recipients: members look, owners add an address."""

    access_get = Access.MEMBER
    access_post = Access.OWNER

    async def on_get(self, req: Request, resp: Response, organization: str) -> None:
        """Show the addresses outside of the sites that the user sees."""
        await self._render(req, resp, organization)

    async def on_post(self, req: Request, resp: Response, organization: str) -> None:
        """Ask the reader of an address whether they want reports."""
        form = await self._access.form(req)
        await self._access.authorize_organization(self.access_post, organization, req)
        try:
            site_id, interval = self._chosen(organization, form)
            await self._services.report_recipients.add(site_id, form.text("address"), interval, form.context)
        except (Invalid, Conflict, TooManyAttempts) as refusal:
            errors = refusal.field_errors if isinstance(refusal, Invalid) else {"address": [refusal.message]}
            status = falcon.HTTP_429 if isinstance(refusal, TooManyAttempts) else falcon.HTTP_400
            await self._render(req, resp, organization, status=status, field_errors=errors, form=form.values)
            return
        raise falcon.HTTPSeeOther(f"{RECIPIENTS.format(organization=organization)}?done=asked")

    def _chosen(self, organization: str, form: Form) -> tuple[int, Interval]:
        """Return the site and the interval of a form.

        Raises:
            Invalid: the organization has no such site, or there is no such interval.

        """
        errors: dict[str, list[str]] = {}
        number = identifier(form.text("site"))
        if number not in [record.site.site_id for record in self._services.directory.sites_of(organization)]:
            errors["site"] = ["must be one of your sites"]
        if form.text("interval") not in list(Interval):
            errors["interval"] = [f"must be one of {', '.join(Interval)}"]
        if errors or number is None:
            raise Invalid(errors)
        return number, Interval(form.text("interval"))

    async def _render(self, req: Request, resp: Response, organization: str, **values: Any) -> None:
        caller = await self._access.authorize_organization(self.access_get, organization, req)
        record = existing(self._services.directory.organization(organization), OrganizationNotFound)
        sites = self._services.directory.sites_for(caller.user_id, organization)
        recipients = await self._services.report_recipients.of_sites(sites)
        adders = {
            added_by
            for recipient in recipients
            if (added_by := recipient.recipient.added.added_by) is not None
        }
        values.setdefault("form", {"site": req.get_param("site") or ""})
        await self.renderer.render(
            req,
            resp,
            "mail_recipients.html",
            organization=record.organization,
            sites=sites,
            recipients=recipients,
            people=await self._services.people_of(adders),
            owns=record.organization.roles[caller.user_id] is Role.OWNER,
            by_mail=self._services.report_recipients.mailer.enabled,
            intervals=list(Interval),
            done=req.get_param("done"),
            **values,
        )


@frozen
class RecipientRemoval(FormResource, DashboardPage):
    """POST /organizations/<organization_id>/mail-recipients/removal: ends the reports to an address."""

    page_of_form = RECIPIENTS
    access_post = Access.OWNER

    async def on_post(self, req: Request, _resp: Response, organization: str) -> None:
        """Remove an address, after a confirmation; nothing happens when there is none."""
        form = await self._access.form(req)
        await self._access.authorize_organization(self.access_post, organization, req)
        path, key = RECIPIENTS.format(organization=organization), self._key(organization, form)
        form.require_confirmation(
            Confirmation(
                question="Remove this address?",
                consequence="It gets no more reports, and is deleted. To come back, the person has to agree again.",
                button="Remove address",
                cancel=path,
            )
        )
        await self._services.report_recipients.remove(key.site_id, key.number, form.context)
        raise falcon.HTTPSeeOther(f"{path}?done=removed")

    def _key(self, organization: str, form: Form) -> RecipientKey:
        site_id, number = identifier(form.text("site")), identifier(form.text("recipient"))
        sites = [record.site.site_id for record in self._services.directory.sites_of(organization)]
        if site_id is None or site_id not in sites or number is None:
            raise Invalid({"site": ["must be one of your sites"]})
        return RecipientKey(site_id, number)


@frozen
class QuestionPage(DashboardPage):
    """GET and POST /reports/confirmation/<site_id>/<token>: the link of the mail that asks.

    GET only shows a button, because mail programs open links to preview them. Neither needs a sign-in: the link itself
    is the proof that its reader has the address.
    """

    access_get = access_post = Access.OPEN

    async def on_get(self, req: Request, resp: Response, site: int, token: str) -> None:
        """Show the question, or that its reader has agreed."""
        presented = await self._services.report_recipients.find(site, token)
        await self.renderer.render(req, resp, "report_question.html", presented=presented)
        # The address contains the token, which must not reach search engines.
        resp.set_header("X-Robots-Tag", "noindex")

    async def on_post(self, req: Request, _resp: Response, site: int, token: str) -> None:
        """Record that the reader agrees."""
        await read_form(req)
        context = CommandContext(request_id=req.context.request_id)
        await self._services.report_recipients.confirm(site, token, context)
        raise falcon.HTTPSeeOther(req.path)


@frozen
class RecipientEnd(DashboardPage):
    """GET and POST /reports/end/<site_id>/<recipient>/<token>: the link in each report to an address outside.

    GET only shows a button. POST needs no sign-in and no form token: the link itself is the proof, and a mail program
    sends nothing else (RFC 8058). It follows no redirect, which is for browsers.
    """

    access_get = access_post = Access.OPEN

    async def on_get(self, req: Request, resp: Response, site: int, recipient: int, token: str) -> None:
        """Show the button that ends the reports, or that they have ended."""
        is_kept = await self._services.report_recipients.is_kept(RecipientKey(site, recipient), token)
        await self._render(req, resp, done=not is_kept)

    async def on_post(self, req: Request, resp: Response, site: int, recipient: int, token: str) -> None:
        """End the reports, and forbid questions when the query asks for it; doing it twice changes nothing."""
        context, outside = CommandContext(request_id=req.context.request_id), RecipientKey(site, recipient)
        if req.get_param("questions") == "none":
            await self._services.report_recipients.forbid_questions(outside, token, context)
        await self._services.report_recipients.unsubscribe(outside, token, context)
        if req.get_param("by") == BY_PAGE:
            raise falcon.HTTPSeeOther(req.path)
        await self._render(req, resp, done=True)

    async def _render(self, req: Request, resp: Response, *, done: bool) -> None:
        await self.renderer.render(req, resp, "report_end.html", action=f"{req.path}?by={BY_PAGE}", done=done)
