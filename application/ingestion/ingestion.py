"""Ingestion: the use case behind the tracking endpoints; every received event is stored or counted."""

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import evolve, frozen

from footfall.application.ingestion.batch import batch_payloads
from footfall.application.ingestion.draft import Draft, RequestOrigin
from footfall.application.ingestion.event_checks import Pipeline
from footfall.application.ingestion.limit_cache import LimitCache
from footfall.application.ingestion.outcomes import OutcomeCounter
from footfall.application.ingestion.results import (
    DROPPED,
    PASSED,
    STORED,
    BatchResult,
    DropReason,
    TrackResult,
    outcome_key,
    unsigned_key,
)
from footfall.application.journal.directory import Directory
from footfall.application.journal.site_lookup import tracked_site
from footfall.application.ports.journal import StoreUnavailable
from footfall.application.ports.system import Clock
from footfall.application.ports.traffic_log import CommitUnknown, OutcomeKey
from footfall.domain.accounts.api_key import digest_of
from footfall.domain.tracking.foreign_protocol import ForeignProtocol
from footfall.domain.tracking.rate_limit import RateState, instant


@frozen(kw_only=True)
class Ingestion:
    """Takes tracking requests through the pipeline and counts the events that are not stored."""

    pipeline: Pipeline
    directory: Directory
    limits: LimitCache
    outcomes: OutcomeCounter
    clock: Clock

    async def track(
        self,
        payload: Mapping[str, Any],
        origin: RequestOrigin,
        protocol: ForeignProtocol | None = None,
        *,
        kept: bool = True,
    ) -> TrackResult:
        """Return the result of the event in a decoded JSON object, or translated from a foreign protocol.

        A stored event is durable. What is not `kept` passes the same checks, and is not stored.
        """
        event = Draft(payload, origin, self.clock.now(), protocol=protocol, kept=kept)
        try:
            await self.pipeline.check(event)
            _leave_out(event)
            [result] = await self.pipeline.store(event, (event,))
        except StoreUnavailable as failure:
            result = DROPPED[DropReason.UNAVAILABLE]
            self._count_unavailable((event,), failure)
        else:
            self._count(event, result)
        if event.secret is None or result.rate is not None:
            return result
        return evolve(result, rate=self._rate_of(event))

    async def track_batch(self, payload: Mapping[str, Any], origin: RequestOrigin) -> BatchResult:
        """Return the result of each event in a decoded JSON object `{"events": [...]}`; a key is required."""
        now = self.clock.now()
        batch = Draft(payload, origin, now)
        events = [
            Draft(event, origin, now, batch, number) for number, event in enumerate(batch_payloads(payload))
        ]
        return await self.take_batch(batch, events)

    async def take_batch(self, batch: Draft, events: Sequence[Draft]) -> BatchResult:
        """Return the result of each event that a request brings."""
        try:
            await self.pipeline.check_batch(batch)
            results = [] if batch.dropped else await self._store_batch(batch, events)
        except StoreUnavailable as failure:
            self._count_unavailable(events, failure)
            return BatchResult(refusal=DROPPED[DropReason.UNAVAILABLE], rate=self._rate_of(batch))
        refusal = batch.dropped
        if refusal is not None:
            # A list that cannot be read counts as one event.
            for event in events or [Draft(None, batch.origin, batch.received_at)]:
                self._count(event, refusal)
            return BatchResult(refusal=refusal, rate=refusal.rate or self._rate_of(batch))
        for event, result in zip(events, results, strict=True):
            self._count(event, result)
        return BatchResult(results=tuple(results), rate=self._rate_of(batch))

    def count_refused(self, site_id: int, reason: DropReason) -> None:
        """Count an event that was refused before it was read; 0 is no site."""
        self.outcomes.count(outcome_key(site_id, reason), self.clock.now())

    def note(self, beside: OutcomeKey) -> None:
        """Count what is counted beside the outcome of an event."""
        self.outcomes.note(beside, self.clock.now())

    def malformed(self, origin: RequestOrigin) -> RateState | None:
        """Count a request whose body could not be read as an event, and return the rate of its key."""
        request = Draft({}, origin, self.clock.now())
        self._count(request, DROPPED[DropReason.INVALID])
        return self._rate_of(request)

    def seconds_until_free(self, rate: RateState | None) -> int:
        """Return the whole seconds until a key regains a request."""
        return 0 if rate is None else rate.reset(instant(self.clock.now()))

    async def _store_batch(self, batch: Draft, events: Sequence[Draft]) -> Sequence[TrackResult]:
        for event in events:
            await self.pipeline.check(event)
            _leave_out(event)
        return await self.pipeline.store(batch, events)

    def _count(self, event: Draft, result: TrackResult) -> None:
        """Count an event that was not stored; the traffic log counts those that were.

        Of a stored one, a signature of its user that was not valid is counted. A measure is no event.
        """
        if result is STORED:
            request = event.request
            named = request.user_id is not None and not event.is_measure
            if named and request.user_signature is not None and not event.has_signed_user:
                self.outcomes.note(unsigned_key(event.record.site.site_id), event.received_at)
            return
        if event.is_measure or (result.reason is None and not event.kept):
            return
        key = outcome_key(self._site_id(event), result.reason)
        if event.refused_bot is not None:
            self.outcomes.count_bot(event.refused_bot)
        if event.in_doubt is None:
            self.outcomes.count(key, event.received_at)
        else:
            self.outcomes.count_unless(event.in_doubt, key, event.received_at)

    def _count_unavailable(self, events: Sequence[Draft], failure: StoreUnavailable) -> None:
        """Count the events of a request that was not acknowledged; some of them may be stored."""
        stored = iter(failure.stored) if isinstance(failure, CommitUnknown) else iter(())
        for event in events:
            in_doubt = isinstance(failure, CommitUnknown) and event.dropped is None and next(stored)
            if event.is_measure:
                continue
            key = outcome_key(self._site_id(event), DropReason.UNAVAILABLE)
            if isinstance(failure, CommitUnknown) and in_doubt:
                self.outcomes.count_unless(failure.committed, key, event.received_at)
            else:
                self.outcomes.count(key, event.received_at)

    def _rate_of(self, request: Draft) -> RateState | None:
        """Return the rate of the key of a request, without asking the store about the key."""
        key = request.key
        if key is None and request.secret is not None:
            presented = self.directory.key(digest_of(request.secret))
            key = presented if presented is not None and presented.valid_at(request.received_at) else None
        return None if key is None else self.limits.rate(key.key_id, request.received_at)

    def _site_id(self, event: Draft) -> int:
        """Return the site that an event names; 0 for none, without asking the store."""
        record = tracked_site(self.directory, event.site_reference)
        return 0 if record is None else record.site.site_id


def _leave_out(event: Draft) -> None:
    if not event.kept and event.dropped is None:
        event.dropped = PASSED
