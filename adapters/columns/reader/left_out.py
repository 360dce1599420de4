"""Sessions that standing exclusions leave out: those in files are found once, fresh ones in each turn."""

from collections.abc import Sequence
from pathlib import Path
from uuid import uuid4

import duckdb
from attrs import define, field

from footfall.adapters.columns.file_traces import Traces, traces
from footfall.adapters.columns.queries import ColumnsFailed, LeftOutSessions, Reason
from footfall.adapters.columns.sql_files import compose
from footfall.application.ports.columns import ColumnFiles

# Those of today's rules, and of an answer of the past.
MOST = 2
# An id, and the number of its file.
ROW_BYTES = 12


@define(eq=False)
class LeftOutIds:
    """A table with the ids of sessions in files that some rules leave out.

    Files do not change: those that do are damaged, or made anew, and the table is, too.
    """

    rules: LeftOutSessions
    name: str = field(factory=lambda: f"left_out_{uuid4().hex}")
    bytes: int = field(default=0, init=False)
    _numbers: dict[Path, int] = field(factory=dict, init=False)
    _traces: dict[tuple[Path, Path], Traces | None] = field(factory=dict, init=False)

    def begin(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Make the table if it is not there."""
        columns, create = "file integer, session_id bigint", "create table if not exists"
        connection.execute(compose("fresh/begin_table", create=create, table=self.name, columns=columns))

    def missing(self, files: Sequence[ColumnFiles]) -> Sequence[ColumnFiles]:
        """Return the files whose sessions have not been looked at."""
        return [file for file in files if file.sessions not in self._numbers]

    def is_outdated(self) -> bool:
        """Whether a file has been written to or replaced since its sessions were looked at, or is gone."""
        return any(traces(*paths) != former for paths, former in self._traces.items())

    def note(self, file: ColumnFiles) -> None:
        """Remember how a file is before its sessions are looked at."""
        self._traces[file.sessions, file.hits] = traces(file.sessions, file.hits)

    @property
    def next_number(self) -> int:
        """The number of the next file whose sessions are looked at."""
        return len(self._numbers) + 1

    def take(self, file: ColumnFiles, rows: int) -> None:
        """Remember that the ids of one more file are there."""
        self._numbers[file.sessions] = self.next_number
        self.bytes += rows * ROW_BYTES

    def of(self, files: Sequence[ColumnFiles]) -> str:
        """Return the part of a query with the ids of some files, of none without files.

        Raises:
            ColumnsFailed: it was not told of one of them.

        """
        try:
            numbers = ", ".join(str(self._numbers[file.sessions]) for file in files)
        except KeyError:
            raise ColumnsFailed(Reason.OTHER, "OtherFiles") from None
        return numbers and compose("fresh/left_out_of", table=self.name, numbers=numbers)


def drop_all(connection: duckdb.DuckDBPyConnection, left_out: Sequence[LeftOutIds]) -> None:
    """Remove some tables; transactions that see them go on doing so."""
    for ids in left_out:
        connection.execute(compose("fresh/drop_table", table=ids.name))
