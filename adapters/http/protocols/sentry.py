"""POST /api/{project}/envelope/ and /store/: the errors of Sentry SDKs (docs/track/protocols/sentry.md)."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, ClassVar
from uuid import uuid4

import falcon
from attrs import frozen

from footfall.adapters.http.protocols.endpoint import ForeignRequest
from footfall.adapters.http.protocols.sentry_envelope import (
    Envelope,
    TooLarge,
    UnknownEncoding,
    UnreadableEnvelope,
    decompressed,
)
from footfall.adapters.http.protocols.sentry_event import translated
from footfall.adapters.http.tracking.responses import HttpReply, TrackResponses
from footfall.adapters.http.wire.body_limits import TOO_LARGE
from footfall.adapters.http.wire.responses import encode
from footfall.application.ingestion.draft import RequestOrigin
from footfall.application.ingestion.foreign import ForeignEvent, ForeignIngestion
from footfall.application.ingestion.results import DROPPED, DropReason, TrackResult
from footfall.application.ingestion.sender_limit import SenderLimit
from footfall.application.journal.directory_records import SiteRecord

MESSAGE = "message"
# A site that is over its monthly limit stays so for long.
OVER_LIMIT_SECONDS = 3_600
_RESPONSES = TrackResponses(None)
_TOO_MANY = "Too many events from this address"


@frozen
class Sentry:
    """Takes what SDKs of Sentry send; `read` is how one of its endpoints is read."""

    request_headers: ClassVar[tuple[str, ...]] = ("X-Sentry-Auth", "sentry-trace", "baggage")

    _ingestion: ForeignIngestion
    _limit: SenderLimit
    _read: Callable[[bytes], Envelope]

    async def answer(self, request: ForeignRequest) -> HttpReply:
        """Track the event that comes with a request, and count what else does."""
        project = request.names["project"]
        [record] = await self._ingestion.find_sites((project,))
        if record is DropReason.UNAVAILABLE:
            return self._reply(DROPPED[record], taken=_NO_PROJECT)
        if not isinstance(record, SiteRecord):
            return _NO_PROJECT
        try:
            envelope = self._read(decompressed(request.body, request.header("content-encoding")))
            if envelope.event is not None and (wait := self._wait(record, request.origin)):
                self._ingestion.drop(record, DropReason.RATE_LIMITED)
                return _rate_limited(_TOO_MANY, wait, scope="key")
            event, event_id = envelope.opened()
        except UnknownEncoding:
            self._ingestion.refuse(project, request.origin)
            return _refused(falcon.HTTP_415, "Content-Encoding must be gzip, deflate or br")
        except TooLarge:
            self._ingestion.refuse(project, request.origin)
            return _refused(falcon.HTTP_413, TOO_LARGE)
        except UnreadableEnvelope as fault:
            self._ingestion.refuse(project, request.origin)
            return _refused(falcon.HTTP_400, "bad envelope", str(fault))
        for kind in envelope.ignored:
            self._ingestion.ignore(record, kind)
        return await self._event(record, event, event_id, request.origin)

    def too_large(self, origin: RequestOrigin) -> HttpReply:
        """Count and refuse a body over 1 MiB."""
        self._ingestion.malformed(origin)
        return _refused(falcon.HTTP_413, TOO_LARGE)

    def _wait(self, record: SiteRecord, origin: RequestOrigin) -> int:
        """Count an event before work is done for it; return the seconds until the address may send one."""
        return 0 if origin.key is not None else self._limit.take(record.site.site_id, origin.address)

    async def _event(
        self, record: SiteRecord, event: Mapping[str, Any] | None, event_id: str | None, origin: RequestOrigin
    ) -> HttpReply:
        named = {"id": event_id} if event_id else {}
        if event is None:
            return HttpReply(falcon.HTTP_200, encode(named))
        taken = HttpReply(falcon.HTTP_200, encode(named or {"id": uuid4().hex}))
        error = translated(event)
        if error is None:
            self._ingestion.ignore(record, MESSAGE)
            return taken
        if origin.origin is None and "hostname" not in error:
            # A program on a server has no page that names the site, and its word for it would prove nothing.
            error["hostname"] = record.site.domain
        own = ForeignEvent(record=record, payload={**error, "event_id": event_id})
        return self._reply(await self._ingestion.track(own, origin), taken)

    def _reply(self, result: TrackResult, taken: HttpReply) -> HttpReply:
        reset = self._ingestion.seconds_until_free(result.rate)
        headers = _RESPONSES.reply(result, reset=reset).headers
        status, body = _RESPONSES.answer(result)
        if body["success"]:
            return HttpReply(taken.status, taken.body, headers)
        if result.reason is DropReason.OVER_LIMIT:
            return _rate_limited(body["error"], OVER_LIMIT_SECONDS, *result.form_errors, scope="project")
        if result.reason is DropReason.RATE_LIMITED:
            return _rate_limited(body["error"], max(reset, 1), scope="key", more=headers)
        causes = [f"{name}: {fault}" for name, faults in result.field_errors.items() for fault in faults]
        return _refused(status, body["error"], *causes, *result.form_errors, more=headers)


def _refused(
    status: str, detail: str, *causes: str, more: Mapping[str, str] = MappingProxyType({})
) -> HttpReply:
    body: dict[str, Any] = {"detail": detail, **({"causes": causes} if causes else {})}
    return HttpReply(status, encode(body), more)


def _rate_limited(
    detail: str, wait: int, *causes: str, scope: str, more: Mapping[str, str] = MappingProxyType({})
) -> HttpReply:
    """Refuse errors for so many seconds, which SDKs keep to; other items they go on to send."""
    limits = {"Retry-After": str(wait), "X-Sentry-Rate-Limits": f"{wait}:error:{scope}"}
    return _refused(falcon.HTTP_429, detail, *causes, more={**more, **limits})


_NO_PROJECT = _refused(falcon.HTTP_404, "Project not found")
