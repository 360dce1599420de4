"""The part of a report that no file of columns covers: the rows of the other sessions, from one snapshot."""

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from types import MappingProxyType
from typing import Any

from attrs import field, frozen
from psycopg import AsyncConnection, sql
from psycopg.rows import DictRow

from footfall.adapters.postgres.database.session import avoid_nested_loops
from footfall.adapters.postgres.database.sql_files import compose, statement
from footfall.adapters.postgres.projections.goal_versions import rule_values
from footfall.adapters.postgres.reports.breakdown_queries import hit_type, value_of
from footfall.adapters.postgres.reports.costs.error_costs import member_parameters
from footfall.adapters.postgres.reports.expressions import with_matches
from footfall.adapters.postgres.reports.goal_reports import goal_states, rules_of, session_counts
from footfall.adapters.postgres.reports.pattern_limit import pattern_limit
from footfall.adapters.postgres.reports.selection import Selection
from footfall.adapters.postgres.reports.snapshot import DAY, ReportConnections, report_snapshot
from footfall.application.journal.stream_names import site_stream
from footfall.application.ports.columns import ColumnFiles, Coverage
from footfall.application.ports.reports.uncovered import (
    ErrorHistory,
    FoundError,
    GoalStanding,
    PieceOfTraffic,
    Uncovered,
)
from footfall.domain.error_tracking.decisions import ErrorDecisions
from footfall.domain.goals.goal import EventRule, GoalQuery
from footfall.domain.periods.period import Period
from footfall.domain.tracking.hit import HitType
from footfall.domain.traffic.breakdown import OF_SESSIONS
from footfall.domain.traffic.conversion import SessionCounts
from footfall.domain.traffic.filters import Filter
from footfall.domain.traffic.overview import Traffic
from footfall.domain.traffic.session import LONGEST

Connection = AsyncConnection[DictRow]

_FOLDER = "reports/uncovered"
_NONE: Mapping[str, Any] = MappingProxyType({})
_NO_VERSION = object()
# Sessions of closed days without files, whose rows a worker takes as texts in JSON to hand them over: of four times as
# many, with 1.3 million hits, the visitors of each path took 200 MiB of its memory, and no less time than rows alone.
MOST_MISSING = 40_000


@frozen
class PostgresUncoveredReports:
    """UncoveredReports over the read models and the log.

    Files that hold less than `least_covered` of the days of a report cover nothing. Rows that are handed over cost up
    to three times as much as rows that are counted, most of all the visitors of each path and measures. Of 30 days with
    a million hits in 90, these reports were faster by rows with 10 days in files, and by columns with 15.
    """

    _connections: ReportConnections
    _least_covered: float = field(default=0.5, kw_only=True)

    @asynccontextmanager
    async def begin(
        self, site_id: int, period: Period, filters: Sequence[Filter], files: Sequence[ColumnFiles]
    ) -> AsyncIterator[Uncovered]:
        """Lend the part that is left when current ones of these files cover the rest."""
        selection = Selection(site_id, period, filters, hits="uncovered")
        async with report_snapshot(self._connections) as connection:
            coverage = await _coverage(connection, selection, files, self._least_covered)
            await avoid_nested_loops(connection)
            if coverage.files:
                selection = await with_matches(connection, selection, gaps_of(period, coverage))
            yield _PostgresUncovered(connection, selection, coverage)


@frozen
class _PostgresUncovered:
    _connection: Connection
    _selection: Selection
    coverage: Coverage

    async def traffic(self, pieces: Sequence[Period]) -> Mapping[int, PieceOfTraffic]:
        edges = [pieces[0].start, *(piece.end for piece in pieces)]
        rows = await self._rows("traffic", {"edges": edges})
        return {
            row.pop("piece") - 1: PieceOfTraffic(visitors=row.pop("visitors"), traffic=Traffic(**row))
            for row in rows
        }

    async def values(self, by: str) -> str:
        return await self._text("values", **_source(by))

    async def values_and_visitors(self, by: str) -> str:
        return await self._text("values_and_visitors", **_source(by))

    async def values_and_conversions(self, by: str, goal: GoalQuery) -> str:
        parameters = self._selection.goal_parameters("goal", [goal])
        reached = self._selection.reached("goal")
        async with pattern_limit(self._connection, [goal]):
            return await self._text("values_and_conversions", parameters, reached=reached, **_source(by))

    async def pages(self) -> str:
        inside = compose(f"{_FOLDER}/in_period_and_next")
        return await self._text("pages", hits=compose(f"{_FOLDER}/hits", comparison=inside))

    async def measures(self) -> str:
        return await self._text("measures", comparison=_inside(sql.Literal(str(HitType.PERFORMANCE))))

    async def standings(self, goals: Sequence[GoalQuery]) -> Sequence[GoalStanding]:
        states = await goal_states(self._connection, self._selection.site_id, goals)
        return [_standing(states.get(index)) for index in range(len(goals))]

    async def conversions(self, numbers: Sequence[int]) -> SessionCounts:
        rows = await self._rows("projected_conversions", {"numbers": list(numbers)})
        return session_counts(rows, "index")

    async def matched(self, goals: Sequence[GoalQuery]) -> Mapping[int, int]:
        inside = compose(f"{_FOLDER}/inside", comparison=compose(f"{_FOLDER}/can_match"))
        converted = compose("reports/goals/matched_conversions", inside=inside)
        async with pattern_limit(self._connection, goals):
            rows = await self._rows("matched_conversions", rules_of(goals), converted=converted)
        return session_counts(rows, "index").converted

    async def step_hits(self, rules: Sequence[GoalQuery]) -> str:
        inside = compose(f"{_FOLDER}/inside", comparison=compose(f"{_FOLDER}/can_match"))
        async with pattern_limit(self._connection, rules):
            [row] = await self._rows("step_hits", rules_of(rules), inside=inside)
        return str(row["hits"])

    async def properties(self, event: EventRule) -> str:
        return await self._of_events("properties", event, {})

    async def property_values(self, event: EventRule, key: str) -> str:
        return await self._of_events("property_values", event, {"key": key})

    async def property_pieces(self, event: EventRule, key: str, starts: Sequence[datetime]) -> str:
        return await self._of_events("property_pieces", event, {"key": key, "edges": list(starts)})

    async def _of_events(self, name: str, event: EventRule, more: Mapping[str, Any]) -> str:
        those = compose(f"{_FOLDER}/those", comparison=_inside(sql.Literal(str(HitType.CUSTOM_EVENT))))
        [row] = await self._rows(name, {**rule_values(event), **more}, source=those)
        return str(row["found"])

    async def errors(self) -> Sequence[FoundError]:
        return [FoundError(**row) for row in await self._rows("errors")]

    async def costs(self, groups: Sequence[str], decisions: ErrorDecisions, number: int) -> str:
        source = compose(f"{_FOLDER}/those", comparison=compose(f"{_FOLDER}/pageviews"))
        parameters = {**member_parameters(groups, decisions), "number": number}
        return await self._text("costs", parameters, source=source)

    async def histories(self, messages: Sequence[str]) -> Mapping[str, ErrorHistory]:
        stream = site_stream(self._selection.site_id)
        rows = await self._rows("error_histories", {"messages": list(messages), "stream": stream})
        return {row.pop("message"): ErrorHistory(**row) for row in rows}

    async def _text(
        self, name: str, parameters: Mapping[str, Any] = _NONE, /, **pieces: sql.Composable
    ) -> str:
        [row] = await self._rows(name, parameters, **pieces)
        return str(row["rest"])

    async def _rows(
        self, name: str, parameters: Mapping[str, Any] = _NONE, /, **pieces: sql.Composable
    ) -> list[DictRow]:
        query = compose(f"{_FOLDER}/{name}", conditions=self._selection.conditions, **pieces)
        gaps = gaps_of(self._selection.period, self.coverage)
        values = {**self._selection.parameters, **gaps, **parameters}
        # A generic plan would serve no period: how much is covered decides how the rest is read best.
        cursor = await self._connection.execute(query, values, prepare=False)
        return await cursor.fetchall()


def gaps_of(period: Period, coverage: Coverage) -> dict[str, Any]:
    """Return the times that no file covers, and the changed sessions, as parameters."""
    covered = [day.day for files in coverage.files for day in files.days]
    gaps = _gaps(Period(period.start - LONGEST, period.end), covered)
    return {
        "gap_starts": [gap.start for gap in gaps],
        "gap_ends": [gap.end for gap in gaps],
        "changed": list(coverage.changed),
    }


async def _coverage(
    connection: Connection, selection: Selection, files: Sequence[ColumnFiles], least_covered: float
) -> Coverage:
    listed = {day.day: day.version for one in files for day in one.days}
    rows = await _fetch(connection, "coverage", {**selection.places, "days": list(listed)})
    current = {row["day"] for row in rows if row["version"] == listed.get(row["day"], _NO_VERSION)}
    covering = [one for one in files if all(day.day in current for day in one.days)]
    days = [day.day for one in covering for day in one.days]
    missing = sum(row["sessions"] for row in rows if row["day"] not in days)
    if len(days) < least_covered * len(rows) or missing > MOST_MISSING:
        return Coverage([], [])
    changed = await _fetch(connection, "changed", {"site_id": selection.site_id, "days": days})
    return Coverage(covering, [row["session_id"] for row in changed])


async def _fetch(connection: Connection, name: str, parameters: Mapping[str, Any]) -> list[DictRow]:
    return await (await connection.execute(statement(f"{_FOLDER}/{name}"), parameters)).fetchall()


def _gaps(period: Period, days: Iterable[datetime]) -> list[Period]:
    """Return what is left of a period without some days."""
    gaps, since = [], period.start
    for day in sorted(days):
        if since < min(day, period.end):
            gaps.append(Period(since, min(day, period.end)))
        since = max(since, day + DAY)
    return [*gaps, Period(since, period.end)] if since < period.end else gaps


def _source(by: str) -> dict[str, sql.Composable]:
    if by in OF_SESSIONS:
        return {"value": value_of(by), "owners": sql.SQL(""), "source": sql.Identifier("selected")}
    comparison = _inside(hit_type(by))
    return {"value": value_of(by), "source": compose(f"{_FOLDER}/those", comparison=comparison)}


def _inside(wanted: sql.Composable) -> sql.Composed:
    return compose(f"{_FOLDER}/in_period", type=wanted)


def _standing(state: DictRow | None) -> GoalStanding:
    if state is None or state["set_aside"]:
        return GoalStanding(set_aside=state["set_aside"] if state else None)
    return GoalStanding(number=state["number"] if state["filled"] else None)
