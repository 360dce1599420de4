"""Salts of visitor hashes in memory."""

from datetime import datetime

from attrs import define, field

from footfall.application.ports.system import Randomness
from footfall.domain.sites.visitor_reach import ReachSpan


@define
class MemorySalts:
    """Salts that end with the process."""

    _randomness: Randomness
    _salts: dict[ReachSpan, bytes] = field(factory=dict, init=False)

    async def of(self, span: ReachSpan) -> bytes:
        """Return the salt of a span, the same on every call."""
        return self._salts.setdefault(span, self._randomness.salt())

    async def known(self, span: ReachSpan) -> bytes | None:
        """Return the salt of a span if there is one."""
        return self._salts.get(span)

    async def destroy(self, *, ended_by: datetime) -> None:
        """Forget the salts of spans that were over by then."""
        self._salts = {span: salt for span, salt in self._salts.items() if span.ends_at > ended_by}
