"""The id and the credentials of a request."""

import re
import secrets
from itertools import count

from falcon.asgi import Request

from footfall.application.access.authorization import Credentials

_GIVEN_ID = re.compile(r"[A-Za-z0-9_.:-]{1,64}")


class RequestIds:
    """Ids of requests: the caller's own when it is well formed, else one that is unique across processes."""

    def __init__(self) -> None:
        self._prefix = secrets.token_hex(6)
        self._numbers = count(1)

    def of(self, req: Request) -> str:
        """Return the id of a request."""
        return self.named(req.get_header("X-Request-Id"))

    def named(self, header: str | None) -> str:
        """Return the id of a request by its X-Request-Id header."""
        if header is not None and _GIVEN_ID.fullmatch(header):
            return header
        return f"{self._prefix}-{next(self._numbers):x}"


def credentials(req: Request) -> Credentials:
    """Return the bearer key and the private link's key of a request."""
    private_link = req.get_header("X-Private-Key") or req.get_param("private_key")
    return Credentials(key=bearer(req), private_link=private_link)


def bearer(req: Request) -> str | None:
    """Return the key of the Authorization header; None when there is no such header."""
    header = req.get_header("Authorization")
    return None if header is None else bearer_key(header)


def bearer_key(authorization: str) -> str:
    """Return the key in the value of an Authorization header; an empty, unknown key for a header of another form."""
    scheme, _, key = authorization.partition(" ")
    return key.strip() if scheme.lower() == "bearer" else ""
