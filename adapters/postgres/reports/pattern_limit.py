"""A time limit for reports that match patterns with hits, instead of reading the projector's matches."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from psycopg import AsyncConnection, errors
from psycopg.rows import DictRow

from footfall.adapters.postgres.database.session import limit_statements
from footfall.domain.exceptions import Invalid
from footfall.domain.goals.goal import GoalQuery, PathRule
from footfall.domain.goals.path_pattern import is_compiled

PATTERN_SECONDS = 10.0

_TOO_SLOW = "takes too long to match in this period: use fewer wildcards or ask for a shorter period"


@asynccontextmanager
async def pattern_limit(
    connection: AsyncConnection[DictRow], goals: Sequence[GoalQuery]
) -> AsyncIterator[None]:
    """Limit how long the patterns of goals are matched.

    Raises:
        Invalid: a pattern takes too long.

    """
    if not any(_needs_matching(goal) for goal in goals):
        yield
        return
    await limit_statements(connection, PATTERN_SECONDS)
    try:
        yield
    except errors.QueryCanceled:
        raise _refusal(goals) from None


def _needs_matching(goal: GoalQuery) -> bool:
    return isinstance(goal.rule, PathRule) and is_compiled(goal.rule.path_pattern)


def _refusal(goals: Sequence[GoalQuery]) -> Invalid:
    if any(goal.version is None for goal in goals):
        return Invalid({"config.pathPattern": [_TOO_SLOW]})
    return Invalid({}, form_errors=[f"the path pattern of a goal {_TOO_SLOW}"])
