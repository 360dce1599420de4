"""What a browser keeps for a user: a signed cookie, and tokens that prove a form to be ours."""

import hmac

from falcon.asgi import Request, Response
from itsdangerous import BadData, URLSafeSerializer

from footfall.application.access import PresentedSignIn
from footfall.domain.user import SIGN_IN_LIFETIME

COOKIE = "footfall_sign_in"


class Signer:
    """Writes and reads the cookie; both it and the tokens of forms need the server's secret."""

    def __init__(self, secret: bytes) -> None:
        self._cookies = URLSafeSerializer(secret, salt="footfall.sign-in")
        self._forms = URLSafeSerializer(secret, salt="footfall.form")

    def presented(self, req: Request) -> PresentedSignIn | None:
        """Return what the cookie says; None when there is none, or when it is not ours."""
        try:
            user_id, sign_in_id = self._cookies.loads(req.cookies.get(COOKIE, ""))
        except (BadData, TypeError, ValueError):
            return None
        return PresentedSignIn(str(user_id), str(sign_in_id))

    def remember(self, req: Request, resp: Response, presented: PresentedSignIn) -> None:
        """Give the browser its cookie, which no script and no other site can use."""
        resp.set_cookie(
            COOKIE,
            self._written([presented.user_id, presented.sign_in_id]),
            max_age=int(SIGN_IN_LIFETIME.total_seconds()),
            path="/",
            secure=_secure(req),
            http_only=True,
            same_site="Lax",
        )

    def forget(self, resp: Response) -> None:
        """Take the cookie from the browser."""
        resp.unset_cookie(COOKIE, path="/", same_site="Lax")

    def form_token(self, presented: PresentedSignIn) -> str:
        """Return the token that forms of this sign-in carry."""
        return str(self._forms.dumps(presented.sign_in_id))

    def proves(self, token: str, presented: PresentedSignIn) -> bool:
        """Whether a form's token belongs to this sign-in."""
        return hmac.compare_digest(token.encode("utf-8", "replace"), self.form_token(presented).encode())

    def _written(self, value: list[str]) -> str:
        return str(self._cookies.dumps(value))


def _secure(req: Request) -> bool:
    # A forged header could only keep the forger's own browser from sending the cookie back.
    return req.scheme == "https" or req.get_header("X-Forwarded-Proto") == "https"
