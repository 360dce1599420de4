"""The signed cookies of sign-ins and of opened links, and the tokens that protect forms from forgery by other sites."""

import hmac

from falcon.asgi import Request, Response
from itsdangerous import BadData, URLSafeSerializer, URLSafeTimedSerializer

from footfall.application.access.authorization import PresentedSignIn
from footfall.domain.accounts.user import SIGN_IN_LIFETIME

COOKIE = "footfall_sign_in"
LINK_COOKIE = "footfall_link"
# For so long a browser is not asked for the password of a link again.
LINK_SECONDS = 12 * 3600


class SignInCookies:
    """Signs and verifies cookies and form tokens with the secret of the server.

    Where the `origin` of the service is https, browsers send the cookie over https only, however a request came in.
    """

    def __init__(self, secret: bytes, *, origin: str) -> None:
        self._cookies = URLSafeSerializer(secret, salt="footfall.sign-in")
        self._forms = URLSafeSerializer(secret, salt="footfall.form")
        self._links = URLSafeTimedSerializer(secret, salt="footfall.link")
        self._origin = origin

    def link_proof(self, req: Request) -> str | None:
        """Return the proof that this browser gave the password of a link within half a day; None without one."""
        try:
            return str(self._links.loads(req.cookies.get(LINK_COOKIE, ""), max_age=LINK_SECONDS))
        except (BadData, TypeError, ValueError):
            return None

    def open_link(self, req: Request, resp: Response, path: str, proof: str) -> None:
        """Set the cookie that opens the pages of a link, below its path alone."""
        self.keep(req, resp, LINK_COOKIE, str(self._links.dumps(proof)), path=path, seconds=LINK_SECONDS)

    def read(self, req: Request) -> PresentedSignIn | None:
        """Return the sign-in of a request's cookie; None without a cookie or with a wrong signature."""
        try:
            user_id, sign_in_id = self._cookies.loads(req.cookies.get(COOKIE, ""))
        except (BadData, TypeError, ValueError):
            return None
        return PresentedSignIn(str(user_id), str(sign_in_id))

    def owner(self, req: Request) -> str:
        """Return the id of the sign-in of a request; empty without one."""
        sign_in = self.read(req)
        return "" if sign_in is None else sign_in.sign_in_id

    def set(self, req: Request, resp: Response, sign_in: PresentedSignIn) -> None:
        """Set the cookie, which scripts cannot read and other sites cannot send with forms."""
        signed = str(self._cookies.dumps([sign_in.user_id, sign_in.sign_in_id]))
        self.keep(req, resp, COOKIE, signed, path="/", seconds=int(SIGN_IN_LIFETIME.total_seconds()))

    def delete(self, resp: Response) -> None:
        """Delete the cookie from the browser."""
        resp.unset_cookie(COOKIE, path="/", same_site="Lax")

    def keep(
        self,
        req: Request,
        resp: Response,
        name: str,
        value: str,
        *,
        path: str,
        seconds: int,
        strict: bool = False,
    ) -> None:
        """Set a cookie that no script reads; one that is `strict` is not sent from links of other sites."""
        resp.set_cookie(
            name,
            value,
            max_age=seconds,
            path=path,
            secure=_is_https(req, self._origin),
            http_only=True,
            same_site="Strict" if strict else "Lax",
        )

    def form_token(self, sign_in: PresentedSignIn) -> str:
        """Return the token for the forms of a sign-in."""
        return str(self._forms.dumps(sign_in.sign_in_id))

    def is_form_token(self, token: str, sign_in: PresentedSignIn) -> bool:
        """Return whether a token belongs to a sign-in."""
        return hmac.compare_digest(token.encode("utf-8", "replace"), self.form_token(sign_in).encode())


def _is_https(req: Request, origin: str) -> bool:
    """Return whether the service, or this request, is reached over https."""
    # A forged header could only keep the forger's own browser from sending the cookie back.
    return (
        origin.startswith("https://")
        or req.scheme == "https"
        or req.get_header("X-Forwarded-Proto") == "https"
    )
