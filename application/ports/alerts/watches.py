"""The port of watches of alert rules: up to which window each is evaluated, and when it is due again."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from typing import Protocol

from attrs import field, frozen

from footfall.domain.alerts.firing_decision import Progress


@frozen(kw_only=True)
class Watch:
    """The state of one revision of a rule: evaluated up to the window that ended at `until`, due at `due_at`.

    `obstacle` says why it could not be evaluated the last time.
    """

    site_id: int
    rule: int
    revision: int
    until: datetime
    due_at: datetime
    progress: Progress = field(factory=Progress)
    obstacle: str | None = None


class AlertWatches(Protocol):
    """Keeps where rules stand.

    Every method raises StoreUnavailable when the store cannot be reached.
    """

    async def due(self, now: datetime, *, limit: int | None = None) -> Sequence[Watch]:
        """Return the watches that are due, the longest due first; all of them without a limit."""

    async def revisions(self) -> Mapping[tuple[int, int], int]:
        """Return the revision that each watched rule stands at, by site and number."""

    async def save(self, watches: Sequence[Watch]) -> None:
        """Store watches, instead of those that were stored for the same rules."""

    async def forget(self, rules: Sequence[tuple[int, int]]) -> None:
        """Forget the watches of rules, named by site and number."""

    async def of_site(self, site_id: int) -> Mapping[int, Watch]:
        """Return the watches of a site by the numbers of the rules."""

    def lock(self) -> AbstractAsyncContextManager[object | None]:
        """Lend something while this process is the one that evaluates rules; None when another one is."""
