"""What is stored of a person as one JSON document, which is written while it is read (docs/visitor-data.md#giving)."""

import json
from collections.abc import AsyncIterator, Sequence
from datetime import datetime
from typing import Any

import orjson
from attrs import define, field, fields

from footfall.adapters.http.wire.report_bodies import visit_body
from footfall.adapters.http.wire.responses import encode, timestamp
from footfall.application.ports.visitor_data import OwnPiece
from footfall.application.ports.visitor_erasures import VisitorErasure
from footfall.domain.tracking.hit import Hit, HitType, RecordedHit, visitor_text
from footfall.domain.traffic.session import session_text

# Numbers of visitors and of pageviews, which are written as texts, and what is written otherwise.
_NUMBERS = ("visitor_id", "signed_visitor_id", "pageview_key")
_APART = {"site_id", "occurred_at", "received_at", "properties", *_NUMBERS}
_SAME = tuple(attribute.name for attribute in fields(Hit) if attribute.name not in _APART)


@define
class VisitorDocument:
    """The document, and the sums of what has been written of it."""

    _site_id: int
    _at: datetime
    not_found: Sequence[str]
    visits: int = field(default=0, init=False)
    events: int = field(default=0, init=False)
    errors: int = field(default=0, init=False)

    async def written(self, pieces: AsyncIterator[OwnPiece]) -> AsyncIterator[bytes]:
        """Yield the document in parts; what refuses the first piece raises before the first part."""
        session_id: int | None = None
        async for piece in pieces:
            if piece.session.session_id != session_id:
                yield (self._head() if session_id is None else b"]},") + _visit_head(piece)
                session_id = piece.session.session_id
                self.visits += 1
                separator = b""
            for recorded in piece.hits:
                yield separator + encode(_event(recorded))
                separator = b","
                self.events += 1
                self.errors += recorded.hit.type is HitType.ERROR
        yield b"]}]},%b}\n" % encode({"meta": self.sums})[1:-1]

    @property
    def sums(self) -> dict[str, int]:
        """The numbers of visits, of events of all types, and of errors among these."""
        return {"visits": self.visits, "events": self.events, "errors": self.errors}

    def _head(self) -> bytes:
        data = {"siteId": self._site_id, "at": timestamp(self._at), "notFound": list(self.not_found)}
        return b'{"success":true,"data":%b,"visits":[' % encode(data)[:-1]


def _visit_head(piece: OwnPiece) -> bytes:
    """Return a visit up to its events; of one with events of others, what tells nothing of these."""
    session = piece.session
    body = {"session_id": session_text(session.session_id)} if piece.is_shared else visit_body(session)
    return encode({**body, "shared": piece.is_shared})[:-1] + b',"events":['


def _event(recorded: RecordedHit) -> dict[str, Any]:
    hit, engagement = recorded.hit, recorded.engagement
    body: dict[str, Any] = {
        "timestamp": timestamp(hit.occurred_at),
        "received_at": timestamp(hit.received_at),
        **{name: value for name in _SAME if (value := getattr(hit, name)) is not None},
        **{name: visitor_text(value) for name in _NUMBERS if (value := getattr(hit, name)) is not None},
    }
    if hit.properties is not None:
        # PostgreSQL keeps whole numbers of any size, and orjson writes only those of 64 bits.
        body["properties"] = orjson.Fragment(json.dumps(hit.properties, ensure_ascii=False))
    if engagement is not None:
        body |= {"engaged_ms": engagement.engaged_ms, "scroll_percent": engagement.scroll_percent}
    return body


def erasure_body(erasure: VisitorErasure) -> dict[str, Any]:
    """Return an erasure, which never says whom."""
    return {
        "erasure": str(erasure.erasure),
        "step": erasure.step.value,
        "requestedAt": timestamp(erasure.requested_at),
        "userId": erasure.requester.user_id,
        "visits": erasure.visits,
        "events": erasure.hits,
        "notFound": list(erasure.not_found),
        "certificate": erasure.certificate,
    }
