"""Access to pages: the gatekeeper's rules, applied to the sign-in of a browser."""

from collections.abc import Collection

import falcon
from attrs import frozen
from falcon.asgi import Request

from footfall.adapters.web.session.cookies import SignInCookies
from footfall.adapters.web.session.forms import Form, FormWithFiles, read_form, read_form_with_files
from footfall.application.access.authorization import (
    Access,
    Caller,
    Credentials,
    Gatekeeper,
    Grant,
    LinkLocked,
    Relation,
    Unauthenticated,
)
from footfall.application.access.sign_in_uses import SignInTracker
from footfall.application.commands.context import CommandContext
from footfall.application.journal.directory import Directory
from footfall.application.journal.directory_records import OrganizationRecord, SiteRecord
from footfall.application.ports.journal import StoreUnavailable
from footfall.application.ports.system import Clock
from footfall.domain.accounts.api_key import ApiKey
from footfall.domain.accounts.organization import Role
from footfall.domain.accounts.user import SignIn, handle_of
from footfall.domain.exceptions import AccessDenied, NotFound
from footfall.domain.sites.sharing.shared_links import SharedLink, SharedPanel
from footfall.domain.sites.site import Site


class LinkNotFound(NotFound):
    """The link is not valid, or does not show this; the answer does not tell whether it ever was."""

    def __init__(self) -> None:
        super().__init__("This link does not work")


@frozen(kw_only=True)
class Viewer:
    """A signed-in user with the organizations and sites that pages list."""

    user_id: str
    form_token: str
    organizations: tuple[OrganizationRecord, ...]
    sites: tuple[SiteRecord, ...]

    def role_on(self, site: Site) -> Role | None:
        """Return the user's role on a site, None for none."""
        for record in self.organizations:
            if record.organization.organization_id == site.organization_id:
                return record.organization.role_on(self.user_id, site.site_id)
        return None


@frozen
class SentForm(Form):
    """A form with the signed-in user who sent it, and what is recorded of that with the events of a command."""

    caller: Caller
    context: CommandContext


@frozen
class PageAccess:
    """Reads the sign-in of a request and asks the gatekeeper; every page is authorized here."""

    _gatekeeper: Gatekeeper
    _directory: Directory
    _cookies: SignInCookies
    _sign_in_tracker: SignInTracker
    _clock: Clock

    async def caller(self, req: Request) -> Caller:
        """Return the signed-in user.

        Raises:
            Unauthenticated: the request has no valid sign-in.

        """
        caller = await self._gatekeeper.caller(self._credentials(req))
        self._note_use(req)
        return caller

    async def authorize_organization(self, access: Access, organization_id: str, req: Request) -> Caller:
        """Return the signed-in user if the rule admits them to the organization.

        Raises:
            Unauthenticated, OrganizationNotFound, AccessDenied: as the gatekeeper does.

        """
        return await self._gatekeeper.organization(access, organization_id, self._credentials(req))

    async def find_key(self, text: str) -> ApiKey | None:
        """Return the API key with this text."""
        return await self._gatekeeper.key(text)

    async def authorize_site(self, access: Access, reference: str, req: Request) -> SiteRecord:
        """Return the site if the rule admits the signed-in user.

        Raises:
            Unauthenticated, SiteNotFound, AccessDenied: as the gatekeeper does.

        """
        return await self._gatekeeper.site(access, reference, self._credentials(req))

    async def authorize_public_site(self, access: Access, reference: str) -> SiteRecord:
        """Return the site if the rule admits requests without a sign-in.

        Raises:
            Unauthenticated: it does not.

        """
        return await self._gatekeeper.site(access, reference, Credentials())

    async def authorize_link(
        self, access: Access, req: Request, reference: str, key: str, panels: Collection[SharedPanel]
    ) -> Grant:
        """Return the access to the site that the key of its private link gives, or of a link with one of the panels.

        Raises:
            LinkNotFound: the key is wrong or revoked, its link has ended or none of the panels, or the site does not
                exist.
            LinkLocked: it has a password that this browser did not give.

        """
        credentials = Credentials(private_link=key, link_proof=self._cookies.link_proof(req))
        try:
            grant = await self._gatekeeper.admit(access, reference, credentials, panels)
        except LinkLocked:
            raise
        except (Unauthenticated, AccessDenied, NotFound):
            raise LinkNotFound from None
        if grant.relation not in (Relation.LINK, Relation.SHARED):
            raise LinkNotFound
        return grant

    async def locked_link(self, req: Request, reference: str, key: str) -> SharedLink | None:
        """Return the link with this key if it asks this browser for its password; None for one that is open.

        Raises:
            LinkNotFound: as `authorize_link` does.

        """
        try:
            await self.authorize_link(Access.READER, req, reference, key, [SharedPanel.OVERVIEW])
        except LinkLocked as locked:
            return locked.link
        return None

    async def viewer(self, req: Request) -> Viewer | None:
        """Return the signed-in user as pages show them, or None."""
        sign_in = self._cookies.read(req)
        try:
            caller = await self._gatekeeper.known_caller(self._credentials(req))
        except StoreUnavailable:
            # The page that reports this failure is rendered without a user.
            return None
        if sign_in is None or caller is None:
            return None
        self._note_use(req)
        organizations = tuple(self._directory.organizations_of(caller.user_id))
        return Viewer(
            user_id=caller.user_id,
            form_token=self._cookies.form_token(sign_in),
            organizations=organizations,
            sites=self._sites(caller.user_id, organizations),
        )

    def role(self, caller: Caller, organization_id: str) -> Role | None:
        """Return the caller's role in an organization."""
        return self._directory.role(caller.user_id, organization_id)

    def role_on(self, caller: Caller, record: SiteRecord) -> Role | None:
        """Return the caller's role on a site."""
        return self._directory.role_on(caller.user_id, record.site)

    def edits(self, caller: Caller, record: SiteRecord) -> bool:
        """Return whether the caller's role on a site lets them change what it shares."""
        role = self.role_on(caller, record)
        return role is not None and role.edits

    def sign_ins(self, caller: Caller, req: Request) -> tuple[list[SignIn], str]:
        """Return the caller's valid sign-ins, the latest first, and the handle of the one that the request has."""
        own = self._cookies.read(req)
        return self._gatekeeper.sign_ins_of(caller.user_id), handle_of(own.sign_in_id) if own else ""

    async def form(self, req: Request) -> SentForm:
        """Return the form that a signed-in user sent from a page of the dashboard.

        Raises:
            Unauthenticated: the request has no valid sign-in.
            HTTPForbidden: the form's token is missing, or belongs to another sign-in.

        """
        caller = await self.caller(req)
        form = self.verified(req, await read_form(req))
        context = CommandContext(actor=caller.actor, request_id=req.context.request_id)
        return SentForm(form.values, caller, context)

    async def form_for_site(
        self, access: Access, reference: str, req: Request
    ) -> tuple[SiteRecord, SentForm]:
        """Return the site and the form that was sent for it, as `form` and then `authorize_site` do."""
        form = await self.form(req)
        return await self.authorize_site(access, reference, req), form

    async def form_with_files(self, req: Request) -> FormWithFiles:
        """Return the form with files that a signed-in user sent from a page of the dashboard.

        Raises:
            Unauthenticated: the request has no valid sign-in.
            HTTPForbidden: the form's token is missing, or belongs to another sign-in.

        """
        await self.caller(req)
        sent = await read_form_with_files(req)
        self.verified(req, sent.form)
        return sent

    def verified(self, req: Request, form: Form) -> Form:
        """Return a form that was read if it has the token of the request's sign-in.

        Raises:
            HTTPForbidden: the form's token is missing, or belongs to another sign-in.

        """
        sign_in = self._cookies.read(req)
        if sign_in is None or not self._cookies.is_form_token(form.raw("token"), sign_in):
            raise falcon.HTTPForbidden(
                title="This form is out of date", description="Go back, reload the page and try again."
            )
        return form

    async def command_context(self, req: Request) -> CommandContext:
        """Return the user and the request id that are recorded with the events of a command."""
        caller = await self._gatekeeper.caller(self._credentials(req))
        return CommandContext(actor=caller.actor, request_id=req.context.request_id)

    def _note_use(self, req: Request) -> None:
        if sign_in := self._cookies.read(req):
            self._sign_in_tracker.note(sign_in, req.user_agent or "", self._clock.now())

    def _credentials(self, req: Request) -> Credentials:
        return Credentials(sign_in=self._cookies.read(req))

    def _sites(self, user_id: str, organizations: tuple[OrganizationRecord, ...]) -> tuple[SiteRecord, ...]:
        return tuple(
            site
            for record in organizations
            for site in self._directory.sites_for(user_id, record.organization.organization_id)
        )
