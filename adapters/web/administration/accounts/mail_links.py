"""Links by mail: asking for one, signing in with it, and confirming an address."""

from urllib.parse import urlencode

import falcon
from attrs import frozen
from falcon.asgi import Request, Response

from footfall.adapters.web.administration.accounts.account import AccountForm
from footfall.adapters.web.administration.accounts.sign_in_step import SignInStep, local_address
from footfall.adapters.web.session.forms import FormResource, read_form
from footfall.application.access.authorization import Access
from footfall.domain.exceptions import Invalid, NotFound, SignInRefused


class MailIsOff(NotFound):
    """Links by mail are not configured."""

    def __init__(self) -> None:
        super().__init__("This service sends no mail")


@frozen
class MailLinkRequest(FormResource, SignInStep):
    """POST /sign-in/mail: sends a link to an address; the answer is the same for every address."""

    page_of_form = "/sign-in"
    access_post = Access.OPEN

    async def on_post(self, req: Request, resp: Response) -> None:
        """Send a link if the address belongs to an account."""
        form = await read_form(req)
        links, target = self._services.sign_in_ways.mail_links, local_address(form.text("next"))
        if not links.enabled:
            raise MailIsOff
        address = form.text("address")
        try:
            await links.request(address, client=self.client(req))
        except Invalid as refusal:
            errors = refusal.field_errors
            status = falcon.HTTP_400
            await self.show_sign_in(
                req, resp, target=target, status=status, field_errors=errors, address=address
            )
            return
        raise falcon.HTTPSeeOther(f"/sign-in?{urlencode({'next': target, 'done': 'mail'})}")


@frozen
class MailSignIn(SignInStep):
    """GET and POST /sign-in/mail/<token>.

    GET only shows a button, because mail programs open links to preview them.
    """

    access_get = access_post = Access.OPEN

    async def on_get(self, req: Request, resp: Response, token: str) -> None:
        """Show the button that signs in."""
        await self.renderer.render(req, resp, "sign_in_link.html", action=f"/sign-in/mail/{token}")

    async def on_post(self, req: Request, resp: Response, token: str) -> None:
        """Sign in; the link is used up."""
        await read_form(req)
        await self.require_attempt(req)
        links = self._services.sign_in_ways.mail_links
        try:
            sign_in = await links.sign_in(token, request_id=req.context.request_id)
        except SignInRefused as refusal:
            await self.refuse(req, resp, "link", refusal)
            return
        self.open_sign_in(req, resp, sign_in)


@frozen
class AddressVerification(AccountForm):
    """POST /account/address: sends a link that confirms the address of the signed-in user."""

    async def on_post(self, req: Request, _resp: Response) -> None:
        """Send the link."""
        form = await self._access.form(req)
        is_sent = await self._services.sign_in_ways.mail_links.request_verification(form.caller.user_id)
        raise falcon.HTTPSeeOther("/account?done=verification-sent" if is_sent else "/account")


@frozen
class AddressConfirmation(SignInStep):
    """GET and POST /account/address/<token>: the link of the mail, for the user who asked for it."""

    access_get = access_post = Access.USER

    async def on_get(self, req: Request, resp: Response, token: str) -> None:
        """Show the button that confirms."""
        await self._access.caller(req)
        action = f"/account/address/{token}"
        await self.renderer.render(req, resp, "address_confirmation.html", action=action)

    async def on_post(self, req: Request, resp: Response, token: str) -> None:
        """Confirm the address; the link is used up."""
        form = await self._access.form(req)
        await self.require_attempt(req)
        try:
            await self._services.sign_in_ways.mail_links.verify(
                form.caller.user_id, token, request_id=req.context.request_id
            )
        except SignInRefused as refusal:
            await self.refuse(req, resp, "link", refusal)
            return
        raise falcon.HTTPSeeOther("/account?done=address-confirmed")
