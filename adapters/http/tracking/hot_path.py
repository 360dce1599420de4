"""POST /api/track in plain ASGI, in front of the framework: most requests are single events."""

import time
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

import falcon
from attrs import frozen

from footfall.adapters.http.tracking.cors import cors_headers
from footfall.adapters.http.tracking.responses import HttpReply
from footfall.adapters.http.tracking.tracking_requests import Tracker, request_origin
from footfall.adapters.http.wire.body_limits import TOO_LARGE, Application, Event, Receive, Send, handed_on
from footfall.adapters.http.wire.client_address import ClientAddress, peer_of
from footfall.adapters.http.wire.context import RequestIds
from footfall.adapters.http.wire.failures import internal_error
from footfall.adapters.http.wire.middleware import Record
from footfall.adapters.http.wire.responses import JSON_TYPE, STANDING_HEADERS, encode
from footfall.application.ingestion.draft import RequestOrigin

TRACK_PATH = "/api/track"

_READ: Mapping[bytes, str] = MappingProxyType(
    {
        name.encode(): name
        for name in (
            "accept-language",
            "authorization",
            "idempotency-key",
            "origin",
            "referer",
            "sec-ch-ua",
            "sec-ch-ua-mobile",
            "sec-ch-ua-platform",
            "user-agent",
            "x-forwarded-for",
            "x-request-id",
        )
    }
)
# As Falcon reads repeated headers: of these the last one counts, the others are joined.
_SINGLE = frozenset({"referer", "user-agent"})
_MOST_REMEMBERED = 256
_Lines = list[tuple[bytes, bytes]]


@frozen
class HotPath:
    """Answers single tracking events and passes every other request to the framework."""

    _application: Application
    _tracker: Tracker
    _client_address: ClientAddress
    _request_ids: RequestIds
    _record: Record

    async def __call__(self, scope: Event, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http" or scope["path"] != TRACK_PATH or scope["method"] != "POST":
            await self._application(scope, receive, send)
            return
        started = time.perf_counter()
        headers = _headers(scope["headers"])
        request_id = self._request_ids.named(headers.get("x-request-id"))
        reply = await self._reply(scope, headers, receive, request_id)
        status = int(reply.status[:3])
        self._record.answered(request_id, "POST", TRACK_PATH, status, time.perf_counter() - started)
        lines = _answer_lines(reply, request_id, headers.get("origin"))
        await send({"type": "http.response.start", "status": status, "headers": lines})
        await send({"type": "http.response.body", "body": reply.body})

    async def _reply(
        self, scope: Event, headers: Mapping[str, str], receive: Receive, request_id: str
    ) -> HttpReply:
        try:
            address = self._client_address.behind(peer_of(scope), headers.get("x-forwarded-for"))
            return await self._event(request_origin(headers.get, address), receive)
        except Exception as error:  # noqa: BLE001 - the framework, which would answer, is behind this
            failed = encode(internal_error(error, request_id))
            return HttpReply(falcon.HTTP_500, failed, {"Cache-Control": "no-store"})

    async def _event(self, origin: RequestOrigin, receive: Receive) -> HttpReply:
        try:
            body = await handed_on(receive)
        except falcon.HTTPContentTooLarge:
            return self._tracker.unreadable(origin, falcon.HTTP_413, TOO_LARGE)
        return await self._tracker.event(body, origin)


def _headers(lines: _Lines) -> dict[str, str]:
    read = [(_READ[line], value.decode("latin-1")) for line, value in lines if line in _READ]
    headers = dict(read)
    if len(headers) != len(read):
        for name in headers.keys() - _SINGLE:
            headers[name] = ",".join([value for header, value in read if header == name])
    return headers


def _lines(headers: Mapping[str, str]) -> _Lines:
    return [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()]


def _answer_lines(reply: HttpReply, request_id: str, origin: str | None) -> _Lines:
    # Long origins come from no page; they would fill the memory.
    remembers = origin is None or len(origin) <= _MOST_REMEMBERED
    lines = list(_remembered_lines(origin) if remembers else _common_lines(origin))
    if reply.headers:
        lines += _lines(reply.headers)
    lines.append((b"x-request-id", request_id.encode("latin-1")))
    lines.append((b"content-length", b"%d" % len(reply.body)))
    return lines


def _common_lines(origin: str | None) -> _Lines:
    return _lines({**STANDING_HEADERS, "Content-Type": JSON_TYPE, **cors_headers(origin)})


_remembered_lines = lru_cache(maxsize=1024)(_common_lines)
