"""Matching the slice at hand with the goals of its sites; a goal that takes too long is set aside."""

import logging
import time
from collections.abc import Sequence

from attrs import frozen
from psycopg import errors

from footfall.adapters.postgres.database.connections import StoreConnection
from footfall.adapters.postgres.database.session import limit_statements

# 200 goals and 20,000 hits take half a second on an idle machine.
SLICE_SECONDS = 2.0
# The limit of each goal when a slice takes too long. A pattern within the bounds of the domain takes 25 ms at most to
# prepare, and a few microseconds to match with a hit.
GOAL_SECONDS = 0.1
HIT_SECONDS = 0.00002
# A busy machine can make any goal look slow once.
ATTEMPTS = 2

_log = logging.getLogger(__name__)


@frozen(kw_only=True)
class GoalMatching:
    """Fills the working table `matches` from the working table `slice`, within a transaction of the projector."""

    slice_seconds: float = SLICE_SECONDS
    goal_seconds: float = GOAL_SECONDS

    async def match(self, connection: StoreConnection, numbers: Sequence[int] | None) -> None:
        """Match the slice with the goals of these numbers; None stands for all goals of its sites.

        Goals are matched one by one, each with a time limit of its own, when all together take too long.
        """
        if await match_within(connection, numbers, self.slice_seconds):
            return
        goals = await connection.rows("projections/matching/goals_of_slice", numbers=numbers)
        await _run_match(connection, [goal["number"] for goal in goals if not goal["compiled"]])
        limit = self.goal_seconds + HIT_SECONDS * await _hits(connection)
        for number in [goal["number"] for goal in goals if goal["compiled"]]:
            if not await _matched_in_time(connection, number, limit):
                await _set_aside(connection, number, limit)


async def _matched_in_time(connection: StoreConnection, number: int, limit: float) -> bool:
    for _ in range(ATTEMPTS):
        if await match_within(connection, [number], limit):
            return True
    return False


async def match_within(connection: StoreConnection, numbers: Sequence[int] | None, limit: float) -> bool:
    """Match the slice with some goals; return False, with nothing matched, when that takes longer than `limit`."""
    started = time.monotonic()
    try:
        async with connection.transaction():
            await limit_statements(connection, limit)
            await _run_match(connection, numbers)
            await limit_statements(connection, 0)
    except errors.QueryCanceled:
        # Cancelled by an operator, and not by the limit.
        if time.monotonic() - started < limit:
            raise
        return False
    return True


async def _run_match(connection: StoreConnection, numbers: Sequence[int] | None) -> None:
    await connection.run(
        "projections/matching/match_slice", numbers=None if numbers is None else list(numbers)
    )


async def _hits(connection: StoreConnection) -> int:
    return int(await connection.value("projections/matching/hits_of_slice"))


async def _set_aside(connection: StoreConnection, number: int, limit: float) -> None:
    reason = f"its pattern takes longer than {limit:.1f} seconds to match {await _hits(connection):,} events"
    for row in await connection.rows("projections/matching/set_goal_aside", number=number, reason=reason):
        _log.warning("goal %d of site %d is set aside: %s", row["goal_id"], row["site_id"], reason)
