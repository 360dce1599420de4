"""The traffic log in memory, and the way into it."""

from footfall.application.ports import Outcome, Stored, StoreUnavailable, Submission
from footfall.domain.hit import RecordedHit


class MemoryTrafficLog:
    """TrafficLog and Intake over a list; a submitted hit is there at once."""

    def __init__(self) -> None:
        self._hits: list[RecordedHit] = []
        self._draining = False

    async def submit(self, submission: Submission) -> Outcome:
        """Put the hit at the end of the log."""
        if self._draining:
            raise StoreUnavailable
        self._hits.append(RecordedHit(len(self._hits) + 1, submission.hit))
        return Stored()

    async def drain(self) -> None:
        """Refuse what comes later; nothing ever waits here."""
        self._draining = True

    async def horizon(self) -> int:
        """Return the position of the last hit."""
        return len(self._hits)

    async def read(self, *, after: int, up_to: int, limit: int) -> list[RecordedHit]:
        """Return hits with a position above `after` and at most `up_to`."""
        return self._hits[after : min(up_to, after + limit)]
