"""Queries about sessions and hits: who answers them, and why they may not be answered."""

import errno
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Any, Protocol

from attrs import field, frozen

from footfall.application.ports.columns import ColumnFiles
from footfall.application.ports.reports.askers import Asker
from footfall.application.ports.reports.fresh_rows import Earlier, Wanted

# A query that takes longer is ended.
QUERY_SECONDS = 10.0

Parameters = Mapping[str, Any]
Rows = Sequence[tuple[Any, ...]]
# Copies the wanted rows into a directory.
Copy = Callable[[Wanted, Path], Awaitable[None]]


class Reason(StrEnum):
    """Why a query is not answered."""

    EXPRESSION = "expression"
    FILE = "file"
    # The rows that no file holds do not fit into the memory.
    FRESH_ROWS = "fresh_rows"
    MEMORY = "memory"
    OTHER = "other"
    TIME = "time"


class ColumnsFailed(Exception):
    """DuckDB did not answer a query; the text is the name of its error and holds no value."""

    def __init__(self, reason: Reason, error: str = "") -> None:
        super().__init__(error or str(reason))
        self.reason = reason


def unwritten(failure: OSError) -> ColumnsFailed:
    """Return why rows are not there that could not be written."""
    reason = Reason.FRESH_ROWS if failure.errno == errno.EFBIG else Reason.MEMORY
    return ColumnsFailed(reason, type(failure).__name__)


@frozen
class LeftOutSessions:
    """The sessions that no query sees which leaves them out: what selects their ids, and the files that hold such ones.

    `text` is about the relations `session` and `hit`; `expressions` are the regular expressions among the parameters.
    """

    text: str
    parameters: Parameters
    expressions: Sequence[str] = ()
    files: Sequence[ColumnFiles] = field(default=(), eq=False)


@frozen
class SiteQuestion:
    """The state of a site that queries are about: see `SiteState` in application/ports/reports/fresh_rows.py.

    `changed` are the sessions of which the files hold what does not count, `stale` the days.
    """

    site_id: int
    position: int
    epoch: str
    days: Mapping[datetime, str | None]
    changed: Sequence[int]
    stale: Sequence[datetime] = ()
    earlier: Earlier | None = None
    left_out: LeftOutSessions | None = None


class Queries(Protocol):
    """Answers queries about the relations `session` and `hit` of a site: files, and what is fresher than these."""

    async def prepare(self, question: SiteQuestion, copy: Copy) -> None:
        """Let the queries from now on see a state of a site; `copy` brings the rows that are not there yet.

        Raises:
            ColumnsFailed: the rows do not fit into the memory, or cannot be read.
            StoreUnavailable: the store does not bring them, or what answers has ended.

        """

    async def query(
        self,
        text: str,
        parameters: Parameters,
        expressions: Sequence[str] = (),
        files: Sequence[ColumnFiles] = (),
        *,
        leaving_out: bool = False,
    ) -> Rows:
        """Return the rows of a query; `expressions` are the regular expressions among the parameters.

        The relations consist of the rows of the files, but for the sessions of which there are fresh rows, and of
        these; when it is `leaving_out`, without the sessions that the question leaves out.

        Raises:
            ColumnsFailed: the time is over, a file cannot be read, the memory or the disk does not suffice, or DuckDB
                does not accept an expression.
            StoreUnavailable: what answers has ended.

        """


class Turns(Protocol):
    """Lends turns, in which queries are answered."""

    def turn(self, asker: Asker) -> AbstractAsyncContextManager[Queries]:
        """Lend a turn when it is the asker's.

        Raises:
            ReportsBusy: too many others wait.
            StoreUnavailable: what answers has ended, and is not back yet.

        """


class NodeTurns(Turns, Protocol):
    """Lends the turns of a node, and lets fresh rows go."""

    async def forget(self, site_id: int) -> None:
        """Return when no fresh rows of a site are kept; those of what has ended are none."""
