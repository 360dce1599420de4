"""The traffic log in memory, and the way into it."""

from collections import Counter
from collections.abc import Mapping
from datetime import datetime

from attrs import define, field

from footfall.application.ports.journal import StoreUnavailable
from footfall.application.ports.traffic_log import NO_BOTS, OutcomeKey, Submission
from footfall.domain.bots.refused_bot_counts import MOST_PAGES_A_DAY, RefusedBot, count_apart
from footfall.domain.periods.quarter_hour import quarter_of
from footfall.domain.tracking.admission import Admission, AdmissionOutcome, AdmissionState, admit
from footfall.domain.tracking.engagement import (
    Measure,
    NamelessPages,
    RecordedMeasure,
    added_up,
    with_engagement,
)
from footfall.domain.tracking.hit import Hit, HitType, RecordedHit
from footfall.domain.tracking.idempotency import IDEMPOTENCY_LIFETIME
from footfall.domain.tracking.monthly_limit import month_of


@define(eq=False, slots=False)  # tests replace single methods
class MemoryTrafficLog:
    """Intake, NewestPageviews and OutcomeLedger over lists by position, `hits` and `measures`.

    What is submitted is there at once. `imported` are the positions of hits that an import brought, `archives` the
    sites of imported archives, `refused_bots` the counts of tracked events.
    """

    hits: list[RecordedHit] = field(factory=list, repr=False)
    imported: set[int] = field(factory=set, repr=False, kw_only=True)
    archives: set[str] = field(factory=set, repr=False, kw_only=True)
    refused_bots: Mapping[RefusedBot, int] = field(factory=dict, repr=False, kw_only=True)
    measures: list[RecordedMeasure] = field(factory=list, repr=False, kw_only=True)
    _most_pages: int = field(default=MOST_PAGES_A_DAY, kw_only=True)
    _state: AdmissionState = field(factory=AdmissionState, init=False)
    _times: dict[tuple[int, int], int] = field(factory=dict, init=False)
    _stored_at: dict[tuple[int, str], datetime] = field(factory=dict, init=False)
    _counts: Counter[tuple[OutcomeKey, datetime]] = field(factory=Counter, init=False)
    _added: dict[str, int] = field(factory=dict, init=False)
    _draining: bool = field(default=False, init=False)

    async def submit(self, submission: Submission) -> Admission:
        """Decide about the request and put what is admitted at the end of the log."""
        if self._draining:
            raise StoreUnavailable
        self._prepare(submission)
        admission = admit(self._state, submission.pending, submission.charge)
        for pending, outcome in zip(submission.pending, admission.outcomes, strict=False):
            if outcome is AdmissionOutcome.STORED:
                for entry in pending.entries:
                    self._append(entry)
                if pending.idempotency is not None:
                    self._stored_at[pending.idempotency.name] = pending.hit.received_at
        return admission

    def _append(self, entry: Hit | Measure) -> None:
        position = self.newest + 1
        if isinstance(entry, Measure):
            [total] = added_up([entry], self._times)
            self.measures.append(RecordedMeasure(position, total))
            return
        self.hits.append(RecordedHit(position, entry))
        self._counts[
            OutcomeKey(entry.site_id, AdmissionOutcome.STORED.value), quarter_of(entry.received_at)
        ] += 1

    @property
    def newest(self) -> int:
        """The position of the last hit or measure; 0 for an empty log."""
        return max(
            (recorded.position for last in (self.hits[-1:], self.measures[-1:]) for recorded in last),
            default=0,
        )

    async def of_page(
        self, site_id: int, pages: NamelessPages, now: datetime, *, since: datetime
    ) -> int | None:
        """Return the key of the newest pageview of a page that was received from `since` to `now`."""
        keys = {
            recorded.hit.pageview_key
            for recorded in self.hits
            if recorded.hit.site_id == site_id and since <= recorded.hit.received_at <= now
        }
        for possible in pages.latest_first(since, now):
            if candidates := [key for key in keys if key is not None and key in possible]:
                return max(candidates)
        return None

    async def drain(self) -> None:
        """Refuse what comes later; nothing ever waits here."""
        self._draining = True

    async def high_water_mark(self) -> int:
        """Return the position of the last hit or measure."""
        return self.newest

    async def read(self, *, after: int, up_to: int, limit: int) -> list[RecordedHit]:
        """Return hits with a position above `after` and at most `up_to`."""
        return [recorded for recorded in self.hits if after < recorded.position <= up_to][:limit]

    def hits_of(self, site_id: int) -> list[RecordedHit]:
        """Return the hits of a site, pageviews with what is known of their engagement."""
        hits = [recorded for recorded in self.hits if recorded.hit.site_id == site_id]
        return with_engagement(hits, self.measures)

    async def add(
        self,
        counts: Mapping[tuple[OutcomeKey, datetime], int],
        bots: Mapping[RefusedBot, int] = NO_BOTS,
        *,
        source: str,
        number: int,
    ) -> None:
        """Add so many events to each count, once for each number of a source."""
        if number > self._added.get(source, 0):
            self._added[source] = number
            self._counts.update(counts)
            self.refused_bots = count_apart(self.refused_bots, bots, self._most_pages)

    async def read_counts(self, site_id: int, *, start: datetime, end: datetime) -> dict[OutcomeKey, int]:
        """Return the counts of a site for the quarters that begin in [start, end)."""
        counts: Counter[OutcomeKey] = Counter()
        for (counted, quarter), events in self._counts.items():
            if counted.site_id == site_id and start <= quarter < end:
                counts[counted] += events
        return dict(counts)

    async def read_quarters(
        self, site_id: int, *, start: datetime, end: datetime
    ) -> dict[tuple[OutcomeKey, datetime], int]:
        """Return the counts of a site for each quarter that begins in [start, end)."""
        return {
            (counted, quarter): events
            for (counted, quarter), events in self._counts.items()
            if counted.site_id == site_id and start <= quarter < end
        }

    def _prepare(self, submission: Submission) -> None:
        for pending in submission.pending:
            if pending.idempotency is not None:
                self._forget(pending.idempotency.name, pending.hit.received_at)
            if pending.quota is not None and pending.quota not in self._state.used:
                self._state.used[pending.quota] = sum(
                    recorded.hit.site_id == pending.hit.site_id
                    and recorded.hit.type is HitType.PAGEVIEW
                    and month_of(recorded.hit.received_at) == pending.quota[1]
                    for recorded in self.hits
                )

    def _forget(self, name: tuple[int, str], now: datetime) -> None:
        if name in self._stored_at and self._stored_at[name] < now - IDEMPOTENCY_LIFETIME:
            del self._stored_at[name], self._state.seen[name]
