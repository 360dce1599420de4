"""What the head of a request must have and the server does not ask for."""

from typing import Any

from attrs import frozen

from footfall.adapters.http.wire.responses import encode, failure

_NO_HOST_REQUIRED = "1.0"
_EXPECTED = b"100-continue"


@frozen
class EdgeRefusal:
    """An answer that is given before any route is asked."""

    status: int
    body: bytes


NO_HOST = EdgeRefusal(
    400, encode(failure("Invalid request", field_errors={"Host": ["is required in HTTP/1.1"]}))
)
UNKNOWN_EXPECTATION = EdgeRefusal(
    417, encode(failure("Expectation failed", field_errors={"Expect": ["must be 100-continue"]}))
)


def head_fault(scope: dict[str, Any]) -> EdgeRefusal | None:
    """Return the refusal of a request without a host, or with an expectation that is unknown (RFC 9110); else None."""
    if scope["http_version"] == _NO_HOST_REQUIRED:
        return None
    named = False
    for name, value in scope["headers"]:
        if name == b"host":
            named = True
        elif name == b"expect" and value.lower() != _EXPECTED:
            return UNKNOWN_EXPECTATION
    return None if named else NO_HOST
