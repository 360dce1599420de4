"""The rows of a site that no file of columns holds, from one snapshot."""

from collections import defaultdict
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, nullcontext
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from attrs import frozen
from psycopg import sql
from psycopg.rows import DictRow

from footfall.adapters.postgres.columns.copy_out import copy_out
from footfall.adapters.postgres.columns.hit_columns import hits_with_lists
from footfall.adapters.postgres.database.connections import StoreConnection
from footfall.adapters.postgres.database.session import without_nested_loops
from footfall.adapters.postgres.database.sql_files import compose, filled, statement
from footfall.adapters.postgres.reports.group_members import member_parameters
from footfall.adapters.postgres.reports.snapshot import DAY, ReportConnections, report_snapshot
from footfall.adapters.postgres.reports.stored_conversions import goal_states
from footfall.application.ports.columns import ColumnFiles, current_files
from footfall.application.ports.reports.fresh_rows import (
    Coverage,
    Earlier,
    ErrorHistory,
    FreshRows,
    FreshTable,
    SiteState,
    Wanted,
)
from footfall.domain.error_tracking.decisions import ErrorDecisions
from footfall.domain.goals.goal import GoalQuery
from footfall.domain.periods.period import Period
from footfall.domain.traffic.session import LONGEST, SESSION_ATTRIBUTES

_FOLDER = "reports/fresh"


@frozen
class PostgresFreshRowStore:
    """FreshRowStore over the read models and the log."""

    _connections: ReportConnections

    @asynccontextmanager
    async def begin(
        self, site_id: int, span: Period, files: Sequence[ColumnFiles], state: SiteState | None = None
    ) -> AsyncIterator[FreshRows]:
        """Lend the rows of the sessions of a span that current ones of these files do not hold."""
        async with report_snapshot(self._connections) as connection:
            if state is None:
                earlier = await _earlier(connection)
                with connection.at_present():
                    state = await self._state(connection, site_id, span, files, earlier)
            yield _PostgresFreshRows(connection, state)

    async def _state(
        self,
        connection: StoreConnection,
        site_id: int,
        span: Period,
        files: Sequence[ColumnFiles],
        earlier: Earlier | None,
    ) -> SiteState:
        listed = {day.day for kept in files for day in kept.days}
        asked = {"site_id": site_id, "start": span.start, "end": span.end, "days": list(listed)}
        rows = await _fetch(connection, "coverage", asked)
        covering = current_files(files, {row["day"]: row["version"] for row in rows})
        held = {day.day: day.version for kept in covering for day in kept.days}
        days = list(held)
        changed = defaultdict[datetime, list[int]](list)
        # Small sites have no files.
        for row in await _fetch(connection, "changed", {"site_id": site_id, "days": days}) if days else ():
            changed[row["day"]].append(row["session_id"])
        versions = {
            row["day"]: str(row["version"])
            if row["version"] and row["version"] == held.get(row["day"])
            else None
            for row in rows
        }
        stale = [day for day in days if versions.get(day) is None]
        coverage = Coverage(span, covering, versions, changed, stale)
        [state] = await _fetch(connection, "state", {"site_id": site_id})
        return SiteState(
            site_id, state["position"], state["epoch"], coverage, earlier, connection.measured_up_to
        )


@frozen
class _PostgresFreshRows:
    _connection: StoreConnection
    state: SiteState

    async def copy(self, wanted: Wanted, directory: Path) -> None:
        with nullcontext() if wanted.earlier else self._connection.at_present():
            await self._copy(self._values(wanted), wanted, directory)

    async def _copy(self, values: Mapping[str, Any], wanted: Wanted, directory: Path) -> None:
        statements = _statements()
        async with without_nested_loops(self._connection):
            # Planned once for many answers, from the first one on.
            cursor = await self._connection.execute(statements["concerned"], values, prepare=True)
            [concerned] = await cursor.fetchall()
            every = {**values, **concerned, **_span([concerned["earliest"], concerned["latest"]], values)}
            for table in FreshTable:
                query = self._connection.readable(statements[table])
                copy = filled(self._connection, compose("columns/export/copy", query=query), every)
                with (directory / f"{table}.csv").open("xb") as target:
                    await copy_out(self._connection, copy, target, rests=False, most_bytes=wanted.most_bytes)

    async def set_aside(self, goals: Sequence[GoalQuery]) -> Sequence[str | None]:
        states = await goal_states(self._connection, self.state.site_id, goals)
        return [states[index]["set_aside"] if index in states else None for index in range(len(goals))]

    async def sightings(self, groups: Sequence[str], decisions: ErrorDecisions) -> str:
        span = self.state.coverage.span
        values = {
            "site_id": self.state.site_id,
            "start": span.start,
            "end": span.end,
            **member_parameters(groups, decisions),
        }
        query = compose(f"{_FOLDER}/sightings")
        cursor = await self._connection.execute(query, values, prepare=False)
        [row] = await cursor.fetchall()
        return str(row["sightings"])

    async def errors_met(self, fingerprints: Sequence[str], period: Period) -> str:
        values = {
            "site_id": self.state.site_id,
            "fingerprints": list(fingerprints),
            "start": period.start,
            "end": period.end,
            "earlier": self.state.earlier is not None,
        }
        cursor = await self._connection.execute(compose(f"{_FOLDER}/errors_met"), values, prepare=False)
        [row] = await cursor.fetchall()
        return str(row["positions"])

    async def histories(self, messages: Sequence[str]) -> Mapping[str, ErrorHistory]:
        values = {"site_id": self.state.site_id, "messages": list(messages)}
        query = compose(f"{_FOLDER}/error_histories")
        cursor = await self._connection.execute(query, values, prepare=False)
        return {row.pop("message"): ErrorHistory(**row) for row in await cursor.fetchall()}

    def _values(self, wanted: Wanted) -> dict[str, Any]:
        coverage, earlier = self.state.coverage, self.state.earlier
        days = coverage.days if wanted.days is None else wanted.days
        changed = [session_id for day in days for session_id in coverage.changed.get(day, ())]
        # Rows are known by their days, which are brought as a whole, also beyond the span.
        gaps = [Period(day, day + DAY) for day in days if coverage.days.get(day) is None]
        if wanted.earlier and earlier is not None:
            gaps, changed = [], list(earlier.formed)
        return {
            "site_id": self.state.site_id,
            "gap_starts": [gap.start for gap in gaps],
            "gap_ends": [gap.end for gap in gaps],
            "changed": changed,
            "position": self.state.position,
            "measured_up_to": self.state.position,
            "since": self.state.position if wanted.since is None else wanted.since,
            "near_start": wanted.near and wanted.near.start,
            "near_end": wanted.near and wanted.near.end,
        }


def _span(of_concerned: Sequence[datetime | None], values: Mapping[str, Any]) -> dict[str, datetime | None]:
    """Return the span of all hits that are copied: of the sessions that are concerned, and of those of the gaps."""
    ends = [end + LONGEST for end in values["gap_ends"]]
    times = [time for time in (*of_concerned, *values["gap_starts"], *ends) if time is not None]
    return {"earliest": min(times, default=None), "latest": max(times, default=None)}


@cache
def _statements() -> Mapping[str, sql.SQL]:
    pieces = {
        "columns": hits_with_lists(),
        "attributes": sql.SQL(", ").join(map(sql.Identifier, SESSION_ATTRIBUTES)),
    }
    composed = {name: compose(f"{_FOLDER}/{name}", **pieces) for name in ("concerned", *FreshTable)}
    # As texts: the limits of the classes of measures take the driver half a millisecond.
    return {name: sql.SQL(query.as_string()) for name, query in composed.items()}


async def _earlier(connection: StoreConnection) -> Earlier | None:
    until = connection.earlier_until
    if until is None:
        return None
    [row] = await _fetch(connection, "earlier", {})
    return Earlier(until, row["replaced"], row["formed"])


async def _fetch(connection: StoreConnection, name: str, values: Mapping[str, Any]) -> list[DictRow]:
    return await (await connection.execute(statement(f"{_FOLDER}/{name}"), values)).fetchall()
