"""POST /api/event: the events of scripts and libraries of Plausible (docs/protocols/plausible.md)."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, ClassVar
from urllib.parse import urlsplit

import falcon
from attrs import frozen

from footfall.adapters.http.protocols.endpoint import ForeignRequest
from footfall.adapters.http.tracking.responses import HttpReply
from footfall.adapters.http.wire.bodies import NotAnObject, decode_object
from footfall.adapters.http.wire.body_limits import TOO_LARGE
from footfall.adapters.http.wire.failures import RETRY_SECONDS
from footfall.adapters.http.wire.responses import encode
from footfall.application.ingestion.draft import RequestOrigin
from footfall.application.ingestion.foreign import ForeignIngestion
from footfall.application.ingestion.results import DropReason, TrackResult

_TEXT: Mapping[str, str] = MappingProxyType({"Content-Type": "text/plain; charset=utf-8"})
_OK = HttpReply(falcon.HTTP_202, b"ok", _TEXT)
# What its clients can mend, or should repeat; all else that is not stored is dropped, as Plausible says of it.
_REFUSALS: Mapping[DropReason, tuple[str, str]] = MappingProxyType(
    {
        DropReason.UNAVAILABLE: (falcon.HTTP_503, "Temporarily unavailable"),
        DropReason.INVALID_KEY: (falcon.HTTP_401, "Invalid API key"),
        DropReason.ACCESS_DENIED: (falcon.HTTP_403, "Access denied"),
        DropReason.KEY_REUSED: (falcon.HTTP_409, "Idempotency key reused"),
        DropReason.RATE_LIMITED: (falcon.HTTP_429, "Rate limit exceeded"),
    }
)
_NO_SITE = "can't be found among the sites that accept this protocol"


@frozen
class Plausible:
    """Translates events of Plausible."""

    request_headers: ClassVar[tuple[str, ...]] = ()

    _ingestion: ForeignIngestion

    async def answer(self, request: ForeignRequest) -> HttpReply:
        """Track an event on each of its sites."""
        try:
            body = decode_object(request.body)
        except NotAnObject:
            return self._unreadable(request.origin, "request", "Unable to parse request body as json")
        domains = _text(body, "d", "domain")
        if not domains:
            return self._unreadable(request.origin, "domain", "can't be blank")
        records = [await self._ingestion.find_site(name.strip()) for name in domains.split(",")]
        found = [record for record in records if record is not None]
        if not found:
            return _refusal(falcon.HTTP_404, "domain", _NO_SITE)
        event = _event(body)
        results = [await self._ingestion.track(record, event, request.origin) for record in found]
        return _reply(results, len(records) - len(found))

    def too_large(self, origin: RequestOrigin) -> HttpReply:
        """Count and refuse a body over 128 KiB."""
        self._ingestion.ingestion.malformed(origin)
        return _refusal(falcon.HTTP_413, "request", TOO_LARGE)

    def _unreadable(self, origin: RequestOrigin, name: str, message: str) -> HttpReply:
        self._ingestion.ingestion.malformed(origin)
        return _refusal(falcon.HTTP_400, name, message)


def _event(body: Mapping[str, Any]) -> dict[str, Any]:
    url = urlsplit(_text(body, "u", "url") or "")
    return {
        "type": "pageview",
        "hostname": url.hostname,
        "pathname": url.path or "/",
        "querystring": url.query,
        "referrer": _text(body, "r", "referrer"),
    }


def _text(body: Mapping[str, Any], *names: str) -> str | None:
    values = (body.get(name) for name in names)
    return next((value for value in values if isinstance(value, str)), None)


def _reply(results: list[TrackResult], unknown: int) -> HttpReply:
    for result in results:
        if result.reason is DropReason.INVALID:
            errors = {
                **result.field_errors,
                **({"request": result.form_errors} if result.form_errors else {}),
            }
            return HttpReply(falcon.HTTP_400, encode({"errors": errors}))
        if result.reason is not None and result.reason in _REFUSALS:
            status, message = _REFUSALS[result.reason]
            refused = _refusal(status, "request", message)
            waits = result.reason is DropReason.UNAVAILABLE
            return HttpReply(status, refused.body, {"Retry-After": RETRY_SECONDS} if waits else {})
    dropped = unknown + sum(result.reason is not None for result in results)
    return HttpReply(_OK.status, _OK.body, {**_TEXT, "x-plausible-dropped": str(dropped)}) if dropped else _OK


def _refusal(status: str, name: str, message: str) -> HttpReply:
    return HttpReply(status, encode({"errors": {name: [message]}}))
