"""The HTTP interface of the service, as the MCP server reads it."""

import json
from collections.abc import Mapping
from typing import Any

import httpx2
from attrs import frozen

from footfall import __version__

SECONDS = 60.0
_POSITIONS = "Footfall-Positions"
_INCOMPLETE = "Footfall-Incomplete"


class Refused(Exception):
    """The interface refused a request, or did not answer; the text is for the caller of the tool."""


@frozen(kw_only=True)
class Answer:
    """The body of an answer, the positions that it is made from, and the stored events that are not in it yet."""

    body: Any
    positions: str | None
    incomplete: int


@frozen
class Interface:
    """Reads from a running service; requests follow no redirect, so that keys stay with this service."""

    _client: httpx2.AsyncClient

    async def read(self, path: str, query: Mapping[str, str], authorization: bytes | None) -> Answer:
        """Return the answer to a GET.

        Raises:
            Refused: the interface refused the request, or the service did not answer.

        """
        headers = {b"Accept": b"application/json"}
        if authorization is not None:
            headers[b"Authorization"] = authorization
        try:
            response = await self._client.get(path, params=query, headers=headers)
        except httpx2.RequestError as fault:
            raise Refused(f"{self._client.base_url} does not answer ({type(fault).__name__})") from None
        body = _body(response)
        if not response.is_success:
            raise Refused(_refusal(response.status_code, body))
        return Answer(
            body=body,
            positions=response.headers.get(_POSITIONS),
            incomplete=int(response.headers.get(_INCOMPLETE, "0")),
        )


def open_client(url: str, **options: Any) -> httpx2.AsyncClient:
    """Return a client for the service at an origin."""
    agent = {"User-Agent": f"footfall-mcp/{__version__}"}
    return httpx2.AsyncClient(base_url=url, headers=agent, timeout=SECONDS, follow_redirects=False, **options)


def _body(response: httpx2.Response) -> Any:
    try:
        return response.json()
    except ValueError:
        raise Refused(
            f"{response.request.url.host} answered {response.status_code} without JSON: is it a Footfall service?"
        ) from None


def _refusal(status: int, body: Any) -> str:
    """Return the text of a failure: its status, its message, and the errors of fields."""
    known = body if isinstance(body, dict) else {}
    details = known.get("details")
    text = f"{status} {known.get('error', 'without a message')}"
    return f"{text}: {json.dumps(details, ensure_ascii=False)}" if details else text
