"""Ports of the erasure of the data of single persons (docs/read/visitor-data.md#erasing)."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from enum import StrEnum
from typing import Any, Protocol
from uuid import UUID

from attrs import field, frozen

from footfall.application.ports.journal import StoreUnavailable
from footfall.domain.visits.subject import Subject


class VisitsMissing(StoreUnavailable):
    """Hits that are to be erased are in no visit; a rebuild makes the visits.

    See docs/internals/projections.md#rebuilding.
    """


class ErasureStep(StrEnum):
    """The steps of an erasure, in their order; each can be repeated after an interruption."""

    FINDING = "finding"
    ERASING = "erasing"
    SWEEPING = "sweeping"
    PROVING = "proving"
    TELLING = "telling"
    FINISHED = "finished"


@frozen
class RowSums:
    """The number of some rows, and sums of their digests: the same for the same rows, in any order."""

    rows: int
    sums: str


@frozen(kw_only=True)
class Requester:
    """Who asked for an erasure: a user, with a key if by one, and in which request; else the operator."""

    user_id: str | None = None
    key_prefix: str | None = None
    request_id: str | None = None


@frozen(kw_only=True)
class VisitorErasure:
    """An erasure, and how far it is; `subject` and `not_found` are those of the question.

    The counts are of what was erased so far. A finished one has a certificate, and knows its subject no more.
    """

    erasure: UUID
    site_id: int
    requested_at: datetime
    requester: Requester = field(factory=Requester)
    not_found: Sequence[str] = ()
    subject: Subject | None = None
    step: ErasureStep = ErasureStep.FINDING
    visits: int = 0
    hits: int = 0
    errors: int = 0
    measures: int = 0
    mails: int = 0
    # The sums of the hits that stay, before this process erased the first one and after the last one.
    before: RowSums | None = None
    after: RowSums | None = None
    # The rows in which a replay of the log differed from the read models, by table.
    differences: Mapping[str, int] | None = None
    certificate: Mapping[str, Any] | None = None
    finished_at: datetime | None = None
    # Digests of the subject, which the list outside of the store has, too.
    selectors: Sequence[str] = ()


@frozen
class ExportedCopy:
    """A copy of the files of a site that a command has made, by the clock of the store."""

    host: str
    directory: str
    exported_at: datetime


class LockedVisitorErasures(Protocol):
    """The erasures of a store while this process holds their lock.

    Every method raises StoreUnavailable when the store does not answer.
    """

    async def waiting(self) -> Sequence[VisitorErasure]:
        """Return the erasures that are not finished, the first one that was asked for first."""

    async def keep_selectors(self, erasure: VisitorErasure, selectors: Sequence[str]) -> None:
        """Store the digests of the subject, for lists outside of the store."""

    async def find(self, erasure: VisitorErasure) -> bool:
        """Note which hits go, all at once; False while the read models lack hits from before the call."""

    def alone(self) -> AbstractAsyncContextManager[bool]:
        """Keep others from erasing hits, and rebuilds away; False while one of them is under way."""

    async def measure_before(self, erasure: VisitorErasure) -> None:
        """Remember the sums of the hits of the site that are not noted to go, as far as the log is projected."""

    async def measure_after(self, erasure: VisitorErasure) -> None:
        """Remember the sums of the hits that are there, of as much of the log."""

    async def erase_some(self, erasure: VisitorErasure) -> bool:
        """Erase some of the noted hits with all that is derived of them; whether noted ones are left then.

        Each call leaves the read models as if these hits had never been there. Noted hits that others have erased
        since are forgotten.

        Raises:
            VisitsMissing: hits that go are in no visit.

        """

    async def add_mails(self, erasure: VisitorErasure, mails: int) -> None:
        """Count mails that were taken from the queue."""

    async def move(self, erasure: VisitorErasure, step: ErasureStep) -> None:
        """Go on with another step; what follows erasing begins only when no noted hit is left."""

    async def unswept_nodes(self, erasure: VisitorErasure) -> Sequence[UUID]:
        """Return the nodes that may hold files with what was erased (docs/internals/columns.md#erasure)."""

    async def read_models(self, site_id: int) -> Mapping[str, RowSums]:
        """Return the sums of each read model of the site."""

    async def left(self, erasure: VisitorErasure) -> int:
        """Return how many hits of the person are stored that were there when it was found.

        Those are hits with its user ids; of a person without user ids, those of its browser.
        """

    async def copies(self, erasure: VisitorErasure) -> Sequence[ExportedCopy]:
        """Return the copies of files that were made before the last hit had gone."""

    async def sources(self, site_id: int) -> Sequence[str]:
        """Return, in words, what can bring events of the visitor again.

        Those are imports that have not ended, and archives, which do not tell whether they have ended.
        """

    async def keep_differences(self, erasure: VisitorErasure, differences: Mapping[str, int]) -> None:
        """Remember what a replay has found, so that it is not made again, and go on with telling."""

    async def drop(self, erasure: VisitorErasure) -> None:
        """Forget an erasure whose site was deleted."""

    async def finish(self, erasure: VisitorErasure, certificate: Mapping[str, Any], at: datetime) -> None:
        """Store the certificate, and forget who was erased."""


class VisitorErasures(Protocol):
    """The erasures of visitors of the sites of a store.

    Every method raises StoreUnavailable when the store does not answer.
    """

    async def request(self, site_id: int, erasure: VisitorErasure) -> None:
        """Store an erasure, which a process with the lock then does."""

    async def of_site(self, site_id: int) -> Sequence[VisitorErasure]:
        """Return the erasures of a site, the latest first."""

    async def sources(self, site_id: int) -> Sequence[str]:
        """Return what can bring events of a visitor again, as LockedVisitorErasures does."""


class ErasureQueue(Protocol):
    """The erasures of a store that wait for a process.

    Every method raises StoreUnavailable when the store does not answer.
    """

    async def is_waiting(self) -> bool:
        """Whether an erasure is not finished."""

    def lock(self) -> AbstractAsyncContextManager[LockedVisitorErasures | None]:
        """Lend the lock; None while another process holds it."""
