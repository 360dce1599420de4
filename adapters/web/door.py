"""Who looks at a page, and whether they may: the gatekeeper's rules for browsers."""

import falcon
from attrs import frozen
from falcon.asgi import Request

from footfall.adapters.web.forms import Form, read_form
from footfall.adapters.web.signing import Signer
from footfall.application.access import Access, Caller, Credentials, Gatekeeper, Unauthenticated
from footfall.application.commands import Cause
from footfall.application.directory import Directory, ListedOrganization, ListedSite
from footfall.domain.organization import Role


@frozen(kw_only=True)
class Viewer:
    """Somebody who is signed in, as pages show them."""

    user_id: str
    form_token: str
    organizations: tuple[ListedOrganization, ...]
    sites: tuple[ListedSite, ...]


class Door:
    """Reads cookies and asks the gatekeeper; nobody passes by another way."""

    def __init__(self, gatekeeper: Gatekeeper, directory: Directory, signer: Signer) -> None:
        self._gatekeeper = gatekeeper
        self._directory = directory
        self._signer = signer

    async def caller(self, req: Request) -> Caller:
        """Return who is signed in, with everything known that happened before.

        Raises:
            Unauthenticated: nobody is.

        """
        await self._directory.catch_up()
        return await self._gatekeeper.caller(self._credentials(req))

    async def site(
        self, access: Access, reference: str, req: Request, *, private_link: str | None = None
    ) -> ListedSite:
        """Return the site if the rule admits whoever asks.

        Raises:
            Unauthenticated, SiteNotFound, AccessDenied: as the gatekeeper does.

        """
        await self._directory.catch_up()
        credentials = self._credentials(req, private_link)
        return await self._gatekeeper.site(access, reference, credentials)

    async def viewer(self, req: Request) -> Viewer | None:
        """Return who is signed in as pages show them; None when nobody is."""
        presented = self._signer.presented(req)
        try:
            caller = await self._gatekeeper.caller(self._credentials(req))
        except Unauthenticated:
            return None
        if presented is None:
            return None
        organizations = self._organizations(caller.user_id)
        return Viewer(
            user_id=caller.user_id,
            form_token=self._signer.form_token(presented),
            organizations=organizations,
            sites=tuple(
                site
                for listed in organizations
                for site in self._directory.sites_of(listed.organization.organization_id)
            ),
        )

    def role(self, caller: Caller, organization_id: str) -> Role | None:
        """Return the caller's role in an organization."""
        return self._directory.role(caller.user_id, organization_id)

    async def form(self, req: Request) -> Form:
        """Return the form that somebody who is signed in sent from one of our pages.

        Raises:
            Unauthenticated: nobody is signed in.
            HTTPForbidden: the form is not ours, or belongs to another sign-in.

        """
        await self.caller(req)
        presented, form = self._signer.presented(req), await read_form(req)
        if presented is None or not self._signer.proves(form.raw("token"), presented):
            raise falcon.HTTPForbidden(
                title="This form is out of date", description="Go back, load the page again and repeat it."
            )
        return form

    async def cause(self, req: Request) -> Cause:
        """Return the circumstances of a command that the request gives."""
        caller = await self._gatekeeper.caller(self._credentials(req))
        return Cause(actor=caller.actor, request_id=req.context.request_id)

    def _credentials(self, req: Request, private_link: str | None = None) -> Credentials:
        return Credentials(private_link=private_link, sign_in=self._signer.presented(req))

    def _organizations(self, user_id: str) -> tuple[ListedOrganization, ...]:
        return tuple(
            listed for listed in self._directory.organizations() if user_id in listed.organization.roles
        )
