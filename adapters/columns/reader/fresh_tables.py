"""Fresh rows in tables of DuckDB: they are read from the CSV files of the store, and made like those of files."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path

import duckdb
from attrs import frozen

from footfall.adapters.columns.making import HIT_COLUMNS, SESSION_COLUMNS, csv_rows, has_columns, hits
from footfall.adapters.columns.queries import ColumnsFailed, Reason
from footfall.adapters.columns.sql_files import compose
from footfall.application.ports.columns import ColumnFiles
from footfall.application.ports.reports.fresh_rows import FreshTable

_BUFFER = 8 << 20
_COLUMNS = {
    FreshTable.SESSIONS: SESSION_COLUMNS,
    FreshTable.HITS: {"session_id": "BIGINT", **HIT_COLUMNS},
}


@frozen
class FreshTables:
    """The tables of the sessions of a site, and of their hits; `name` begins their names."""

    name: str

    def begin(
        self,
        connection: duckdb.DuckDBPyConnection,
        directory: Path,
        *,
        temporary: bool = False,
        agree: bool = True,
    ) -> None:
        """Make the tables from the files of a directory; temporary ones end with the connection.

        Sessions have as many hits as they count when they `agree`, or the rows are refused.
        """
        connection.begin()
        _read(connection, directory, agree=agree)
        kind = "temp" if temporary else ""
        connection.execute(compose("fresh/begin_tables", kind=kind, **self._pieces))
        connection.commit()

    def add(self, connection: duckdb.DuckDBPyConnection, directory: Path, *, agree: bool = True) -> None:
        """Replace and add the sessions in the files of a directory."""
        connection.begin()
        _read(connection, directory, agree=agree)
        connection.execute(compose("fresh/add_rows", **self._pieces))
        connection.commit()

    def compact(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Free the memory of replaced rows."""
        connection.begin()
        connection.execute(compose("fresh/compact", name=self.name))
        connection.commit()

    def drop(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Remove the tables; transactions that see them go on doing so."""
        connection.execute(compose("fresh/drop_tables", name=self.name))

    def look(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Begin the transaction of a reading, which sees the tables as they are now."""
        connection.begin()
        connection.execute(compose("fresh/see", name=self.name))

    def show(
        self,
        connection: duckdb.DuckDBPyConnection,
        files: Sequence[ColumnFiles],
        changed: Sequence[int],
        stale: Sequence[datetime],
    ) -> None:
        """Make the relations `session` and `hit` of a reading.

        What the files hold of changed sessions and of stale days does not count.
        """
        sessions, hits = (
            _list_of(str(getattr(one, table)) for one in files) for table in ("sessions", "hits")
        )
        days = _list_of(day.isoformat() for day in stale)
        pieces = {
            "hidden_days": compose("fresh/hidden_days", files=sessions, days=days) if stale and files else "",
            "sessions_of_files": compose("fresh/of_files", files=sessions) if files else "",
            "hits_of_files": compose("fresh/of_files", files=hits) if files else "",
        }
        connection.execute(compose("fresh/show", name=self.name, changed=str(list(changed)), **pieces))

    @property
    def _pieces(self) -> dict[str, str]:
        placed = compose("fresh/placed")
        return {"name": self.name, "sessions": compose("fresh/sessions", hits="hits"), "hits": hits(placed)}


def _read(connection: duckdb.DuckDBPyConnection, directory: Path, *, agree: bool) -> None:
    """Read the files of a directory into temporary tables."""
    for table, columns in _COLUMNS.items():
        query = compose("fresh/brought", table=str(table), csv=csv_rows(_BUFFER))
        path = directory / f"{table}.csv"
        if not has_columns(path, columns):
            raise ColumnsFailed(Reason.OTHER, "OtherColumns")
        connection.execute(query, {"path": str(path), "columns": dict(columns)})
    [[lost]] = connection.execute(compose("making/lost_hits", hits="hits")).fetchall()
    if lost and agree:
        raise ColumnsFailed(Reason.OTHER, "LostHits")


def _list_of(texts: Iterable[str]) -> str:
    return f"[{', '.join(map(_quoted, texts))}]"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
