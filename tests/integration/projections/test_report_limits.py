"""The limits of reports: how long they may take, and what regular expressions may cost."""

import asyncio
import contextlib
import time
from datetime import timedelta

import psycopg
import pytest

from footfall.adapters.postgres.reports.expressions import with_matches
from footfall.adapters.postgres.reports.selection import SessionCondition
from footfall.adapters.postgres.reports.snapshot import report_snapshot
from footfall.adapters.regular_expressions import compile_patterns
from footfall.application.ports.journal import StoreUnavailable
from footfall.domain.exceptions import Invalid
from footfall.domain.goals.goal import GoalQuery, PathRule
from footfall.domain.pagination import Page
from footfall.domain.periods.period import Period
from footfall.domain.traffic.filters import excluding
from footfall.domain.traffic.report_query import ReportQuery
from tests.conditions import filter_of
from tests.histories import SITE, START, after, hit, record
from tests.stores.stored import catch_up
from tests.waiting import LONG, until

PERIOD = Period(START, START + timedelta(days=1))
FIRST = Page(1, 25)
CANCEL = """
    select pg_cancel_backend(pid) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'
"""


@pytest.mark.parametrize(
    "hostile",
    [
        "(a|aa)*(b|bb)*(a|aa)*c",
        # The largest that is accepted, for which RE2 keeps no states.
        "(?:[^a]?.?){58}$^",
        pytest.param("(.*a){40}b", marks=pytest.mark.slow),
        pytest.param("((a{1,9}){1,9}){1,5}c", marks=pytest.mark.slow),
    ],
)
async def test_a_hostile_expression_takes_two_seconds_at_most(stored, hostile):
    path = "/" + "a" * 2000
    views = (
        hit(after(minutes=minute), visitor_id=visitor, pathname=path)
        for visitor in range(1, 6)
        for minute in range(400)
    )
    await stored.append(record(*views))
    await catch_up(stored.projector)
    goals, filters = stored.reports.goals, [filter_of("pathname", "regex", hostile)]
    started = time.monotonic()

    # The last one is answered by PostgreSQL.
    for ask in (
        goals.count_conversions(SITE, [GoalQuery(PathRule("/*"))], ReportQuery(PERIOD, filters)),
        goals.converted_sessions(SITE, GoalQuery(PathRule("/*")), ReportQuery(PERIOD, filters), FIRST),
        stored.reports.traffic.overview(SITE, ReportQuery(PERIOD, filters)),
        stored.reports.errors.new(SITE, ReportQuery(PERIOD, filters), FIRST),
    ):
        with contextlib.suppress(Invalid):
            await ask
        # Others who ask for a report are given half a minute.
        assert time.monotonic() - started < LONG / 2
        started = time.monotonic()


async def test_a_report_that_takes_too_long_is_given_up(stored):
    started = time.monotonic()

    with pytest.raises(StoreUnavailable):
        await _dawdle(stored.connections)

    assert time.monotonic() - started < LONG / 2


async def _dawdle(connections):
    async with report_snapshot(connections) as connection:
        await connection.execute("set local statement_timeout = '100ms'")
        await connection.execute("select pg_sleep(60)")


@pytest.mark.parametrize("expression", ["^/b", "^/b{40}"])
async def test_a_slow_report_is_not_blamed_on_an_expression(stored, expression):
    filters = [filter_of("pathname", "regex", expression)]

    with (
        psycopg.connect(stored.url) as holder,
        psycopg.connect(stored.url, autocommit=True) as other,
    ):
        holder.execute("lock table session in access exclusive mode")
        for ask in (
            stored.reports.traffic.overview(SITE, ReportQuery(PERIOD, filters)),
            stored.reports.errors.new(SITE, ReportQuery(PERIOD, filters), FIRST),
        ):
            asked = asyncio.ensure_future(ask)
            # As the server does when the time of a report is over.
            await until(lambda: other.execute(CANCEL).rowcount)
            with pytest.raises(StoreUnavailable):
                await asked


@pytest.mark.parametrize(
    ("limits", "complaint"),
    [
        (
            {"most_bytes": 15},
            "at most 16 MB of different values, and this period has more of pathname",
        ),
        ({"seconds": -1.0}, "seconds in all, which do not suffice"),
    ],
)
async def test_values_beyond_the_limits_of_expressions_are_refused_by_name(stored, limits, complaint):
    await stored.append(
        record(*(hit(after(minutes=1), visitor_id=one, pathname=f"/a-page-{one}") for one in (1, 2)))
    )
    await catch_up(stored.projector)

    async def compare(condition):
        async with report_snapshot(stored.connections) as connection:
            selection = SessionCondition(SITE, ReportQuery(PERIOD, [condition]))
            await with_matches(connection, selection, compile_patterns, **limits)

    condition = filter_of("pathname", "regex", "^/a")
    with pytest.raises(Invalid) as refusal:
        await compare(condition)
    with pytest.raises(Invalid) as refusal_of_rule:
        await compare(excluding([[condition]]))

    assert complaint in refusal.value.field_errors["filters"][0]
    # Any reader sees it.
    [[text]] = refusal_of_rule.value.field_errors.values()
    assert "an exclusion rule of the site compares more values" in text
    assert "pathname" not in text
