"""Erasures of visitors in memory: the functions of the domain over the whole log."""

import hashlib
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any
from uuid import UUID

from attrs import define, evolve, field

from footfall.adapters.memory.traffic_log import MemoryTrafficLog
from footfall.application.ports.erasure_list import ListedErasure
from footfall.application.ports.visitor_erasures import (
    ErasureStep,
    ExportedCopy,
    LockedVisitorErasures,
    RowSums,
    VisitorErasure,
)
from footfall.domain.tracking.hit import HitType
from footfall.domain.traffic.session import sessionize, visits
from footfall.domain.visits.subject import Subject, measures_without, own_visits


@define
class MemoryVisitorErasures:
    """VisitorErasures, ErasureQueue and LockedVisitorErasures over a traffic log in memory, which has no files."""

    _log: MemoryTrafficLog
    _records: dict[UUID, VisitorErasure] = field(factory=dict, init=False)
    _noted: dict[UUID, set[int]] = field(factory=dict, init=False)
    _found_up_to: dict[UUID, int] = field(factory=dict, init=False)
    _up_to: dict[UUID, int] = field(factory=dict, init=False)

    async def request(self, site_id: int, erasure: VisitorErasure) -> None:
        """Keep an erasure."""
        self._records[erasure.erasure] = evolve(erasure, site_id=site_id)

    async def of_site(self, site_id: int) -> Sequence[VisitorErasure]:
        """Return the erasures of a site."""
        own = [record for record in self._records.values() if record.site_id == site_id]
        return sorted(own, key=lambda record: record.requested_at, reverse=True)

    async def is_waiting(self) -> bool:
        """Whether an erasure is not finished."""
        return bool(await self.waiting())

    @asynccontextmanager
    async def lock(self) -> AsyncIterator[LockedVisitorErasures | None]:
        """Lend the erasures to the one process that there is."""
        yield self

    async def waiting(self) -> Sequence[VisitorErasure]:
        """Return the erasures that are not finished."""
        return [record for record in self._records.values() if record.step is not ErasureStep.FINISHED]

    async def keep_selectors(self, erasure: VisitorErasure, selectors: Sequence[str]) -> None:
        """Keep digests."""
        self._keep(erasure, selectors=selectors)

    async def listed(self) -> Sequence[ListedErasure]:
        """Return the erasures with digests; there are none of sites."""
        noted = [record for record in self._records.values() if record.selectors]
        return [
            ListedErasure(
                site_id=record.site_id,
                at=record.requested_at,
                erasure=record.erasure,
                selectors=record.selectors,
            )
            for record in sorted(noted, key=lambda record: record.requested_at)
        ]

    async def find(self, erasure: VisitorErasure) -> bool:
        """Note which hits go."""
        own = own_visits(self._log.hits_of(erasure.site_id), erasure.subject or Subject())
        self._noted[erasure.erasure] = {recorded.position for visit in own for recorded in visit.hits}
        self._found_up_to[erasure.erasure] = self._log.newest
        self._keep(erasure, step=ErasureStep.ERASING)
        return True

    @asynccontextmanager
    async def alone(self) -> AsyncIterator[bool]:
        """Nothing else erases hits."""
        yield True

    async def measure_before(self, erasure: VisitorErasure) -> None:
        """Remember the sums of the hits that stay."""
        self._up_to[erasure.erasure] = self._log.newest
        self._keep(erasure, before=self._staying(erasure))

    async def measure_after(self, erasure: VisitorErasure) -> None:
        """Remember the sums of the hits that are there."""
        self._keep(erasure, after=self._staying(erasure))

    async def erase_some(self, erasure: VisitorErasure) -> bool:
        """Erase all noted hits."""
        noted = self._noted[erasure.erasure]
        visits_of_site = visits(self._log.hits_of(erasure.site_id))
        touched = sum(any(recorded.position in noted for recorded in visit.hits) for visit in visits_of_site)
        gone = [recorded for recorded in self._log.hits if recorded.position in noted]
        left = [recorded for recorded in self._log.hits if recorded.position not in noted]
        own = [recorded for recorded in self._log.measures if recorded.measure.site_id == erasure.site_id]
        kept = measures_without(
            own, gone, [recorded for recorded in left if recorded.hit.site_id == erasure.site_id]
        )
        lost = [recorded for recorded in own if recorded not in kept]
        self._log.hits = left
        self._log.measures = [recorded for recorded in self._log.measures if recorded not in lost]
        self._noted[erasure.erasure] = set()
        record = self._records[erasure.erasure]
        errors = sum(recorded.hit.type is HitType.ERROR for recorded in gone)
        self._keep(
            erasure,
            visits=record.visits + touched,
            hits=record.hits + len(gone),
            errors=record.errors + errors,
            measures=record.measures + len(lost),
        )
        return False

    async def add_mails(self, erasure: VisitorErasure, mails: int) -> None:
        """Count mails."""
        self._keep(erasure, mails=self._records[erasure.erasure].mails + mails)

    async def move(self, erasure: VisitorErasure, step: ErasureStep) -> None:
        """Go on with another step."""
        self._keep(erasure, step=step)

    async def unswept_nodes(self, _erasure: VisitorErasure) -> Sequence[UUID]:
        """Return no node."""
        return []

    async def read_models(self, site_id: int) -> Mapping[str, RowSums]:
        """Return the sums of the sessions, which are made of the log each time."""
        return {"session": _sums(sessionize(self._log.hits_of(site_id)))}

    async def left(self, erasure: VisitorErasure) -> int:
        """Count the hits of the person that are there."""
        subject, up_to = erasure.subject or Subject(), self._found_up_to[erasure.erasure]
        hits = (recorded for recorded in self._log.hits_of(erasure.site_id) if recorded.position <= up_to)
        own = [recorded for visit in own_visits(hits, subject) for recorded in visit.hits]
        return sum(recorded.hit.user_id in subject.users or not subject.users for recorded in own)

    async def copies(self, _erasure: VisitorErasure) -> Sequence[ExportedCopy]:
        """Return no copy."""
        return []

    async def sources(self, _site_id: int) -> Sequence[str]:
        """Return the archives."""
        return [f"archive of the site {source}" for source in sorted(self._log.archives)]

    async def keep_differences(self, erasure: VisitorErasure, differences: Mapping[str, int]) -> None:
        """Remember what a replay has found."""
        self._keep(erasure, differences=differences, step=ErasureStep.TELLING)

    async def drop(self, erasure: VisitorErasure) -> None:
        """Forget an erasure."""
        for kept in (self._records, self._noted, self._found_up_to, self._up_to):
            kept.pop(erasure.erasure, None)

    async def finish(self, erasure: VisitorErasure, certificate: Mapping[str, Any], at: datetime) -> None:
        """Keep the certificate, and forget who was erased."""
        self._keep(
            erasure,
            step=ErasureStep.FINISHED,
            subject=None,
            before=None,
            after=None,
            differences=None,
            certificate=certificate,
            finished_at=at,
        )

    def _staying(self, erasure: VisitorErasure) -> RowSums:
        noted, up_to = self._noted[erasure.erasure], self._up_to[erasure.erasure]
        hits = (recorded for recorded in self._log.hits if recorded.hit.site_id == erasure.site_id)
        return _sums(
            recorded for recorded in hits if recorded.position <= up_to and recorded.position not in noted
        )

    def _keep(self, erasure: VisitorErasure, **changes: Any) -> None:
        self._records[erasure.erasure] = evolve(self._records[erasure.erasure], **changes)


def _sums(rows: Iterable[object]) -> RowSums:
    digests = [hashlib.blake2b(repr(row).encode(), digest_size=16).digest() for row in rows]
    return RowSums(len(digests), str(sum(map(int.from_bytes, digests))))
