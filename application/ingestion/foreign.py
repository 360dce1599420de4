"""Events in the protocols of other services: their sites, switches and counts (docs/track/protocols/README.md)."""

from collections.abc import Mapping, Sequence
from itertools import repeat
from typing import Any, cast

from attrs import frozen

from footfall.application.ingestion.draft import Draft, RequestOrigin
from footfall.application.ingestion.ingestion import Ingestion
from footfall.application.ingestion.results import IGNORED, TRANSLATED, BatchResult, DropReason, TrackResult
from footfall.application.journal.directory import Directory
from footfall.application.journal.directory_records import SiteRecord
from footfall.application.journal.site_lookup import accepts, named_site
from footfall.application.ports.journal import StoreUnavailable, StreamSetAside
from footfall.application.ports.traffic_log import OutcomeKey
from footfall.domain.tracking.engagement import MeasureType
from footfall.domain.tracking.foreign_protocol import ForeignProtocol
from footfall.domain.tracking.rate_limit import RateState


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

    async def find_sites(self, names: Sequence[str]) -> list[SiteRecord | DropReason]:
        """Return the site that the protocol calls by each name, or why it takes nothing by it, which is counted.

        The journal is read, once, before a site is believed to be absent, and before one is believed not to accept the
        protocol: senders cannot tell the two apart. Where it cannot be read, both are unavailable.
        """
        targets = [self._known(name) for name in names]
        if any(reason is not None for _, reason in targets):
            try:
                await self.directory.catch_up()
            except StoreUnavailable:
                targets = [(record, reason and DropReason.UNAVAILABLE) for record, reason in targets]
            else:
                targets = [self._known(name) for name in names]
        for record, reason in targets:
            if reason is not None:
                self.ingestion.count_refused(0 if record is None else record.site.site_id, reason)
        return [reason or cast("SiteRecord", record) for record, reason in targets]

    async def track(self, event: ForeignEvent, origin: RequestOrigin) -> TrackResult:
        """Return the result of an event; it is counted as translated, or as ignored where it is not kept."""
        result = await self.ingestion.track(
            _own_payload(event), origin, self.protocol, kept=event.ignored is None
        )
        self._count(event, result)
        return result

    def malformed(self, origin: RequestOrigin) -> RateState | None:
        """Count a request that could not be read as an event, and return the rate of its key."""
        return self.ingestion.malformed(origin)

    def seconds_until_free(self, rate: RateState | None) -> int:
        """Return the whole seconds until a key regains a request."""
        return self.ingestion.seconds_until_free(rate)

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
        record, reason = self._known(name)
        if record is None or reason is not None:
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

    def _known(self, name: str) -> tuple[SiteRecord | None, DropReason | None]:
        """Return the site of a name, as far as it is known here, and why it takes nothing by the protocol, if so."""
        try:
            record = named_site(self.directory, name, self.protocol)
        except StreamSetAside:
            return None, DropReason.UNAVAILABLE
        if record is None:
            return None, DropReason.SITE_NOT_FOUND
        return record, None if accepts(record, self.protocol) else DropReason.PROTOCOL_OFF

    def _note(self, record: SiteRecord, outcome: str, reason: str) -> None:
        self.ingestion.note(OutcomeKey(record.site.site_id, outcome, reason))


def _own_payload(event: ForeignEvent) -> Mapping[str, Any]:
    payload = {**event.payload, "site_id": event.record.site.site_id}
    # What is not kept names no page: published libraries send no host with data about visitors.
    if event.ignored is not None and payload.get("hostname") is None:
        payload["hostname"] = event.record.site.domain
    return payload
