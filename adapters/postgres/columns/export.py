"""The rows of closed days as CSV, all of them from one snapshot."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any, BinaryIO

from attrs import frozen
from psycopg import sql

from footfall.adapters.postgres.columns.copy_out import copy_out
from footfall.adapters.postgres.columns.hit_columns import hits_with_json
from footfall.adapters.postgres.database.connections import StoreConnection, connect
from footfall.adapters.postgres.database.failures import translated
from footfall.adapters.postgres.database.sql_files import compose, filled
from footfall.application.ports.columns import DayVersion, ExportedTable
from footfall.domain.traffic.session import SESSION_ATTRIBUTES

_FOLDER = "columns/export"


@frozen
class PostgresDayExport:
    """The export of some days, within a transaction that sees one snapshot."""

    _connection: StoreConnection
    _days: Sequence[DayVersion]
    _start: datetime | None
    _end: datetime | None

    async def copy(self, table: ExportedTable, target: BinaryIO) -> int:
        """Write a table as CSV with a header, and return the number of its rows.

        Raises:
            StoreUnavailable: the store does not answer.
            OSError: the file cannot be written.

        """
        attributes = sql.SQL(", ").join(map(sql.Identifier, SESSION_ATTRIBUTES))
        query = compose(f"{_FOLDER}/{table}", columns=hits_with_json(), attributes=attributes)
        values = {**_values(self._days), "start": self._start, "end": self._end, "measured_up_to": None}
        copy = filled(self._connection, compose(f"{_FOLDER}/copy", query=query), values)
        return await copy_out(self._connection, copy, target)


@asynccontextmanager
async def exported(url: str, days: Sequence[DayVersion]) -> AsyncIterator[PostgresDayExport | None]:
    """Lend the rows of some days of one site; None when one of their versions is no longer current.

    Raises:
        StoreUnavailable: the store does not answer.

    """
    connection = await connect(url)
    try:
        with translated():
            export = await _begun(connection, days)
        yield export
    finally:
        await connection.close()


async def _begun(connection: StoreConnection, days: Sequence[DayVersion]) -> PostgresDayExport | None:
    """Begin the transaction of an export; it ends with the connection."""
    await connection.set_autocommit(False)
    await connection.run(f"{_FOLDER}/begin")
    values = _values(days)
    versions = [day.version for day in days]
    if not await connection.value(f"{_FOLDER}/are_current", **values, versions=versions):
        return None
    [span] = await connection.rows(compose(f"{_FOLDER}/span"), **values)
    return PostgresDayExport(connection, days, span["start"], span["end"])


def _values(days: Sequence[DayVersion]) -> dict[str, Any]:
    instants = [day.day for day in days]
    return {
        "site_id": days[0].site_id,
        "first": min(instants),
        "last": max(instants),
        "days": instants,
    }
