"""The HTTP interface of the service, as the MCP server reads it."""

import json
from typing import Any

from attrs import frozen

from footfall import __version__
from footfall.adapters.outgoing.client import SUCCESS, HttpClient, OutgoingRequest, Unanswered

WAIT_SECONDS = 60.0
SECONDS = 120.0
MAX_ANSWER = 64 << 20
_POSITIONS = "Footfall-Positions"
_INCOMPLETE = "Footfall-Incomplete"
_EXCLUDED = "Footfall-Excluded"
_HEADERS = {"Accept": "application/json", "User-Agent": f"footfall-mcp/{__version__}"}


class RequestRefused(Exception):
    """The interface refused a request, or did not answer; the text is for the caller of the tool."""


@frozen(kw_only=True)
class InterfaceAnswer:
    """The body of an answer, the positions that it is made from, and the stored events that are not in it yet.

    `excluded` are the sessions that exclusion rules leave out.
    """

    body: Any
    positions: str | None
    incomplete: int
    excluded: int


@frozen
class Interface:
    """Reads from a running service at an origin; no redirect is followed, so that keys stay with this service."""

    _client: HttpClient
    _origin: str

    async def read(self, address: str, authorization: str | None) -> InterfaceAnswer:
        """Return the answer to a GET of a path with its query.

        Raises:
            Refused: the interface refused the request, or the service did not answer.

        """
        headers = _HEADERS if authorization is None else {**_HEADERS, "Authorization": authorization}
        try:
            answer = await self._client.send(OutgoingRequest("GET", f"{self._origin}{address}", headers))
        except Unanswered as failure:
            raise RequestRefused(failure.about(self._origin)) from None
        except ValueError:
            raise RequestRefused("the key cannot be sent in a header") from None
        try:
            body = answer.json()
        except ValueError as fault:
            raise RequestRefused(
                f"{self._origin} answered {answer.status}, and {fault}: is it a Footfall service?"
            ) from None
        if answer.status not in SUCCESS:
            raise RequestRefused(_refusal(answer.status, body))
        return InterfaceAnswer(
            body=body,
            positions=answer.headers.get(_POSITIONS),
            incomplete=int(answer.headers.get(_INCOMPLETE, "0")),
            excluded=int(answer.headers.get(_EXCLUDED, "0")),
        )


def new_client() -> HttpClient:
    """Return the client for requests to the service."""
    return HttpClient(wait_seconds=WAIT_SECONDS, seconds=SECONDS, most_bytes=MAX_ANSWER, uses_proxies=True)


def _refusal(status: int, body: Any) -> str:
    """Return the text of a failure: its status, its message, and the errors of fields."""
    answer = body if isinstance(body, dict) else {}
    details = answer.get("details")
    text = f"{status} {answer.get('error', 'without a message')}"
    return f"{text}: {json.dumps(details, ensure_ascii=False)}" if details else text
