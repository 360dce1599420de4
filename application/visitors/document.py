"""What is stored of a person as one JSON document, which is written while it is read.

See docs/read/visitor-data.md#giving.
"""

import json
from collections.abc import AsyncIterator, Sequence
from datetime import datetime
from typing import Any

from attrs import define, field, fields

from footfall.application.ports.visitor_data import OwnPiece
from footfall.application.ports.visitor_erasures import VisitorErasure
from footfall.application.reports.catalogue.sessions import SESSION, VISIT
from footfall.application.reports.tables import records_by
from footfall.domain.periods.instant_text import instant_text
from footfall.domain.tracking.hit import Hit, HitType, RecordedHit, visitor_text
from footfall.domain.traffic.session import Session, session_text

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
            yield separator + b",".join(_encoded(_event(recorded)) for recorded in piece.hits)
            separator = b","
            self.events += len(piece.hits)
            self.errors += sum(recorded.hit.type is HitType.ERROR for recorded in piece.hits)
        yield b"]}]},%b}\n" % _encoded({"meta": self.sums})[1:-1]

    @property
    def sums(self) -> dict[str, int]:
        """The numbers of visits, of events of all types, and of errors among these."""
        return {"visits": self.visits, "events": self.events, "errors": self.errors}

    def _head(self) -> bytes:
        data = {"siteId": self._site_id, "at": instant_text(self._at), "notFound": list(self.not_found)}
        return b'{"success":true,"data":%b,"visits":[' % _encoded(data)[:-1]


def _visit_head(piece: OwnPiece) -> bytes:
    """Return a visit up to its events; of one with events of others, what tells nothing of these."""
    session = piece.session
    body = {"session_id": session_text(session.session_id)} if piece.is_shared else _visit_body(session)
    return _encoded({**body, "shared": piece.is_shared})[:-1] + b',"events":['


def _event(recorded: RecordedHit) -> dict[str, Any]:
    hit, engagement = recorded.hit, recorded.engagement
    body: dict[str, Any] = {
        "timestamp": instant_text(hit.occurred_at),
        "received_at": instant_text(hit.received_at),
        **{name: value for name in _SAME if (value := getattr(hit, name)) is not None},
        **{name: visitor_text(value) for name in _NUMBERS if (value := getattr(hit, name)) is not None},
    }
    if hit.properties is not None:
        body["properties"] = hit.properties
    if engagement is not None:
        body |= {"engaged_ms": engagement.engaged_ms, "scroll_percent": engagement.scroll_percent}
    return body


def erasure_body(erasure: VisitorErasure) -> dict[str, Any]:
    """Return an erasure, which never says whom."""
    return {
        "erasure": str(erasure.erasure),
        "step": erasure.step.value,
        "requestedAt": instant_text(erasure.requested_at),
        "userId": erasure.requester.user_id,
        "visits": erasure.visits,
        "events": erasure.hits,
        "notFound": list(erasure.not_found),
        "certificate": erasure.certificate,
    }


def file_name(site_id: int) -> str:
    """Return the name of the file of a document."""
    return f"visitor-of-site-{site_id}.json"


def _visit_body(session: Session) -> dict[str, Any]:
    [body] = records_by({**SESSION, **VISIT}, [session])
    return {name: "" if value is None else value for name, value in body.items()}


def _encoded(document: dict[str, Any]) -> bytes:
    # Whole numbers may have any size, which PostgreSQL keeps.
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"), default=_text_of).encode()


def _text_of(value: Any) -> Any:
    if isinstance(value, datetime):
        return instant_text(value)
    return dict(value)
