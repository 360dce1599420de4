"""Checks of the head of a request and of the length of its address, which the server does not make."""

from typing import Any

from attrs import frozen

from footfall.adapters.http.wire.responses import encode, failure

_NO_HOST_REQUIRED = "1.0"
_EXPECTED = b"100-continue"
# Filters are part of the address, and so is the longest message of an error, with every one of its bytes escaped. The
# server takes longer ones, so that the refusal is an answer like every other.
LONGEST_ADDRESS = 112 * 1024


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
LONG_ADDRESS = EdgeRefusal(
    414,
    encode(
        failure(
            "URI too long", form_errors=[f"Path and query together are at most {LONGEST_ADDRESS // 1024} KiB"]
        )
    ),
)


def head_fault(scope: dict[str, Any]) -> EdgeRefusal | None:
    """Return the refusal of a request, else None.

    It is refused with an address that is too long, without a host, or with an unknown expectation (RFC 9110).
    """
    if len(scope.get("raw_path") or b"") + len(scope.get("query_string") or b"") >= LONGEST_ADDRESS:
        return LONG_ADDRESS
    if scope["http_version"] == _NO_HOST_REQUIRED:
        return None
    named = False
    for name, value in scope["headers"]:
        if name == b"host":
            named = True
        elif name == b"expect" and value.lower() != _EXPECTED:
            return UNKNOWN_EXPECTATION
    return None if named else NO_HOST
