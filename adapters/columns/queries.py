"""Queries about files: who answers them, and why they may not be answered."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from enum import StrEnum
from typing import Any, Protocol

from footfall.application.ports.reports.askers import Asker

# A query that takes longer is ended.
QUERY_SECONDS = 10.0

Parameters = Mapping[str, Any]
Rows = Sequence[tuple[Any, ...]]


class Reason(StrEnum):
    """Why a report is answered from rows."""

    EXPRESSION = "expression"
    FILE = "file"
    MEMORY = "memory"
    NO_FILES = "no_files"
    OTHER = "other"
    SHORT = "short"
    TIME = "time"

    @property
    def is_failure(self) -> bool:
        """Whether something is wrong, other than that rows are the better source."""
        return self not in (Reason.EXPRESSION, Reason.NO_FILES, Reason.SHORT)


class ColumnsFailed(Exception):
    """DuckDB did not answer a query; the text is the name of its error and holds no value."""

    def __init__(self, reason: Reason, error: str = "") -> None:
        super().__init__(error or str(reason))
        self.reason = reason


class Queries(Protocol):
    """Answers queries about files."""

    async def query(self, text: str, parameters: Parameters, expressions: Sequence[str] = ()) -> Rows:
        """Return the rows of a query; `expressions` are the regular expressions among the parameters.

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
