"""The DuckDB of a maker of files: it reads CSV files of an export, and writes Parquet files."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import duckdb
from attrs import define

from footfall.adapters.columns.functions import functions
from footfall.adapters.columns.row_making import (
    HIT_COLUMNS,
    SESSION_COLUMNS,
    Columns,
    csv_parameters,
    has_columns,
    hits,
    sessions,
)
from footfall.adapters.columns.sql_files import compose, over
from footfall.application.ports.columns import ExportedTable
from footfall.domain.tracking.hit import HitType
from footfall.domain.traffic.session import SESSION_ATTRIBUTES

MEMORY_LIMIT = "512MB"
# The most values that a byte can number.
FEW_VALUES = 255

_COLUMNS: Mapping[ExportedTable, Columns] = {
    ExportedTable.SESSIONS: SESSION_COLUMNS,
    ExportedTable.OWNERS: {
        **dict.fromkeys(("session_id", "visitor_id"), "BIGINT"),
        "started_at": "TIMESTAMPTZ",
    },
    # Their order is that of the hits in a file.
    ExportedTable.HITS: {**HIT_COLUMNS, "type": "hit_type"},
}


class FilesNotMade(Exception):
    """Files could not be made; the text says why and holds nothing of the rows."""


@define
class ParquetWriter:
    """An instance of DuckDB that reads the CSV files of a directory, and writes Parquet files."""

    _instance: duckdb.DuckDBPyConnection
    _directory: Path

    @classmethod
    def opened(cls, directory: Path) -> Self:
        """Return a writer in a directory; it lasts as long as the block that it is used in."""
        instance = duckdb.connect(":memory:")
        settings = {
            "threads": "1",
            "memory_limit": _quoted(MEMORY_LIMIT),
            "temp_directory": _quoted(str(directory / "spill")),
            "autoinstall_known_extensions": "false",
            "autoload_known_extensions": "false",
            "TimeZone": "'UTC'",
            "python_enable_replacements": "false",
            # Joins keep the order of the rows on their left: the other way round they would give that of the sessions.
            "disabled_optimizers": "'join_order,build_side_probe_side'",
        }
        for name, value in settings.items():
            instance.execute(f"set {name} = {value}")
        for statements in functions():
            instance.execute(statements)
        return cls(instance, directory)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._instance.close()

    def write_hits(self, target: Path) -> int:
        """Write the file of hits, and return the number of its rows."""
        self._run(compose("making/types"), types=sorted(HitType))
        for table in (ExportedTable.SESSIONS, ExportedTable.OWNERS, ExportedTable.HITS):
            self._read(table)
        self._enumerate_attributes()
        self._run(compose("making/places"))
        rows = self._copy(hits(compose("making/placed")), target)
        lost_hits = over(compose("making/lost_hits"), hits="from read_parquet($path)")
        [lost] = self._run(lost_hits, path=str(target))[0]
        if lost:
            raise FilesNotMade("the sessions do not have as many hits as the log")
        return rows

    def write_sessions(self, target: Path, hits: Path) -> int:
        """Write the file of sessions after that of their hits, and return the number of its rows."""
        made = over(sessions("from hits"), hits="from read_parquet($hits)")
        query = over(compose("making/sessions_in_order"), made=made)
        return self._copy(query, target, hits=str(hits))

    def gather(self, sources: Sequence[Path], target: Path, kind: str) -> int:
        """Write the rows of several files of one kind into one, and return their number."""
        made = "from read_parquet($files, union_by_name = true)"
        query = over(compose(f"making/{kind}_in_order"), made=made)
        return self._copy(query, target, files=list(map(str, sources)))

    def _enumerate_attributes(self) -> None:
        """Give attributes of sessions that have few values a type of these.

        They are copied to each hit as a byte, and written without a look into a dictionary for each.
        """
        [distinct] = self._run(compose("making/counts"), names=SESSION_ATTRIBUTES)
        few = [
            name for name, count in zip(SESSION_ATTRIBUTES, distinct, strict=True) if 0 < count <= FEW_VALUES
        ]
        for name in few:
            self._run(compose("making/enumerate", attribute=name))

    def _read(self, table: ExportedTable) -> None:
        path = self._directory / f"{table}.csv"
        columns = _COLUMNS[table]
        if not has_columns(path, columns):
            raise FilesNotMade(f"the export of {table} has other columns")
        self._run(compose("making/read", table=str(table)), **csv_parameters(path, columns))
        path.unlink()

    def _copy(self, query: str, target: Path, **parameters: object) -> int:
        [[rows]] = self._run(compose("making/copy", query=query), target=str(target), **parameters)
        return int(rows)

    def _run(self, query: str, **parameters: object) -> Sequence[tuple[Any, ...]]:
        try:
            return self._instance.execute(query, parameters or None).fetchall()
        except duckdb.Error as error:
            # The text of an error can quote a row.
            raise FilesNotMade(f"DuckDB failed ({type(error).__name__})") from None


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
