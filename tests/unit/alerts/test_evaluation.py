"""Rules evaluated as time passes: what fires is what the backtest says, once, whatever dies in between."""

import random
from datetime import timedelta

import pytest
from attrs import evolve

from footfall.application.ports.journal import StreamSetAside
from footfall.domain.alerts.firing_decision import backtest
from footfall.domain.alerts.firings import AlertFired, AlertOver
from footfall.domain.alerts.plan import AlertCondition, AlertMetric, AlertWindow, alert_plan
from footfall.domain.exceptions import AccessDenied, SiteNotFound
from footfall.domain.goals.goal import PathRule
from footfall.domain.paths.page_groups import GroupRule
from footfall.domain.periods.period import Period
from footfall.domain.sites.segment import Condition
from tests.unit.alerts.conftest import (
    BEGAN,
    HOUR,
    OPERATOR,
    VISITORS,
    Died,
    Mortal,
)

# 2,160 evaluations, each of nine measured windows, take long.
slow = pytest.mark.slow


@pytest.mark.parametrize(
    ("condition", "value", "window"),
    [
        (AlertCondition.ABOVE, 500, AlertWindow.HOUR),
        (AlertCondition.UNUSUAL, 1, AlertWindow.DAY),
        pytest.param(AlertCondition.BELOW, 15, AlertWindow.HOUR, marks=slow),
        pytest.param(AlertCondition.UNUSUAL, 3, AlertWindow.HOUR, marks=slow),
        pytest.param(AlertCondition.UNUSUALLY_LOW, 2, AlertWindow.HOUR, marks=slow),
    ],
)
async def test_90_days_of_the_live_path_fire_at_the_windows_of_the_backtest(world, condition, value, window):
    await world.define(condition=condition, value=value, window=window)
    world.clock.advance(timedelta(minutes=1))
    await world.evaluation.work()

    began = (await world.service.alerts.watches.of_site(1))[1].until
    await world.pass_time(90 * 24)

    measures, record = world.service.alerts.measures, world.journal.directory.site("1")
    [rule] = world.journal.directory.alerts(1).rules.values()
    period = Period(began, world.clock.now())
    since = await measures.since(record, rule.plan)
    fired = backtest(await measures.judged(record, rule.plan, period, since=since))
    events = await world.events()
    assert [one.start for one in events if isinstance(one, AlertFired)] == [
        one.opened.window.period.start for one in fired
    ]
    assert [one.at for one in events if isinstance(one, AlertOver)] == [
        one.ended.window.period.end for one in fired if one.ended
    ]
    assert fired
    assert len(world.told) == len(events)


async def test_a_backtest_asks_few_questions(world):
    record = world.journal.directory.site("1")
    plan = alert_plan(**{**VISITORS, "condition": AlertCondition.UNUSUAL, "value": 3})

    await world.service.alerts.backtests.run(record, plan)

    # 146 days of hours, at most 2,000 at once.
    assert world.course.questions == 2


async def test_an_installation_without_rules_asks_nothing(world):
    await world.pass_time(48)

    assert world.course.questions == 0
    assert world.told == []


async def test_a_window_is_judged_a_minute_after_its_end(world):
    await world.define()
    await world.evaluation.work()
    await world.pass_time(2)
    asked = world.course.questions

    world.clock.advance(timedelta(seconds=59))
    await world.evaluation.work()
    before = world.course.questions
    world.clock.advance(timedelta(seconds=1))
    await world.evaluation.work()

    assert (before - asked, world.course.questions - before) == (0, 1)


async def test_a_worker_leaves_the_one_that_evaluated_last_a_while(world):
    await world.define()
    await world.evaluation.work()
    await world.pass_time(2)
    other = world.another_worker()
    await other.work()

    world.clock.advance(timedelta(minutes=1))
    at_once = await other.work()
    world.clock.advance(timedelta(seconds=15))
    # The first one sees then that another one evaluates now.
    later = [await other.work(), await world.evaluation.work()]
    world.clock.advance(HOUR - timedelta(seconds=10))
    following = [await world.evaluation.work(), await other.work()]

    assert (at_once, later, following) == (0, [1, 0], [0, 1])


async def test_a_window_waits_until_the_read_models_have_passed_it(world):
    await world.define()
    await world.evaluation.work()
    world.behind.seconds = 7_200

    await world.pass_time(2)
    behind = world.course.questions
    world.behind.seconds = 0
    await world.pass_time(1)

    assert (behind, world.course.questions) == (0, 1)


@pytest.mark.parametrize("place", ["tell", "save"])
async def test_after_a_crash_neither_the_journal_nor_a_target_hears_of_it_twice(world, place):
    await world.define(value=100)
    await world.evaluation.work()
    chance = random.Random(3)

    def worker():
        """Return a worker that is killed now and then before or after it tells or saves."""
        worker = world.another_worker()
        if place == "tell":
            worker.follower = evolve(
                worker.follower, notifier=Mortal(worker.follower.notifier, "tell", chance)
            )
        else:
            worker.watches = Mortal(worker.watches, "save", chance)
        return worker

    world.evaluation = worker()
    for _ in range(24 * 14):
        world.clock.advance(HOUR)
        for _ in range(20):
            try:
                await world.evaluation.work()
            except Died:
                world.evaluation = worker()
            else:
                break
    world.evaluation = world.another_worker()

    await world.pass_time(1)
    events = await world.events()
    found = await world.service.alerts.backtests.run(
        world.journal.directory.site("1"), world.journal.directory.alerts(1).rules[1].plan
    )
    since = world.clock.now() - timedelta(hours=24 * 14 + 1)
    assert [one.start for one in events if isinstance(one, AlertFired)] == [
        one.opened.window.period.start for one in found.fired if one.opened.window.period.start >= since
    ]
    numbers = [one.number for one in events if isinstance(one, AlertFired)]
    assert numbers == list(range(1, len(numbers) + 1))
    assert len(world.told) == len(events) > 20


async def test_a_rule_that_is_not_active_or_deleted_is_not_evaluated(world):
    number = await world.define(value=1, active=False)
    await world.pass_time(3)
    inactive = world.course.questions
    await world.define(value=1)
    await world.commands.alerts.delete(1, 2, OPERATOR)
    await world.journal.directory.catch_up()

    await world.pass_time(3)

    assert (number, inactive, world.course.questions) == (1, 0, 0)
    assert await world.service.alerts.watches.revisions() == {}


async def test_a_rule_whose_goal_was_deleted_says_so_and_stops_no_other(world):
    goal = await world.commands.goals.define(1, name=None, rule=PathRule("/a"), context=OPERATOR)
    await world.define(metric=AlertMetric.GOAL_CONVERSIONS, goal_id=goal)
    await world.define(value=1)
    await world.commands.goals.delete(1, goal, OPERATOR)
    await world.journal.directory.catch_up()

    await world.pass_time(3)

    watches = await world.service.alerts.watches.of_site(1)
    assert "goal of this rule was deleted" in watches[1].obstacle
    assert watches[2].obstacle is None
    assert world.journal.directory.firings(1, 2).running is not None


async def test_a_rule_whose_group_of_pages_is_gone_says_so(world):
    arrange = world.commands.page_groups.arrange
    await arrange(1, [GroupRule("Shop", "/shop/*")], OPERATOR)
    await world.define(value=1, filters=[Condition("page_group", "equals", ("Shop",))])
    await arrange(1, [], OPERATOR)
    await world.journal.directory.catch_up()

    await world.pass_time(3)

    assert "no group of pages Shop" in (await world.service.alerts.watches.of_site(1))[1].obstacle


async def test_a_rule_with_an_expression_that_is_refused_says_so_and_stops_no_other(world):
    await world.define(value=1, filters=[Condition("page_title", "regex", ("\\é",))])
    await world.define(value=1)

    await world.pass_time(3)

    watches = await world.service.alerts.watches.of_site(1)
    assert "invalid escape sequence: \\é" in watches[1].obstacle
    assert watches[2].obstacle is None
    assert world.journal.directory.firings(1, 2).running is not None


@pytest.mark.parametrize(
    ("failure", "obstacle"),
    [
        (StreamSetAside("firings-1-1"), "the store does not answer"),
        (SiteNotFound(), "Site not found"),
        (AccessDenied(), "Access denied"),
    ],
)
async def test_a_rule_that_is_refused_waits_and_keeps_no_other_waiting(world, failure, obstacle):
    await world.define(name="Refused", value=1)
    await world.define(value=1)

    async def refuse():
        raise failure

    world.instead("Refused", refuse)

    await world.pass_time(3)

    watches = await world.service.alerts.watches.of_site(1)
    assert (watches[1].obstacle, watches[2].obstacle) == (obstacle, None)
    assert world.journal.directory.firings(1, 2).running is not None


async def test_a_store_that_is_away_is_asked_again_and_no_window_is_left_out(world):
    await world.define(value=1)
    await world.evaluation.work()
    world.course.is_away = True
    await world.pass_time(5)
    away = (await world.service.alerts.watches.of_site(1))[1]

    world.course.is_away = False
    await world.pass_time(1)

    [fired] = await world.events()
    assert away.obstacle == "the store does not answer"
    assert fired.start == BEGAN + timedelta(days=60)


async def test_after_a_long_outage_old_windows_are_left_out(world):
    await world.define(value=1)
    await world.evaluation.work()

    world.clock.advance(timedelta(days=10))
    await world.evaluation.work()

    [fired] = await world.events()
    assert world.clock.now() - fired.start <= timedelta(days=2, hours=1)


async def test_rules_are_evaluated_on_a_machine_that_does_not_know_the_time_zone_of_the_site(
    world, without_zone
):
    await world.define(value=1, window=AlertWindow.DAY)
    without_zone("Europe/Berlin")

    await world.pass_time(4 * 24)

    assert [type(event) for event in await world.events()][:1] == [AlertFired]
