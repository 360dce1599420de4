"""Regular expressions and groups of pages in filters: RE2 compares them with the values of a period.

PostgreSQL gets those that match.

The time of RE2 grows with the length of a value, whatever the expression, where PostgreSQL's own can grow further.
"""

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, nullcontext
from itertools import groupby
from time import thread_time
from typing import Any

from attrs import frozen
from psycopg import sql
from psycopg.rows import DictRow

from footfall.adapters.postgres.database.connections import StoreConnection
from footfall.adapters.postgres.database.session import without_nested_loops
from footfall.adapters.postgres.reports.selection import (
    SessionCondition,
    attribute_of,
    key_parameters,
)
from footfall.adapters.postgres.reports.snapshot import ReportConnections, report_snapshot
from footfall.application.reports.turns.matching_time import MATCHING_SECONDS
from footfall.domain.exceptions import Invalid
from footfall.domain.sites.excluded_patterns import PatternCompiler
from footfall.domain.traffic.filters import GROUP_PARAMETERS, Filter, Search, searches_of

# The limit of the different values of one attribute in a report, with eight bytes for each: 270,000 of the length of a
# path.
MOST_BYTES = 16 * 1024 * 1024
# A hostile expression of the greatest size takes some 20 ms of `MATCHING_SECONDS` for a value of 2,000 characters; one
# without such repetitions takes 2 microseconds for a path.
_TOO_MANY = (
    f"regular expressions and groups of pages are compared with at most {MOST_BYTES // 1024**2} MB of different"
    " values, and this period has more of {parameter}: ask for a shorter period, or filter by other types"
)
_TOO_SLOW = (
    f"regular expressions and groups of pages have {MATCHING_SECONDS:g} seconds in all, which do not suffice for the"
    " values of this period: ask for shorter expressions or a shorter period"
)

_RULE_TOO_MUCH = (
    "an exclusion rule of the site compares more values with a regular expression than this report can in this period:"
    " ask for a shorter period, or, as a member, with excluded=include"
)


@frozen
class Selected:
    """The sessions that a report is about, in one snapshot, with the values that expressions of their filters match."""

    connection: StoreConnection
    condition: SessionCondition

    async def rows(self, query: sql.Composed, parameters: Mapping[str, Any]) -> list[DictRow]:
        """Return the rows of a statement about them; with filters without nested loops: they look rarer than they are.

        A generic plan would serve no period: how much a period holds decides how it is read best.
        """
        values = {**self.condition.parameters, **parameters}
        async with without_nested_loops(self.connection) if self.condition.query.filters else nullcontext():
            return await self.connection.rows(query, prepare=False, **values)


@asynccontextmanager
async def selected_snapshot(
    connections: ReportConnections, selection: SessionCondition, compile_patterns: PatternCompiler
) -> AsyncIterator[Selected]:
    """Lend a snapshot of a selection.

    Raises:
        Invalid: the expressions take too long, or the period has too many different values.
        StoreUnavailable: the store does not answer, or the report takes longer than half a minute.

    """
    async with report_snapshot(connections) as connection:
        yield Selected(connection, await with_matches(connection, selection, compile_patterns))


async def with_matches(
    connection: StoreConnection,
    selection: SessionCondition,
    compile_patterns: PatternCompiler,
    seconds: float = MATCHING_SECONDS,
    most_bytes: int = MOST_BYTES,
) -> SessionCondition:
    """Return the selection with the values that its regular expressions and groups of pages select.

    Raises:
        Invalid: the expressions take too long, or the period has too many different values; the error names `filters`,
            or `excluded` for those of an exclusion rule.

    """
    matches: dict[str, Sequence[str]] = {}
    expressions = list(selection.compared)
    # The values of one attribute are read once, and those of two never held together.
    for _, alike in groupby(sorted(expressions, key=_parameter), key=_parameter):
        values: Sequence[str] | None = None
        for name, condition in alike:
            try:
                if values is None:
                    values = await _values(connection, selection, name, condition, most_bytes)
                matches[name], taken = await asyncio.to_thread(
                    matching,
                    _searches(condition, compile_patterns),
                    values,
                    seconds,
                    Invalid({"filters": [_TOO_SLOW]}),
                )
            except Invalid:
                # No exclusion rule has a filter or a goal by a group of pages.
                if condition not in selection.query.filters and condition.parameter not in GROUP_PARAMETERS:
                    # Any reader sees it: it names nothing of the rule.
                    raise Invalid({"excluded": [_RULE_TOO_MUCH]}) from None
                raise
            seconds -= taken
    return selection.matched(matches) if matches else selection


def _parameter(named: tuple[str, Filter]) -> str:
    return attribute_of(named[1])


def _searches(condition: Filter, compile_patterns: PatternCompiler) -> Iterator[Search]:
    """Return what finds the values of a filter; patterns are compiled by the thread that asks for them."""
    if condition.parameter not in GROUP_PARAMETERS:
        yield from searches_of(condition)
        return
    runs = [
        (is_wanted, compile_patterns(tuple(rule.pattern for rule in rules)))
        for is_wanted, rules in groupby(
            condition.groups.rules, key=lambda rule: rule.name in condition.values
        )
    ]
    yield lambda path: next((is_wanted for is_wanted, matches in runs if matches(path)), False)


async def _values(
    connection: StoreConnection, selection: SessionCondition, name: str, condition: Filter, most_bytes: int
) -> list[str]:
    """Return the different values of the attribute, for all sessions that the selection may have."""
    parameters = {**selection.places, **key_parameters(name, condition), "most_bytes": most_bytes}
    rows = await connection.rows(selection.values_of(name, condition), prepare=False, **parameters)
    if any(row["bytes"] > most_bytes for row in rows):
        raise Invalid({"filters": [_TOO_MANY.format(parameter=attribute_of(condition))]})
    return [row["value"] for row in rows]


def matching(
    searches: Iterable[Search], values: Iterable[str], seconds: float, too_slow: Invalid
) -> tuple[list[str], float]:
    """Return the values that a search finds, and the time that it took: that of this thread alone.

    Raises:
        Invalid: it took longer; `too_slow` itself.

    """
    started = thread_time()
    matching_values: list[str] = []
    left = list(values)
    for occurs_in in searches:
        others: list[str] = []
        for value in left:
            (matching_values if occurs_in(value) else others).append(value)
            if thread_time() - started > seconds:
                raise too_slow
        left = others
    return matching_values, thread_time() - started
