"""Events in the protocols of other services: their sites, switches and counts (docs/protocols/README.md)."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import repeat
from typing import Any

from attrs import frozen

from footfall.application.ingestion.draft import Draft, RequestOrigin
from footfall.application.ingestion.ingestion import Ingestion
from footfall.application.ingestion.results import IGNORED, TRANSLATED, BatchResult, DropReason, TrackResult
from footfall.application.journal.directory import Directory
from footfall.application.journal.directory_records import SiteRecord
from footfall.application.ports.journal import StoreUnavailable
from footfall.application.ports.traffic_log import OutcomeKey
from footfall.domain.tracking.engagement import MeasureType
from footfall.domain.tracking.foreign_protocol import ForeignProtocol

# Their scripts name a site by its domain.
_BY_DOMAIN = frozenset({ForeignProtocol.PLAUSIBLE})
# Their SDKs name a project by a number, which that of a site can be.
_BY_NUMBER = frozenset({ForeignProtocol.SENTRY})


@frozen(kw_only=True)
class ForeignEvent:
    """An event with the fields of our own endpoint, its site, and its place in the request, from 0.

    `ignored` is the kind of what the protocol accepts and does not keep: it passes the checks of an event.
    """

    record: SiteRecord
    payload: Mapping[str, Any]
    place: int = 0
    ignored: str | None = None


@frozen(kw_only=True)
class ForeignIngestion:
    """Tracks what was translated from one protocol, on the sites that accept it."""

    protocol: ForeignProtocol
    ingestion: Ingestion
    directory: Directory

    async def find_site(self, name: str) -> SiteRecord | None:
        """Return the site as `known_site` does, reading the journal before it is missing.

        Raises:
            StoreUnavailable: the site is not known here and the journal cannot be read.

        """
        await self.learn((name,))
        return self.known_site(name)

    async def learn(self, names: Iterable[str]) -> None:
        """Read the journal, once, where one of the names leads to no site that is known here.

        Raises:
            StoreUnavailable: the journal cannot be read.

        """
        if all(self._named(name) is not None for name in names):
            return
        try:
            await self.directory.catch_up()
        except StoreUnavailable:
            self.ingestion.count_refused(0, DropReason.UNAVAILABLE)
            raise

    def known_site(self, name: str) -> SiteRecord | None:
        """Return the site that the protocol calls by a name; None, and counted, where none accepts the protocol."""
        record = self._named(name)
        if record is None:
            self.ingestion.count_refused(0, DropReason.SITE_NOT_FOUND)
        elif not self._is_accepted(record):
            self.ingestion.count_refused(record.site.site_id, DropReason.PROTOCOL_OFF)
            record = None
        return record

    async def track(self, event: ForeignEvent, origin: RequestOrigin) -> TrackResult:
        """Return the result of an event; it is counted as translated, or as ignored where it is not kept."""
        result = await self.ingestion.track(
            _own_payload(event), origin, self.protocol, kept=event.ignored is None
        )
        self._count(event, result)
        return result

    def malformed(self, origin: RequestOrigin) -> None:
        """Count a request that could not be read as an event."""
        self.ingestion.malformed(origin)

    async def track_batch(self, events: Sequence[ForeignEvent], origin: RequestOrigin) -> BatchResult:
        """Return the result of each of at most 500 events, as `track` does; a key is charged one request."""
        now, payloads = self.ingestion.clock.now(), [_own_payload(event) for event in events]
        batch = Draft({"events": payloads}, origin, now, protocol=self.protocol)
        # An event keeps its name when the same request is repeated, whichever of its sites are known by then.
        drafts = [
            Draft(payload, origin, now, batch, event.place, self.protocol, event.ignored is None)
            for event, payload in zip(events, payloads, strict=True)
        ]
        result = await self.ingestion.take_batch(batch, drafts)
        for event, own in zip(events, result.results or repeat(result.refusal), strict=False):
            self._count(event, own)
        return result

    def refuse(self, name: str, origin: RequestOrigin) -> None:
        """Count an event that cannot be translated, for its site where that is known here and accepts the protocol."""
        record = self._named(name) if name else None
        if record is None or not self._is_accepted(record):
            self.malformed(origin)
            return
        self.drop(record, DropReason.INVALID)

    def drop(self, record: SiteRecord, reason: DropReason) -> None:
        """Count an event that is refused before it comes to ingestion."""
        self._note(record, TRANSLATED, self.protocol.value)
        self.ingestion.count_refused(record.site.site_id, reason)

    def ignore(self, record: SiteRecord, kind: str) -> None:
        """Count something that is accepted and not kept, by its kind: one of few, never a text of the sender."""
        self._note(record, IGNORED, kind)

    def _count(self, event: ForeignEvent, result: TrackResult | None) -> None:
        if result is not None and result.reason is None and event.ignored is not None:
            self.ignore(event.record, event.ignored)
        elif result is not None and result.reason is DropReason.NO_PAGEVIEW:
            self.ignore(event.record, MeasureType.ENGAGEMENT.value)
        # A measure is no event.
        elif event.payload.get("type") != MeasureType.ENGAGEMENT:
            self._note(event.record, TRANSLATED, self.protocol.value)

    def _named(self, name: str) -> SiteRecord | None:
        named = self.directory.named_site(name, by_domain=self.protocol in _BY_DOMAIN)
        numbered = self.directory.readable_site(name) if self.protocol in _BY_NUMBER else None
        if named is None or numbered is None:
            return named or numbered
        # A site that was added later has the number that is the alias of this one: either could be meant.
        return named if named.site.site_id == numbered.site.site_id else None

    def _is_accepted(self, record: SiteRecord) -> bool:
        return bool(getattr(record.site.config, f"accept_{self.protocol}"))

    def _note(self, record: SiteRecord, outcome: str, reason: str) -> None:
        self.ingestion.note(OutcomeKey(record.site.site_id, outcome, reason))


def _own_payload(event: ForeignEvent) -> Mapping[str, Any]:
    return {**event.payload, "site_id": event.record.site.site_id}
