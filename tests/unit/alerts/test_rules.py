"""The life of rules, targets and firings as events."""

from datetime import UTC, datetime, timedelta

import pytest
from attrs import evolve

from footfall.domain.alerts import firings, rules
from footfall.domain.alerts.firings import AlertFired, AlertOver, FiringState, OverReason
from footfall.domain.alerts.judged_windows import Bounds, Judged, Window
from footfall.domain.alerts.plan import AlertCondition, AlertMetric, AlertWindow, alert_plan
from footfall.domain.alerts.rules import TargetKind
from footfall.domain.event_stream import fold
from footfall.domain.exceptions import (
    AlertFiringNotFound,
    AlertFiringOver,
    AlertRuleNotFound,
    AlertTargetNotFound,
    Invalid,
    TooManyAlertRules,
    TooManyAlertTargets,
)
from footfall.domain.periods.period import Period

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
PLAN = alert_plan(
    name="Many",
    metric=AlertMetric.VISITORS,
    window=AlertWindow.HOUR,
    condition=AlertCondition.ABOVE,
    value=10,
)


def after(*decisions):
    state = None
    for decide in decisions:
        state = fold(rules.apply, decide(state), state)
    return state


def judged(start=NOON, value=11.0):
    return Judged(Window(Period(start, start + HOUR), start), value, Bounds(None, 10))


def fired(*steps):
    state = None
    for decide in steps:
        state = fold(firings.apply, decide(state), state)
    return state


def fire(start=NOON):
    return lambda state: firings.fire(state, 1, 1, judged(start), [])


def end(at):
    return lambda state: firings.end(state, at, OverReason.CALM)


def test_numbers_of_rules_are_not_used_again():
    state = after(
        lambda state: rules.define(state, PLAN),
        lambda state: rules.delete(state, 1),
        lambda state: rules.define(state, PLAN),
    )

    assert list(state.rules) == [2]


def test_a_changed_rule_has_another_revision_and_an_unchanged_one_no_event():
    state = after(lambda state: rules.define(state, PLAN))

    assert rules.redefine(state, 1, PLAN) == []
    changed = fold(rules.apply, rules.redefine(state, 1, evolve(PLAN, value=20)), state)
    assert (changed.rules[1].revision, changed.rules[1].plan.value) == (2, 20)


def test_a_removed_target_is_told_by_no_rule():
    state = after(
        lambda state: rules.add_target(state, TargetKind.SLACK, "team"),
        lambda state: rules.add_target(state, TargetKind.MAIL, "me", "1"),
        lambda state: rules.define(state, evolve(PLAN, targets=(1, 2))),
        lambda state: rules.remove_target(state, 1),
    )

    assert state.rules[1].plan.targets == (2,)
    assert state.rules[1].revision == 1


def test_what_is_not_there_is_refused():
    with pytest.raises(AlertRuleNotFound):
        rules.delete(None, 1)
    with pytest.raises(AlertRuleNotFound):
        rules.redefine(None, 1, PLAN)
    with pytest.raises(AlertTargetNotFound):
        rules.remove_target(None, 1)
    with pytest.raises(Invalid) as refusal:
        rules.define(None, evolve(PLAN, targets=(7,)))
    assert refusal.value.field_errors == {"targets": ["this site has no target 7"]}


def test_a_site_has_at_most_50_rules_and_20_targets():
    many = after(*[lambda state: rules.define(state, PLAN)] * 50)
    targets = after(*[lambda state: rules.add_target(state, TargetKind.NTFY, "t")] * 20)

    with pytest.raises(TooManyAlertRules, match="at most 50"):
        rules.define(many, PLAN)
    with pytest.raises(TooManyAlertTargets, match="at most 20"):
        rules.add_target(targets, TargetKind.NTFY, "t")


def test_a_mail_goes_to_a_member_and_a_request_does_not():
    for kind, user_id in ((TargetKind.MAIL, None), (TargetKind.SLACK, "1")):
        with pytest.raises(Invalid, match="Invalid"):
            rules.add_target(None, kind, "t", user_id)


def test_a_firing_opens_once_however_often_it_is_said():
    state = fired(fire())

    assert firings.fire(state, 1, 1, judged(), []) == []
    assert firings.fire(state, 1, 1, judged(NOON + HOUR), []) == []
    assert state.running.state is FiringState.OPEN


def test_a_window_that_fired_does_not_fire_again_when_its_firing_is_over():
    state = fired(fire(), end(NOON + 3 * HOUR))

    assert firings.fire(state, 1, 1, judged(), []) == []
    assert [type(one) for one in firings.fire(state, 1, 1, judged(NOON + 5 * HOUR), [])] == [AlertFired]


def test_a_firing_is_over_once():
    state = fired(fire(), end(NOON + 3 * HOUR))

    assert state.running is None
    assert firings.end(state, NOON + 3 * HOUR, OverReason.CALM) == []
    assert firings.end(None, NOON, OverReason.CALM) == []


def test_a_window_that_is_not_judged_does_not_fire():
    assert firings.fire(None, 1, 1, Judged(judged().window, None, Bounds(None, 10)), []) == []


def test_a_firing_is_acknowledged_once_and_only_while_it_is_open():
    state = fired(fire(), lambda state: firings.acknowledge(state, 1, "7"))

    assert (state.running.state, state.running.acknowledged_by) == (FiringState.ACKNOWLEDGED, "7")
    assert firings.acknowledge(state, 1, "8") == []
    with pytest.raises(AlertFiringNotFound):
        firings.acknowledge(state, 2, "7")
    over = fold(firings.apply, [AlertOver(1, NOON + 2 * HOUR, OverReason.CALM)], state)
    with pytest.raises(AlertFiringOver):
        firings.acknowledge(over, 1, "7")


def test_the_latest_hundred_firings_are_kept():
    history = []
    for number in range(1, 151):
        start = NOON + number * 3 * HOUR
        history += [
            AlertFired(1, 1, number, start, start + HOUR, 11.0, None, 10.0),
            AlertOver(number, start + 2 * HOUR, OverReason.CALM),
        ]

    state = fold(firings.apply, history)

    assert [state.newest_first()[0].number, state.newest_first()[-1].number, state.last] == [150, 51, 150]


def test_history_is_never_refused():
    state = fold(firings.apply, [AlertOver(9, NOON, OverReason.CALM), firings.AlertAcknowledged(9, None)])

    assert state.latest == {}
