"""Goals whose patterns take too long to match, beside all the others."""

import time
from contextlib import asynccontextmanager
from datetime import timedelta

import psycopg
import pytest
from psycopg import errors

from footfall.adapters.postgres.projections import goal_matching
from footfall.adapters.postgres.projections.goal_matching import GoalMatching
from footfall.domain.exceptions import GoalSetAside
from footfall.domain.goals.goal import EventRule, GoalQuery, PathRule, path_rule
from footfall.domain.pagination import Page
from footfall.domain.periods.period import Period
from footfall.domain.traffic.report_query import ReportQuery
from tests.histories import SITE, hit, record
from tests.histories import event as bought
from tests.stores.stored import catch_up
from tests.waiting import LONG

# Defined before patterns were bounded: to prepare it takes PostgreSQL more than ten seconds.
SLOW = PathRule("/" + "".join(f"*{chr(0x4E00 + place)}" for place in range(1000)))
HARMLESS = PathRule("/*/edit")
FIRST = Page(1, 25)
SLOW_MATCHING = """
    alter function path_matches rename to usual_path_matches;
    create function path_matches(text, text, text, text) returns boolean language sql as $$
        select pg_sleep(60) is null
    $$
"""
USUAL_MATCHING = "drop function path_matches; alter function usual_path_matches rename to path_matches"
LETTERS = [chr(0x4E00 + place) for place in range(500)]


@pytest.fixture
async def stored(stored):
    stored.projector = stored.new_projector(matching=GoalMatching(slice_seconds=0.3))
    return stored


def edits(visitors=2):
    return record(*(hit(visitor_id=one, pathname="/42/edit") for one in range(1, visitors + 1)))


@pytest.fixture
def slow_down(stored):
    """Let no pattern be matched in time by what follows a call."""

    @asynccontextmanager
    async def slowed():
        usual = stored.projector
        stored.projector = stored.new_projector(matching=GoalMatching(slice_seconds=0.1, goal_seconds=0.05))
        with psycopg.connect(stored.url, autocommit=True) as connection:
            connection.execute(SLOW_MATCHING)
            yield
            connection.execute(USUAL_MATCHING)
        await stored.projector.close()
        stored.projector = usual

    return slowed


@pytest.fixture
def period():
    at = edits()[0].hit.occurred_at
    return Period(at - timedelta(days=7), at + timedelta(days=1))


async def test_a_goal_that_is_too_slow_is_set_aside_and_everything_else_goes_on(stored, period):
    _, slow = await stored.define(SLOW)
    _, harmless = await stored.define(HARMLESS)
    await stored.append(edits())
    started = time.monotonic()

    await catch_up(stored.projector)

    assert time.monotonic() - started < LONG / 2
    aside, counted = await stored.goals.count_conversions(SITE, [slow, harmless], ReportQuery(period))
    assert aside.set_aside.startswith("its pattern takes longer than 0.1 seconds to match 2 events")
    assert (aside.conversions, aside.sessions) == (0, 2)
    assert (counted.conversions, counted.sessions, counted.set_aside) == (2, 2, None)


async def test_a_goal_that_is_too_slow_is_set_aside_while_its_past_is_counted(stored, period):
    await stored.append(edits())
    await catch_up(stored.projector)
    slow_id, slow = await stored.define(SLOW)
    _, harmless = await stored.define(HARMLESS)

    await catch_up(stored.projector)

    aside, counted = await stored.goals.count_conversions(SITE, [slow, harmless], ReportQuery(period))
    assert (aside.conversions, bool(aside.set_aside)) == (0, True)
    assert counted.conversions == 2
    assert list(await stored.goals.set_aside(SITE)) == [slow_id]
    assert not await stored.goals.set_aside(SITE + 1)


async def test_a_goal_that_becomes_too_slow_loses_what_was_counted_and_all_others_keep_theirs(
    stored, period, slow_down
):
    _, harmless = await stored.define(HARMLESS)
    _, event = await stored.define(EventRule("buy"))
    await stored.append(edits())
    await catch_up(stored.projector)

    async with slow_down():
        await stored.append(record(bought("buy", visitor_id=9), hit(visitor_id=9), first=3))
        await catch_up(stored.projector)
        # What was counted is removed when the projector looks around the next time.
        await catch_up(stored.projector)

    aside, counted = await stored.goals.count_conversions(SITE, [harmless, event], ReportQuery(period))
    assert (aside.conversions, bool(aside.set_aside)) == (0, True)
    assert (counted.conversions, counted.set_aside) == (1, None)
    assert {row["number"] for row in (await stored.read_models())["conversion"]} == {event.version}


async def test_a_goal_changes_before_what_was_counted_for_it_is_removed(stored, period, slow_down):
    goal_id, _ = await stored.define(HARMLESS)
    await stored.append(edits())
    await catch_up(stored.projector)
    async with slow_down():
        await stored.append(record(hit(visitor_id=3, pathname="/7/edit"), first=3))
        await stored.projector.catch_up()

    changed = await stored.redefine(goal_id, PathRule("/7/*"), expected=1)
    await catch_up(stored.projector)

    [counted] = await stored.goals.count_conversions(SITE, [changed], ReportQuery(period))
    assert (counted.conversions, counted.set_aside) == (1, None)


async def test_a_goal_that_was_set_aside_is_counted_again_with_another_pattern(stored, period):
    goal_id, _ = await stored.define(SLOW)
    await stored.append(edits())
    await catch_up(stored.projector)

    changed = await stored.redefine(goal_id, HARMLESS, expected=1)
    await catch_up(stored.projector)

    [counted] = await stored.goals.count_conversions(SITE, [changed], ReportQuery(period))
    assert (counted.conversions, counted.set_aside) == (2, None)


async def test_a_goal_that_was_set_aside_is_deleted_like_any_other(stored):
    goal_id, _ = await stored.define(SLOW)
    await stored.append(edits())
    await catch_up(stored.projector)

    await stored.delete(goal_id, expected=1)
    await catch_up(stored.projector)

    assert not await stored.goals.set_aside(SITE)


async def test_the_sessions_of_a_goal_that_was_set_aside_are_refused_with_the_reason(stored, period):
    _, slow = await stored.define(SLOW)
    await stored.append(edits())
    await catch_up(stored.projector)

    with pytest.raises(GoalSetAside, match="its pattern takes longer than"):
        await stored.goals.converted_sessions(SITE, slow, ReportQuery(period), FIRST)


async def test_a_preview_with_a_pattern_that_takes_the_store_too_long_is_answered(stored, period):
    await stored.append(edits())
    await catch_up(stored.projector)

    [counted] = await stored.goals.count_conversions(SITE, [GoalQuery(SLOW)], ReportQuery(period))
    listed = await stored.goals.converted_sessions(SITE, GoalQuery(SLOW), ReportQuery(period), FIRST)

    assert listed.total == counted.conversions
    assert [counted] == await stored.oracle.count_conversions(SITE, [GoalQuery(SLOW)], ReportQuery(period))


async def test_a_statement_that_an_operator_cancels_sets_no_goal_aside(stored, database_url):
    await stored.define(HARMLESS)
    await stored.append(edits())
    matching = GoalMatching(slice_seconds=60)

    async with stored.connections.connection() as connection, connection.transaction():
        with pytest.raises(errors.QueryCanceled):
            await goal_matching.match_within(_Cancelled(connection), None, matching.slice_seconds)

    with psycopg.connect(database_url) as other:
        assert other.execute("select count(*) from goal_version where set_aside is not null").fetchone() == (
            0,
        )


@pytest.mark.parametrize(
    "pattern",
    [
        "/" + "".join(f"*{letter}" for letter in LETTERS[:20]) + "".join(LETTERS[20:456]),
        "/" + "".join(LETTERS[:436]) + "".join(f"*{letter}" for letter in LETTERS[:20]),
        "/" + ("*" + "".join(LETTERS[:21])) * 20,
        "/" + ("**" + "ab" * 11) * 20,
    ],
)
async def test_postgresql_matches_the_largest_pattern_that_is_accepted_within_the_limit_of_a_goal(
    stored, pattern
):
    await stored.append(record(hit(pathname="/" + "".join(LETTERS)), hit(pathname="/" + "ab" * 1000)))
    await stored.define(path_rule(pattern))
    stored.projector = stored.new_projector(matching=GoalMatching(slice_seconds=goal_matching.GOAL_SECONDS))

    await catch_up(stored.projector)

    assert not await stored.goals.set_aside(SITE)


class _Cancelled:
    """A connection whose statements an operator cancels."""

    def __init__(self, connection):
        self._connection = connection

    def transaction(self):
        return self._connection.transaction()

    async def run(self, *_, **__):
        return await self._connection.run(b"do $$ begin raise sqlstate '57014'; end $$")
