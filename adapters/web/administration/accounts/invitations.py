"""The page of an invitation's link: joins an organization with the signed-in account or with a new one."""

import falcon
from attrs import frozen
from falcon.asgi import Request, Response

from footfall.adapters.web.administration.accounts.sign_in_step import SignInStep, redirect
from footfall.adapters.web.session.forms import Form, read_form
from footfall.application.access.authorization import Access
from footfall.application.sign_in.attempts import client_subject
from footfall.domain.attempt_limits import REFUSALS_OF_CLIENT
from footfall.domain.exceptions import Invalid, InvitationRefused


@frozen
class InvitationPage(SignInStep):
    """GET and POST /invitations/<organization_id>/<token>.

    GET only shows forms, because mail programs and chats open links to preview them.
    """

    access_get = access_post = Access.OPEN

    async def on_get(self, req: Request, resp: Response, organization: str, token: str) -> None:
        """Show who invites to what, and the ways to accept."""
        try:
            await self._render(req, resp, organization, token)
        except InvitationRefused:
            await self._render_to_member(req, resp, organization)

    async def on_post(self, req: Request, resp: Response, organization: str, token: str) -> None:
        """Join with the signed-in account, or create one; the link is used up."""
        form = await read_form(req)
        try:
            await self._attempt(req, organization, token)
        except InvitationRefused:
            # The second click on a button that has let this user join.
            await self._render_to_member(req, resp, organization)
            return
        if await self._access.viewer(req) is not None:
            self._access.verified(req, form)
            context = await self._access.command_context(req)
            await self._services.invitations.join(organization, token, context)
        elif not await self._joined_as_new_user(req, resp, organization, token, form):
            return
        redirect(resp, "/sites?done=joined")

    async def _joined_as_new_user(
        self, req: Request, resp: Response, organization: str, token: str, form: Form
    ) -> bool:
        try:
            sign_in = await self._services.invitations.join_as_new_user(
                organization,
                token,
                name=form.raw("name"),
                address=form.raw("address"),
                request_id=req.context.request_id,
            )
        except Invalid as refusal:
            values = {"field_errors": refusal.field_errors, "form": form.values}
            await self._render(req, resp, organization, token, status=falcon.HTTP_400, **values)
            return False
        self._cookies.set(req, resp, sign_in)
        return True

    async def _attempt(self, req: Request, organization: str, token: str) -> None:
        """Count a link that is none against the client that sent its form.

        Opening such a page is not counted: any page of another site could cause that, with an image, and would keep
        all persons behind the same address from signing in.

        Raises:
            TooManyAttempts: the client sent too many of them.
            InvitationRefused: this is one of them.

        """
        attempts, client = self._services.invitations.attempts, client_subject(self.client(req))
        await attempts.require(REFUSALS_OF_CLIENT, client)
        try:
            await self._services.invitations.find(organization, token)
        except InvitationRefused:
            await attempts.note(REFUSALS_OF_CLIENT, client)
            raise

    async def _render_to_member(self, req: Request, resp: Response, organization: str) -> None:
        """Say to a member that nothing is left to do; raise InvitationRefused again for other users."""
        viewer = await self._access.viewer(req)
        organizations = [record.organization for record in viewer.organizations] if viewer else []
        for joined in organizations:
            if joined.organization_id == organization:
                await self.renderer.render(req, resp, "invitation_over.html", organization=joined)
                return
        raise InvitationRefused

    async def _render(
        self, req: Request, resp: Response, organization: str, token: str, **values: object
    ) -> None:
        presented = await self._services.invitations.find(organization, token)
        viewer = await self._access.viewer(req)
        person = await self._services.commands.people.of(viewer.user_id) if viewer else None
        await self.renderer.render(
            req,
            resp,
            "invitation.html",
            **{"form": {}, "presented": presented, "person": person, "viewer": viewer} | values,  # type: ignore[arg-type]
        )
        # The address contains the token, which must not reach other sites, caches or search engines.
        resp.set_header("Cache-Control", "no-store")
        resp.set_header("X-Robots-Tag", "noindex")
