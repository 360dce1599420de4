"""Many rules evaluated together: what they share, and that those that take long keep no others waiting."""

import asyncio
from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from footfall.application.alerts.round_robin import take_turns
from footfall.application.ports.journal import StoreUnavailable
from footfall.application.ports.reports.reports import Lag
from footfall.domain.alerts.judged_windows import earlier_periods, stretch_around, windows_in
from footfall.domain.alerts.plan import AlertCondition, AlertMetric, AlertWindow, alert_plan
from footfall.domain.periods.period import Period
from tests.unit.alerts.conftest import BEGAN, HOUR, OPERATOR, VISITORS
from tests.zones import ZONES

QUARTER = timedelta(minutes=15)
LONG = 30


async def test_rules_that_ask_the_same_share_the_answer(world):
    for metric in (AlertMetric.VISITORS, AlertMetric.SESSIONS, AlertMetric.PAGEVIEWS):
        await world.define(metric=metric)
    await world.define(metric=AlertMetric.NOTHING_RECEIVED, condition=None, value=None)
    await world.evaluation.work()

    await world.pass_time(2)

    assert world.course.questions == 1


async def test_what_earlier_weeks_brought_is_asked_once_in_three_hours(world):
    await world.define(condition=AlertCondition.UNUSUAL, value=3, window=AlertWindow.FIFTEEN_MINUTES)
    await world.define(condition=AlertCondition.UNUSUALLY_LOW, value=2, window=AlertWindow.FIFTEEN_MINUTES)
    await world.evaluation.work()
    await world.pass_time(2, step=QUARTER)
    asked = world.course.questions

    await world.pass_time(6, step=QUARTER)

    # Each window, and twice the eight weeks before.
    assert world.course.questions - asked == 6 * 4 + 2 * 8


async def test_a_site_without_hits_is_not_asked_and_counts_as_silent(world):
    await world.define(metric=AlertMetric.NOTHING_RECEIVED, condition=None, value=None)
    await world.define(name="Low", condition=AlertCondition.BELOW, value=1)
    await world.define(name="Slow", metric=AlertMetric.LCP, condition=AlertCondition.BELOW, value=1)
    await world.evaluation.work()
    world.activity.quiet = {1}

    await world.pass_time(2)

    firings = [world.journal.directory.firings(1, number).running for number in (1, 2, 3)]
    assert [one and one.value for one in firings] == [0, 0, None]
    assert world.course.questions == 0


async def test_a_site_that_gets_its_first_hit_is_judged_from_then_on(world):
    world.course.since = None
    await world.define(value=1, window=AlertWindow.FIFTEEN_MINUTES)
    await world.evaluation.work()
    await world.pass_time(1.75, step=QUARTER)

    first = world.course.since = world.clock.now()
    await world.pass_time(1.75, step=QUARTER)

    assert world.journal.directory.firings(1, 1).running.start == first


async def test_a_store_that_does_not_tell_of_hits_has_its_sites_asked(world):
    await world.define()
    await world.evaluation.work()
    world.activity.is_away = True

    await world.pass_time(2)

    assert world.course.questions == 1


async def test_a_rule_that_takes_long_keeps_no_other_organization_waiting(world):
    other = await world.add_site()
    await world.define(name="Long", value=1)
    await world.define(site_id=other, name="Other", value=1)
    await world.evaluation.work()
    is_judged = asyncio.Event()

    # The first one goes on when the other is judged: one after the other, both would wait.
    world.instead("Long", is_judged.wait)
    world.instead("Other", lambda: _done(is_judged))
    world.evaluation.follower = evolve(world.evaluation.follower, limit_seconds=LONG)
    await world.pass_time(2)

    watches = [await world.service.alerts.watches.of_site(site_id) for site_id in (1, other)]
    assert [one[1].obstacle for one in watches] == [None, None]
    assert world.journal.directory.firings(other, 1).running is not None


async def in_two_cells(world):
    """Define a rule on the site and one on a site in another cell, and return the number of that site."""
    await world.commands.cells.add("west", "mark", OPERATOR)
    other = await world.add_site(cell="west")
    await world.define(value=1)
    await world.define(name="Other", site_id=other, value=1)
    await world.evaluation.work()
    return other


async def test_a_cell_that_is_behind_keeps_no_rules_of_other_cells_waiting(world):
    other = await in_two_cells(world)
    world.behind.of_site = {other: 20_000}

    await world.pass_time(2)

    firings = [world.journal.directory.firings(site_id, 1).running for site_id in (1, other)]
    assert [one is None for one in firings] == [False, True]


@pytest.mark.parametrize("lag", [StoreUnavailable(), asyncio.Event()], ids=["refuses", "hangs"])
async def test_the_rules_of_a_cell_that_is_away_wait_for_it_unasked_and_keep_no_others_waiting(world, lag):
    other = await in_two_cells(world)
    asked = []
    world.instead("Other", lambda: _noted(asked))
    world.evaluation.store_seconds = 0.05
    world.behind.of_site = {other: lag}

    await asyncio.wait_for(world.pass_time(2), LONG)

    watch = (await world.service.alerts.watches.of_site(other))[1]
    assert world.journal.directory.firings(1, 1).running is not None
    assert (asked, watch.obstacle) == ([], "the store does not answer")
    assert watch.due_at == world.clock.now() + timedelta(minutes=1)
    world.behind.of_site = {}
    await world.pass_time(2)
    assert world.journal.directory.firings(other, 1).running is not None


async def test_cells_are_asked_how_far_they_are_behind_at_the_same_time(world):
    other = await in_two_cells(world)
    is_asked = asyncio.Event()

    class Waiting:
        async def lag(self, site_id):
            # The first one answers when the second is asked.
            await is_asked.wait() if site_id == 1 else is_asked.set()
            return Lag(0, 0.0)

    world.evaluation.freshness = Waiting()
    await asyncio.wait_for(world.pass_time(2), LONG)

    firings = [world.journal.directory.firings(site_id, 1).running for site_id in (1, other)]
    assert None not in firings


async def test_a_rule_that_takes_too_long_says_so_and_is_asked_again_later(world):
    await world.define(name="Long", value=1)
    await world.define(value=1)
    await world.evaluation.work()

    world.instead("Long", asyncio.Event().wait)
    world.evaluation.follower = evolve(world.evaluation.follower, limit_seconds=0.05)
    await world.pass_time(2)

    watches = await world.service.alerts.watches.of_site(1)
    assert watches[1].obstacle == "it takes longer than 0.05 seconds to measure"
    assert watches[1].due_at == world.clock.now() + timedelta(minutes=10)
    assert (watches[2].obstacle, world.journal.directory.firings(1, 2).running is None) == (None, False)


async def test_an_organization_whose_time_is_over_goes_on_in_the_next_round(world):
    for _ in range(3):
        await world.define(value=1)
    await world.evaluation.work()
    world.evaluation.turn_seconds = 0.0
    world.clock.advance(2 * HOUR)

    await world.evaluation.work()
    none = world.journal.directory.firings(1, 1).running
    world.evaluation.turn_seconds = LONG
    found = await world.evaluation.work()

    assert (none, found) == (None, 3)


async def test_turns_are_taken_by_groups_in_the_order_in_which_they_wait():
    order = []

    async def work(item):
        order.append(item)
        await asyncio.sleep(0)
        return item

    taken = await take_turns([["a1", "a2", "a3"], ["b1"], ["c1"]], work, at_once=1, seconds=LONG)

    assert order == ["a1", "b1", "c1", "a2", "a3"]
    assert (sorted(taken.results), taken.failures) == (sorted(order), [])


async def test_a_turn_that_fails_ends_no_other():
    async def work(item):
        if item == "a1":
            raise ZeroDivisionError
        return item

    taken = await take_turns([["a1", "a2"], ["b1", "b2"]], work, at_once=2, seconds=LONG)

    assert taken.results == ["b1", "b2"]
    assert [type(one) for one in taken.failures] == [ZeroDivisionError]


@given(
    zone=st.sampled_from(ZONES).map(ZoneInfo),
    quarters=st.integers(0, 40_000),
    length=st.integers(1, 200),
    window=st.sampled_from(list(AlertWindow)),
)
def test_kept_bounds_are_for_all_windows_of_a_period_and_know_all_earlier_ones(
    zone, quarters, length, window
):
    plan = alert_plan(**{**VISITORS, "condition": AlertCondition.UNUSUAL, "value": 3, "window": window})
    start = BEGAN + quarters * QUARTER
    inside = windows_in(Period(start, start + length * QUARTER), window, zone)
    if not inside:
        return
    asked = Period(inside[0].period.start, inside[-1].period.end)

    stretch = stretch_around(asked, zone)

    kept = {one.wall for one in windows_in(stretch, window, zone)}
    assert {one.wall for one in inside} <= kept
    for part, wider in zip(
        earlier_periods(plan, asked, zone), earlier_periods(plan, stretch, zone), strict=True
    ):
        assert set(windows_in(part, window, zone)) <= set(windows_in(wider, window, zone))


async def _done(event):
    event.set()


async def _noted(asked):
    asked.append(True)
