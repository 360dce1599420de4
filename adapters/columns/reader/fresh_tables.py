"""Fresh rows in tables of DuckDB: they are read from the CSV files of the store, and made like those of files."""

from collections.abc import Sequence
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
        self.fill(connection, directory, temporary=temporary, agree=agree)
        connection.commit()

    def fill(
        self,
        connection: duckdb.DuckDBPyConnection,
        directory: Path,
        *,
        temporary: bool = True,
        agree: bool = True,
    ) -> None:
        """Do the same in a transaction that has begun."""
        _read(connection, directory, agree=agree)
        kind = "temp" if temporary else ""
        connection.execute(compose("fresh/begin_tables", kind=kind, **self._pieces))

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

    def look(self, connection: duckdb.DuckDBPyConnection, **listed: Sequence[int]) -> None:
        """Begin the transaction of a reading, which sees the tables as they are now, and list sessions for it."""
        connection.begin()
        connection.execute(compose("fresh/see", name=self.name))
        for table, session_ids in listed.items():
            connection.execute(compose("fresh/listed", table=table), {"session_ids": list(session_ids)})

    def show(
        self, connection: duckdb.DuckDBPyConnection, files: Sequence[ColumnFiles], shown: "Shown"
    ) -> None:
        """Make the relations `session` and `hit` of a reading."""
        hidden = ["changed"] if shown.changed else []
        if shown.stale and files:
            query = compose("fresh/hidden_days", files=_paths(files, "sessions"))
            connection.execute(query, {"days": list(shown.stale)})
            hidden.append("of_stale_days")
        pieces = {"name": self.name, "hidden": " ".join(compose("fresh/hidden", table=one) for one in hidden)}
        for table, time in (("sessions", "started_at"), ("hits", "occurred_at")):
            before = compose("fresh/before", time=time, until=shown.until.isoformat()) if shown.until else ""
            of_files = compose("fresh/of_files", files=_paths(files, table), before=before) if files else ""
            earlier = compose("fresh/earlier", table=f"{EARLIER.name}_{table[:-1]}") if shown.until else ""
            pieces |= {f"{table}_before": before, f"{table}_of_files": of_files, f"earlier_{table}": earlier}
        connection.execute(compose("fresh/show", **pieces))

    @property
    def _pieces(self) -> dict[str, str]:
        placed = compose("fresh/placed")
        return {"name": self.name, "sessions": compose("fresh/sessions", hits="hits"), "hits": hits(placed)}


# Sessions as they were, of a question about the past.
EARLIER = FreshTables("earlier")


@frozen
class Shown:
    """What is shown of the rows: of the files not those of changed sessions and of stale days.

    In the past nothing from `until` on, and sessions as they were in the place of those that later hits changed.
    """

    changed: Sequence[int] = ()
    stale: Sequence[datetime] = ()
    until: datetime | None = None


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


def _paths(files: Sequence[ColumnFiles], table: str) -> str:
    return f"[{', '.join(_quoted(str(getattr(one, table))) for one in files)}]"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
