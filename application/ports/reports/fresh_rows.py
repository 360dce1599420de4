"""The port of the rows of a site that no file holds, and of what the store alone knows.

See docs/internals/columns.md#fresh-rows.
"""

from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Protocol

from attrs import frozen

from footfall.application.ports.columns import ColumnFiles
from footfall.domain.error_tracking.decisions import ErrorDecisions
from footfall.domain.goals.goal import GoalQuery
from footfall.domain.periods.period import Period

# The epochs of states whose sessions a former version has formed begin with this.
FORMER = "former "


@frozen
class Coverage:
    """The part of a span of time that files hold, as of one snapshot of the store.

    `days` are those with sessions, each with the version that the files hold, or None where no file does. `changed`
    are the sessions that have changed since their day was closed, by day: what files hold of them does not count.
    Every other session that started on a day of the files is in them as it is in the store, but for `stale` days: what
    files hold of these does not count.
    """

    span: Period
    files: Sequence[ColumnFiles]
    days: Mapping[datetime, str | None]
    changed: Mapping[datetime, Sequence[int]]
    stale: Sequence[datetime] = ()


@frozen
class Earlier:
    """The sessions of a question about the past: of the present those before `until`, and these instead of others.

    The `replaced` sessions of the present are not seen; those `formed` as they were then are.
    """

    until: datetime
    replaced: Sequence[int]
    formed: Sequence[int]


@frozen
class SiteState:
    """A state of the rows of a site, as one snapshot of the store shows it.

    Rows up to a lower `position` become these by adding what was stored in between, as long as the `epoch` is the same:
    erasures and rebuilds change it. An epoch that begins with `FORMER` is one of sessions that were formed in the order
    of the log. All of this is of the present, also when `earlier` says what is otherwise in the past that the snapshot
    is about. Of the past, `measured_up_to` is the position up to which measures of pages count.
    """

    site_id: int
    position: int
    epoch: str
    coverage: Coverage
    earlier: Earlier | None = None
    measured_up_to: int | None = None


@frozen
class Wanted:
    """The sessions that are wanted: those of some days, those that hits after a position touched, and some more.

    Without `days` it is those of all days that no file holds; without a position there are no touched ones. Hits that
    happened beyond `near` need not be looked for. With `most_bytes` each table may be so large. `earlier` are the
    sessions that were formed as they were in the past, and nothing else.
    """

    days: Sequence[datetime] | None = None
    since: int | None = None
    near: Period | None = None
    most_bytes: int | None = None
    earlier: bool = False


class FreshTable(StrEnum):
    """The tables of fresh rows."""

    SESSIONS = "sessions"
    HITS = "hits"


@frozen
class ErrorHistory:
    """The history of a message on a site, of all time."""

    error_name: str
    first_seen: datetime
    # The cause of the latest occurrence; None as long as the store has not told causes apart.
    fingerprint: str | None


class FreshRows(Protocol):
    """The rows of one snapshot; every method raises StoreUnavailable when the store does not answer."""

    @property
    def state(self) -> SiteState:
        """The state that the snapshot shows."""

    async def copy(self, wanted: Wanted, directory: Path) -> None:
        """Write sessions, and all their hits, into a directory: `sessions.csv` and `hits.csv`, with headers.

        Raises:
            OSError: a file cannot be written; with the number `EFBIG` it would be larger than it may be.

        """

    async def set_aside(self, goals: Sequence[GoalQuery]) -> Sequence[str | None]:
        """Return why the store counts a goal not at all; None for those that it counts."""

    async def sightings(self, groups: Sequence[str], decisions: ErrorDecisions) -> str:
        """Return where sessions met groups of errors first.

        A JSON object of lists of one length: `owner`, the index of a group, `session` and `position`.
        """

    async def errors_met(self, fingerprints: Sequence[str], period: Period) -> str:
        """Return positions of errors of these fingerprints in a period, as a JSON array.

        Of each session that met some it has at least one.
        """

    async def histories(self, messages: Sequence[str]) -> Mapping[str, ErrorHistory]:
        """Return what the whole history of the site says of messages."""


class FreshRowStore(Protocol):
    """Lends the rows that no file holds."""

    def begin(
        self, site_id: int, span: Period, files: Sequence[ColumnFiles], state: SiteState | None = None
    ) -> AbstractAsyncContextManager[FreshRows]:
        """Lend the rows of the sessions of a span that current ones of these files do not hold.

        `files` are those that a catalogue named before, and `state` is the one that this snapshot returned before.

        Raises:
            StoreUnavailable: the store does not answer.

        """
