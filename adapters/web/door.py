"""Who looks at a page, and whether they may: the gatekeeper's rules for browsers."""

import falcon
from attrs import frozen
from falcon.asgi import Request

from footfall.adapters.web.forms import Form, read_form
from footfall.adapters.web.signing import Signer
from footfall.application.access import Access, Caller, Credentials, Gatekeeper, Standing, Unauthenticated
from footfall.application.commands import Cause
from footfall.application.directory import Directory, ListedOrganization, ListedSite
from footfall.domain.errors import AccessDenied, NotFound
from footfall.domain.organization import Role


class LinkNotFound(NotFound):
    """The private link in the address does not open anything; whether it ever did is nobody's business."""

    def __init__(self) -> None:
        super().__init__("This link does not work")


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

    async def site(self, access: Access, reference: str, req: Request) -> ListedSite:
        """Return the site if the rule admits whoever asks.

        Raises:
            Unauthenticated, SiteNotFound, AccessDenied: as the gatekeeper does.

        """
        await self._directory.catch_up()
        return await self._gatekeeper.site(access, reference, self._credentials(req))

    async def public_site(self, access: Access, reference: str) -> ListedSite:
        """Return the site if the rule admits anybody, whoever may be signed in.

        Raises:
            Unauthenticated: it does not.

        """
        await self._directory.catch_up()
        return await self._gatekeeper.site(access, reference, Credentials())

    async def shared_site(self, access: Access, reference: str, key: str) -> ListedSite:
        """Return the site if the rule admits whoever has this key of its private link.

        Raises:
            LinkNotFound: it is not the key of this site, or not any more; or there is no such site.

        """
        await self._directory.catch_up()
        try:
            admission = await self._gatekeeper.admit(access, reference, Credentials(private_link=key))
        except (Unauthenticated, AccessDenied, NotFound):
            raise LinkNotFound from None
        if admission.standing is not Standing.LINK:
            raise LinkNotFound
        return admission.listed

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

    def _credentials(self, req: Request) -> Credentials:
        return Credentials(sign_in=self._signer.presented(req))

    def _organizations(self, user_id: str) -> tuple[ListedOrganization, ...]:
        return tuple(
            listed for listed in self._directory.organizations() if user_id in listed.organization.roles
        )
