"""Passkeys: options for the script of the pages, signing in, registration and removal."""

from collections.abc import Awaitable

import falcon
from attrs import frozen
from falcon.asgi import Request, Response

from footfall.adapters.web.administration.accounts.account import AccountForm, ShownAccountForm
from footfall.adapters.web.administration.accounts.sign_in_step import SignInStep, local_address
from footfall.adapters.web.security_headers import set_security_headers
from footfall.adapters.web.session.forms import Confirmation, FormResource, read_form
from footfall.application.access.authorization import Access
from footfall.application.languages.language import tr
from footfall.application.ports.journal import StoreUnavailable
from footfall.application.sign_in.attempts import TooManyAttempts
from footfall.application.sign_in.passkeys import PasskeysAreOff
from footfall.domain.exceptions import Invalid, SignInRefused


@frozen
class PasskeySignInOptions(FormResource, SignInStep):
    """POST /sign-in/passkey/options: a challenge for the script of the sign-in page, as JSON."""

    page_of_form = "/sign-in"
    access_post = Access.OPEN

    async def on_post(self, req: Request, resp: Response) -> None:
        """Return the options."""
        await read_form(req)
        await _answer(resp, self._services.sign_in_ways.passkeys.sign_in_options(client=self.client(req)))


@frozen
class PasskeySignInPage(FormResource, SignInStep):
    """POST /sign-in/passkey: signs in with the answer of an authenticator."""

    page_of_form = "/sign-in"
    access_post = Access.OPEN

    async def on_post(self, req: Request, resp: Response) -> None:
        """Sign in."""
        form = await read_form(req)
        await self.require_attempt(req)
        target = local_address(form.text("next"))
        try:
            sign_in = await self._services.sign_in_ways.passkeys.sign_in(
                form.raw("answer"), request_id=req.context.request_id
            )
        except SignInRefused as refusal:
            await self.refuse(req, resp, "passkey", refusal, target=target)
            return
        self.open_sign_in(req, resp, sign_in, target)


@frozen
class PasskeyRegistrationOptions(AccountForm):
    """POST /account/passkeys/options: a challenge for the script of the account page, as JSON."""

    async def on_post(self, req: Request, resp: Response) -> None:
        """Return the options."""
        form = await self._access.form(req)
        await _answer(resp, self._services.sign_in_ways.passkeys.registration_options(form.caller.user_id))


@frozen
class PasskeyRegistration(ShownAccountForm):
    """POST /account/passkeys: stores the passkey that the browser has made."""

    async def on_post(self, req: Request, resp: Response) -> None:
        """Store the passkey."""
        form = await self._access.form(req)
        name, answer = form.text("passkey_name"), form.raw("answer")
        try:
            await self._services.sign_in_ways.passkeys.register(
                form.caller.user_id, name, answer, form.context
            )
        except Invalid as refusal:
            errors = {"passkey_name": refusal.field_errors["name"]}
        except SignInRefused as refusal:
            errors = {"passkey_name": [refusal.message]}
        else:
            raise falcon.HTTPSeeOther("/account?done=passkey-registered#passkeys")
        await self._account.render(req, resp, status=falcon.HTTP_400, field_errors=errors, passkey_name=name)


@frozen
class PasskeyRemoval(AccountForm):
    """POST /account/passkeys/<passkey>/removal."""

    async def on_post(self, req: Request, _resp: Response, passkey: str) -> None:
        """Remove a passkey, after a confirmation."""
        form = await self._access.form(req)
        chosen = await self._services.sign_in_ways.passkeys.find(form.caller.user_id, passkey)
        form.require_confirmation(_removal(chosen.name))
        await self._services.sign_in_ways.passkeys.remove(form.caller.user_id, passkey, form.context)
        raise falcon.HTTPSeeOther("/account?done=passkey-removed#passkeys")


async def _answer(resp: Response, options: Awaitable[str]) -> None:
    """Make options, or the reason why there are none, the response for a script."""
    resp.content_type = falcon.MEDIA_JSON
    set_security_headers(resp)
    try:
        resp.text = await options
    except PasskeysAreOff as refusal:
        resp.status, resp.media = falcon.HTTP_404, {"error": refusal.message}
    except TooManyAttempts as refusal:
        resp.status, resp.media = falcon.HTTP_429, {"error": refusal.message}
        resp.set_header("Retry-After", str(refusal.retry_after))
    except StoreUnavailable:
        resp.status, resp.media = (
            falcon.HTTP_503,
            {"error": "The database is not available. Try again in a moment"},
        )


def _removal(name: str) -> Confirmation:
    return Confirmation(
        question=tr("Remove the passkey “{name}”?", name=name),
        consequence="It signs no browser in any more. Browsers that are signed in stay signed in. Delete the passkey in"
        " your browser or password manager, too.",
        button="Remove passkey",
        cancel="/account#passkeys",
    )
