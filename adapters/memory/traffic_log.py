"""The traffic log in memory, and the way into it."""

from collections import Counter
from collections.abc import Mapping
from datetime import datetime, timedelta

from footfall.application.ports import Counted, StoreUnavailable, Submission
from footfall.domain.admission import Admission, Fate, Ledgers, admit
from footfall.domain.hit import HitType, RecordedHit
from footfall.domain.quarter import quarter_of
from footfall.domain.quota import month_of

_REMEMBERED = timedelta(hours=24)


class MemoryTrafficLog:
    """TrafficLog, Intake and OutcomeLedger over a list; a submitted hit is there at once."""

    def __init__(self) -> None:
        self._hits: list[RecordedHit] = []
        self._ledgers = Ledgers()
        self._stored_at: dict[tuple[int, str], datetime] = {}
        self._counts: Counter[tuple[Counted, datetime]] = Counter()
        self._draining = False

    async def submit(self, submission: Submission) -> Admission:
        """Decide about the request and put what is admitted at the end of the log."""
        if self._draining:
            raise StoreUnavailable
        self._prepare(submission)
        admission = admit(self._ledgers, submission.entries, submission.charge)
        for entry, fate in zip(submission.entries, admission.fates, strict=False):
            if fate is Fate.STORED:
                self._hits.append(RecordedHit(len(self._hits) + 1, entry.hit))
                quarter = quarter_of(entry.hit.received_at)
                self._counts[Counted(entry.hit.site_id, Fate.STORED.value), quarter] += 1
                if entry.idempotency is not None:
                    self._stored_at[entry.idempotency.name] = entry.hit.received_at
        return admission

    async def drain(self) -> None:
        """Refuse what comes later; nothing ever waits here."""
        self._draining = True

    async def horizon(self) -> int:
        """Return the position of the last hit."""
        return len(self._hits)

    async def read(self, *, after: int, up_to: int, limit: int) -> list[RecordedHit]:
        """Return hits with a position above `after` and at most `up_to`."""
        return self._hits[after : min(up_to, after + limit)]

    async def add(self, counts: Mapping[tuple[Counted, datetime], int]) -> None:
        """Add so many events to each count."""
        self._counts.update(counts)

    async def read_counts(self, site_id: int, *, start: datetime, end: datetime) -> dict[Counted, int]:
        """Return the counts of a site for the quarters that begin in [start, end)."""
        found: Counter[Counted] = Counter()
        for (counted, quarter), events in self._counts.items():
            if counted.site_id == site_id and start <= quarter < end:
                found[counted] += events
        return dict(found)

    def _prepare(self, submission: Submission) -> None:
        for entry in submission.entries:
            if entry.idempotency is not None:
                self._forget(entry.idempotency.name, entry.hit.received_at)
            if entry.quota is not None and entry.quota not in self._ledgers.used:
                self._ledgers.used[entry.quota] = sum(
                    one.hit.site_id == entry.hit.site_id
                    and one.hit.type is HitType.PAGEVIEW
                    and month_of(one.hit.received_at) == entry.quota[1]
                    for one in self._hits
                )

    def _forget(self, name: tuple[int, str], now: datetime) -> None:
        if name in self._stored_at and self._stored_at[name] < now - _REMEMBERED:
            del self._stored_at[name], self._ledgers.seen[name]
