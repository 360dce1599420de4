"""Distinct visitors: looked up in counted days, and counted from sessions elsewhere."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from psycopg import AsyncConnection
from psycopg.rows import DictRow

from footfall.adapters.postgres.database.sql_files import statement
from footfall.adapters.postgres.reports.counted_days import counted_days
from footfall.adapters.postgres.reports.snapshot import DAY
from footfall.adapters.postgres.reports.visitors.pieces import VisitorPieces
from footfall.domain.periods.period import Period

# The search for earlier sessions of a gap's visitor takes nearly twenty times as long as counting one more session.
LOOKUP_COST = 20


# As `count_visitors`.
CountVisitors = Callable[
    [AsyncConnection[DictRow], int, Sequence[Period], Sequence[int]], Awaitable[Mapping[int, int]]
]


async def count_visitors(
    connection: AsyncConnection[DictRow], site_id: int, pieces: Sequence[Period], sessions: Sequence[int]
) -> Mapping[int, int]:
    """Return the different visitors of pieces by their numbers, from 1 on.

    Pieces follow each other, begin and end with quarters of an hour and last 30 minutes or more; `sessions` says how
    many each of them has.
    """
    if not pieces:
        return {}
    cut = await _cut(connection, site_id, pieces, sessions)
    found = dict[int, int]()
    for name, asked, parameters in (
        ("visitors_by_rows", cut.of_rows, cut.rows),
        ("visitors_by_days", cut.looked_up, cut.days | cut.gaps),
    ):
        if asked:
            rows = await _fetch(connection, name, {"site_id": site_id, **parameters})
            found |= {row["piece"]: row["visitors"] for row in rows}
    return found


async def _cut(
    connection: AsyncConnection[DictRow], site_id: int, pieces: Sequence[Period], sessions: Sequence[int]
) -> VisitorPieces:
    # The days in which the first piece begins and the last one ends, too.
    around = Period(pieces[0].start - DAY, pieces[-1].end + DAY)
    cut = VisitorPieces.of(pieces, (await counted_days(connection, site_id, around)).days)
    if not cut.with_gaps:
        return cut
    [row] = await _fetch(connection, "sessions_in_gaps", {"site_id": site_id, **cut.gaps})
    in_all = sum(sessions[number - 1] for number in cut.with_gaps)
    return cut if row["sessions"] * LOOKUP_COST <= in_all else cut.without_gaps()


async def _fetch(
    connection: AsyncConnection[DictRow], name: str, parameters: Mapping[str, Any]
) -> list[DictRow]:
    return await (await connection.execute(statement(f"reports/visitors/{name}"), parameters)).fetchall()
