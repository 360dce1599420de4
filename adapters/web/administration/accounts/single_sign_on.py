"""Single sign-on by OpenID Connect: the way to the provider, the way back, and linked identities."""

import hmac
from urllib.parse import urlencode

import falcon
from attrs import field, frozen
from falcon.asgi import Request, Response
from itsdangerous import BadData, URLSafeSerializer

from footfall.adapters.web.administration.accounts.account import AccountForm
from footfall.adapters.web.administration.accounts.sign_in_step import SignInStep, local_address, redirect
from footfall.adapters.web.session.cookies import SignInCookies
from footfall.adapters.web.session.origins import is_from_another_site, is_from_here
from footfall.application.access.authorization import Access
from footfall.application.ports.accounts.identity_providers import (
    IdentityRefused,
    IdentityTaken,
    ProviderUnavailable,
    SignInProof,
)
from footfall.application.sign_in.attempts import client_subject
from footfall.application.sign_in.identities import FLOW_LIFETIME, Returned
from footfall.domain.attempt_limits import CHALLENGES_OF_CLIENT, UNPROVEN_CHALLENGES_OF_CLIENT
from footfall.domain.exceptions import SignInRefused

CALLBACK = "/sign-in/oidc/callback"
COOKIE = "footfall_single_sign_on"
_PATH = "/sign-in/oidc"
_FOREIGN = "Single sign-on was begun in another browser, or took too long. Try again"


class ProofCookies:
    """Keeps the proof of a request in the browser that began it, signed with the secret of the server."""

    def __init__(self, secret: bytes, cookies: SignInCookies) -> None:
        self._signatures = URLSafeSerializer(secret, salt="footfall.single-sign-on")
        self._cookies = cookies

    def set(self, req: Request, resp: Response, proof: SignInProof, target: str) -> None:
        """Set the cookie, which the browser sends when it comes back from the provider."""
        signed = str(self._signatures.dumps([proof.state, proof.nonce, proof.verifier, target]))
        self._cookies.keep(req, resp, COOKIE, signed, path=_PATH, seconds=int(FLOW_LIFETIME.total_seconds()))

    def take(self, req: Request, resp: Response) -> tuple[SignInProof, str] | None:
        """Return the proof and the page that was asked for, and delete the cookie.

        Without a valid cookie, or with another state than that of the request, it is None and the cookie stays: a page
        of another site could end a sign-in otherwise.
        """
        presented = req.get_param("state") or ""
        try:
            state, nonce, verifier, target = self._signatures.loads(req.cookies.get(COOKIE, ""))
        except (BadData, TypeError, ValueError):
            return None
        if not hmac.compare_digest(presented.encode(), str(state).encode()):
            return None
        resp.unset_cookie(COOKIE, path=_PATH, same_site="Lax")
        return SignInProof(state=str(state), nonce=str(nonce), verifier=str(verifier)), str(target)


@frozen
class SingleSignOn(SignInStep):
    """GET /sign-in/oidc: leads to the provider.

    It is a link and no form, because the policy of the pages lets forms lead to this service only.
    """

    access_get = Access.OPEN

    _proofs: ProofCookies = field(repr=False)

    async def on_get(self, req: Request, resp: Response) -> None:
        """Lead to the provider; a link or an image of another site leads to the sign-in page."""
        target = local_address(req.get_param("next"))
        if is_from_another_site(req):
            redirect(resp, f"/sign-in?{urlencode({'next': target})}")
            return
        limit = CHALLENGES_OF_CLIENT if is_from_here(req) else UNPROVEN_CHALLENGES_OF_CLIENT
        try:
            url, proof = await self._services.sign_in_ways.identities.begin(
                limit, client_subject(self.client(req))
            )
        except ProviderUnavailable as failure:
            await _render_failure(self, req, resp, failure, target)
            return
        self._proofs.set(req, resp, proof, target)
        redirect(resp, url)


@frozen
class SingleSignOnCallback(SignInStep):
    """GET /sign-in/oidc/callback: the browser comes back with a code."""

    access_get = Access.OPEN

    _proofs: ProofCookies = field(repr=False)

    async def on_get(self, req: Request, resp: Response) -> None:
        """Sign in, or link the identity that the code proves.

        Only an answer to a request of this browser is an attempt that counts: a page of another site cannot know its
        state.
        """
        attempt = self._proofs.take(req, resp)
        if attempt is None:
            await self.show_sign_in(req, resp, status=falcon.HTTP_400, field_errors={"identity": [_FOREIGN]})
            return
        proof, target = attempt[0], local_address(attempt[1])
        await self.require_attempt(req)
        try:
            code = _code(req)
            viewer, request_id = await self._access.viewer(req), req.context.request_id
            sign_in = await self._services.sign_in_ways.identities.finish(
                Returned(code=code, issuer=req.get_param("iss")),
                proof,
                signed_in=viewer.user_id if viewer else None,
                request_id=request_id,
            )
        except ProviderUnavailable as failure:
            await _render_failure(self, req, resp, failure, target)
        except (SignInRefused, IdentityTaken) as refusal:
            await self.refuse(req, resp, "identity", refusal, target=target)
        else:
            if sign_in is None:
                redirect(resp, "/account?done=identity-linked#identities")
            else:
                self.open_sign_in(req, resp, sign_in, target)


@frozen
class IdentityLink(SignInStep):
    """GET /account/identities/link: leads a signed-in user to the provider, to link an identity."""

    access_get = Access.USER

    _proofs: ProofCookies = field(repr=False)

    async def on_get(self, req: Request, resp: Response) -> None:
        """Lead to the provider."""
        caller = await self._access.caller(req)
        if is_from_another_site(req):
            raise falcon.HTTPForbidden(title="This link was opened from another site")
        url, proof = await self._services.sign_in_ways.identities.begin_linking(caller.user_id)
        self._proofs.set(req, resp, proof, "/account")
        redirect(resp, url)


@frozen
class IdentityRemoval(AccountForm):
    """POST /account/identities/<identity>/removal."""

    async def on_post(self, req: Request, _resp: Response, identity: str) -> None:
        """Unlink an identity."""
        form = await self._access.form(req)
        await self._services.sign_in_ways.identities.unlink(form.caller.user_id, identity, form.context)
        raise falcon.HTTPSeeOther("/account?done=identity-removed#identities")


def _code(req: Request) -> str:
    code = req.get_param("code")
    if code is None:
        raise IdentityRefused("Single sign-on was cancelled. Try again, or use another way to sign in")
    return code


async def _render_failure(
    step: SignInStep, req: Request, resp: Response, failure: ProviderUnavailable, target: str
) -> None:
    errors = {"identity": [failure.message]}
    await step.show_sign_in(req, resp, target=target, status=falcon.HTTP_502, field_errors=errors)
