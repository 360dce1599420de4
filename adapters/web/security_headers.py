"""The content security policy and the other security headers of pages."""

from collections.abc import Sequence

from falcon.asgi import Response

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors "
)


def set_security_headers(resp: Response) -> None:
    """Forbid framing, caching, foreign content and referrers to other sites."""
    resp.set_headers(
        {
            "Content-Security-Policy": f"{_POLICY}'none'",
            "X-Frame-Options": "DENY",
            "Cache-Control": "no-store",
            "Referrer-Policy": "same-origin",
            "X-Content-Type-Options": "nosniff",
        }
    )


def allow_framing(resp: Response, origins: Sequence[str]) -> None:
    """Let pages of these origins frame a response that was rendered without a user."""
    if origins:
        resp.set_header("Content-Security-Policy", _POLICY + " ".join(origins))
        # This header cannot name origins, and browsers that read the policy ignore it.
        resp.delete_header("X-Frame-Options")
