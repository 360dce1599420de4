"""Sessions that standing exclusions leave out: those in files are found once, fresh ones in each turn."""

from collections.abc import Sequence
from pathlib import Path
from uuid import uuid4

import duckdb
from attrs import define, field

from footfall.adapters.columns.queries import ColumnsFailed, LeftOut, Reason
from footfall.adapters.columns.sql_files import compose
from footfall.application.ports.columns import ColumnFiles

# Those of today's rules, and of an answer of the past.
MOST = 2
# An id, and the number of its file.
_ROW_BYTES = 12


@define(eq=False)
class LeftOutIds:
    """A table with the ids of sessions in files that some rules leave out; files do not change."""

    left_out: LeftOut
    name: str = field(factory=lambda: f"left_out_{uuid4().hex}")
    numbers: dict[Path, int] = field(factory=dict)
    bytes: int = 0

    def begin(self, connection: duckdb.DuckDBPyConnection, instead_of: Sequence["LeftOutIds"]) -> None:
        """Make the table if it is not there, and remove others."""
        for ids in instead_of:
            ids.drop(connection)
        connection.execute(compose("fresh/begin_left_out", table=self.name))

    def drop(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Remove the table; transactions that see it go on doing so."""
        connection.execute(compose("fresh/drop_left_out", table=self.name))

    def see(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Let a transaction see the table as it is now."""
        if self.numbers:
            connection.execute(compose("fresh/see_left_out", table=self.name))

    def missing(self, files: Sequence[ColumnFiles]) -> Sequence[ColumnFiles]:
        """Return the files whose sessions have not been looked at."""
        return [one for one in files if one.sessions not in self.numbers]

    def has_removed_files(self) -> bool:
        """Whether there are ids of files that are no more."""
        return not all(path.exists() for path in self.numbers)

    def take(self, files: Sequence[ColumnFiles], rows: int) -> None:
        """Remember that the ids of more files are there."""
        for one in files:
            self.numbers[one.sessions] = len(self.numbers) + 1
        self.bytes += rows * _ROW_BYTES

    def of(self, files: Sequence[ColumnFiles]) -> str:
        """Return the part of a query with the ids of some files, of none without files.

        Raises:
            ColumnsFailed: it was not told of one of them.

        """
        try:
            numbers = ", ".join(str(self.numbers[one.sessions]) for one in files)
        except KeyError:
            raise ColumnsFailed(Reason.OTHER, "OtherFiles") from None
        return numbers and compose("fresh/left_out_of", table=self.name, numbers=numbers)
