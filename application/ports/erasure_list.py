"""Ports of the list of erasures outside of the store, by which a restored one is brought to what was erased since."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Protocol
from uuid import UUID

from attrs import frozen


@frozen(kw_only=True)
class ListedErasure:
    """An erasure that cannot be read back: a site by its number, a visitor of it by keyed digests.

    `erasure` is the id of that of a visitor, and None for a site.
    """

    site_id: int
    at: datetime
    erasure: UUID | None = None
    selectors: Sequence[str] = ()

    @property
    def name(self) -> str:
        """What tells it from all others."""
        return f"site {self.site_id}" if self.erasure is None else f"visitor {self.erasure}"


class StoredErasures(Protocol):
    """The erasures of a store, those of sites and visitors."""

    async def listed(self) -> Sequence[ListedErasure]:
        """Return all of them, the first one first, but for visitors without digests.

        Raises:
            StoreUnavailable: the store does not answer.

        """


class ErasureList(Protocol):
    """The list outside of the store: lines are added, and never changed."""

    def add(self, erasures: Iterable[ListedErasure]) -> None:
        """Add, durably, those that it lacks.

        Raises:
            StoreUnavailable: it cannot be written.

        """
