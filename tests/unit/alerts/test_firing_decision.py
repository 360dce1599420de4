"""Windows, usual values, and what makes a rule fire."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.domain.alerts.firing_decision import Progress, Transition, backtest, step
from footfall.domain.alerts.judged_windows import (
    Bounds,
    Gap,
    Judged,
    Measured,
    Window,
    bounds_of,
    judge,
    judged_weeks,
    measured_periods,
    spread,
    windows_in,
)
from footfall.domain.alerts.plan import AlertCondition, AlertMetric, AlertWindow, alert_plan
from footfall.domain.periods.period import Period

UTC_ZONE = ZoneInfo("UTC")
BERLIN = ZoneInfo("Europe/Berlin")
MONDAY = datetime(2026, 3, 2, tzinfo=UTC)
HOUR = timedelta(hours=1)
WEEK = timedelta(days=7)


def plan(condition=AlertCondition.ABOVE, value=10, metric=AlertMetric.VISITORS, window=AlertWindow.HOUR):
    return alert_plan(name="r", metric=metric, window=window, condition=condition, value=value)


def hours(values, start=MONDAY):
    """Return measured hours from a time on."""
    windows = windows_in(Period(start, start + len(values) * HOUR), AlertWindow.HOUR, UTC_ZONE)
    return [Measured(one, value) for one, value in zip(windows, values, strict=True)]


def course(values):
    """Return the judged hours of a rule that fires above 10."""
    return [Judged(one.window, one.value, Bounds(None, 10)) for one in hours(values)]


def transitions(values):
    progress, found = Progress(), []
    for index, one in enumerate(course(values)):
        progress, transition = step(progress, one)
        found += [(index, transition)] if transition else []
    return found


def test_a_firing_opens_once_and_is_over_after_two_calm_windows():
    assert transitions([5, 11, 12, 5, 11, 5, 5, 5]) == [(1, Transition.OPENS), (6, Transition.ENDS)]


def test_a_window_without_a_value_neither_opens_nor_ends_a_firing():
    assert transitions([None, 11, 5, None, 5, None]) == [(1, Transition.OPENS), (4, Transition.ENDS)]


def test_the_threshold_itself_does_not_fire():
    assert transitions([10]) == []


def test_a_firing_that_goes_on_has_no_end():
    [found] = backtest(course([5, 11, 11]))

    assert found.opened.window.period.start == MONDAY + HOUR
    assert found.ended is None


def test_windows_lie_inside_of_the_period_and_follow_the_clocks():
    period = Period(MONDAY + timedelta(minutes=7), MONDAY + timedelta(hours=3, minutes=59))

    found = windows_in(period, AlertWindow.HOUR, UTC_ZONE)

    assert [one.period.start for one in found] == [MONDAY + HOUR, MONDAY + 2 * HOUR]


def test_days_of_a_clock_change_have_23_and_25_hours():
    spring = Period(datetime(2026, 3, 27, tzinfo=UTC), datetime(2026, 3, 31, tzinfo=UTC))
    autumn = Period(datetime(2026, 10, 23, tzinfo=UTC), datetime(2026, 10, 27, tzinfo=UTC))

    lengths = [
        [one.period.length / HOUR for one in windows_in(period, AlertWindow.DAY, BERLIN)]
        for period in (spring, autumn)
    ]

    assert lengths == [[24, 23, 24], [24, 25, 24]]


@given(
    window=st.sampled_from(AlertWindow),
    zone=st.sampled_from([UTC_ZONE, BERLIN, ZoneInfo("Australia/Lord_Howe"), ZoneInfo("America/St_Johns")]),
    start=st.integers(0, 60 * 24 * 730).map(lambda minutes: MONDAY - timedelta(minutes=minutes)),
    days=st.floats(0, 60),
)
def test_windows_have_no_gaps_however_long_the_period_is(window, zone, start, days):
    period = Period(start, start + timedelta(days=days))

    found = windows_in(period, window, zone)

    edges = [(one.period.end, other.period.start) for one, other in pairwise(found)]
    assert all(end == following for end, following in edges)
    assert all(period.start <= one.period.start and one.period.end <= period.end for one in found)
    longest = {AlertWindow.DAY: 50 * HOUR}.get(window, 3 * HOUR)
    assert found or period.length < longest


def test_a_window_is_compared_with_the_same_time_of_eight_weeks():
    start = MONDAY + timedelta(hours=9)

    periods = measured_periods(plan(AlertCondition.UNUSUAL, 3), Period(start, start + HOUR), UTC_ZONE)

    assert [one.start for one in periods] == [start - week * WEEK for week in range(8, -1, -1)]
    assert {one.length for one in periods} == {HOUR}


def test_a_long_period_is_measured_at_once():
    period = Period(MONDAY, MONDAY + timedelta(days=90))

    [found] = measured_periods(plan(AlertCondition.UNUSUAL, 3), period, BERLIN)

    # In winter the clocks of both ends are the same.
    assert found.start == MONDAY - 8 * WEEK
    assert measured_periods(plan(), period, BERLIN) == [period]


def test_the_same_time_is_that_of_the_clocks_across_a_clock_change():
    # 10:00 in Berlin is 08:00 UTC in summer, and 09:00 UTC in winter.
    start = datetime(2026, 4, 6, 8, tzinfo=UTC)

    periods = measured_periods(plan(AlertCondition.UNUSUAL, 3), Period(start, start + HOUR), BERLIN)

    assert {one.start.hour for one in periods[:-2]} == {9}
    assert periods[-1].start.hour == 8


def usual(values, condition=AlertCondition.UNUSUAL, deviations=3, metric=AlertMetric.VISITORS):
    window = windows_in(Period(MONDAY, MONDAY + HOUR), AlertWindow.HOUR, UTC_ZONE)[0]
    past = {window.wall - (week + 1) * WEEK: value for week, value in enumerate(values)}
    return bounds_of(plan(condition, deviations, metric), window, past)


def test_usual_is_the_median_and_its_spread():
    # Median 100, median deviation 20, scaled by 1.4826.
    bounds = usual([60, 80, 80, 100, 100, 120, 120, 140])

    assert bounds == Bounds(pytest.approx(100 - 3 * 1.4826 * 20), pytest.approx(100 + 3 * 1.4826 * 20))


def test_one_wild_week_does_not_change_what_is_usual():
    assert usual([100] * 7 + [1e9]) == usual([100] * 8)


def test_counts_that_never_vary_still_have_the_spread_of_chance():
    assert usual([100] * 8) == Bounds(70, 130)
    assert usual([0] * 8) == Bounds(-3, 3)


def test_rates_that_never_vary_have_a_tenth_of_the_median_as_spread():
    assert spread([50.0] * 8, is_count=False) == 5


def test_one_side_is_enough():
    assert usual([100] * 8, AlertCondition.UNUSUALLY_HIGH) == Bounds(None, 130)
    assert usual([100] * 8, AlertCondition.UNUSUALLY_LOW) == Bounds(70, None)


def test_with_fewer_than_four_weeks_nothing_is_judged():
    assert usual([100, 100, 100]) is None
    assert usual([100, None, 100, None, 100, None, None, 100]) is not None


def test_windows_from_before_the_first_hit_are_not_judged():
    measured = hours([20, 20, 20])

    judged = judge(plan(), measured, Period(MONDAY, MONDAY + 3 * HOUR), since=MONDAY + HOUR)

    assert [one.meets for one in judged] == [None, True, True]
    assert [one.meets for one in judge(plan(), measured, Period(MONDAY, MONDAY + HOUR), since=None)] == [None]


def test_a_window_is_judged_by_its_weekday_and_hour():
    values = [100 if hour % 24 == 12 else 10 for hour in range(9 * 168)]
    values[-12] = 10
    period = Period(MONDAY + 8 * WEEK, MONDAY + 9 * WEEK)

    judged = judge(plan(AlertCondition.UNUSUAL, 3), hours(values), period, since=MONDAY)

    found = [one.window.period.start for one in judged if one.meets]
    assert found == [MONDAY + 9 * WEEK - 12 * HOUR]


def test_bounds_leave_what_lies_on_them():
    window = Window(Period(MONDAY, MONDAY + HOUR), MONDAY)

    assert [Judged(window, value, Bounds(1, 2)).meets for value in (0.9, 1, 2, 2.1)] == [
        True,
        False,
        False,
        True,
    ]


def days(values, bounds=None):
    """Return judged days from a Monday on."""
    windows = windows_in(Period(MONDAY, MONDAY + len(values) * timedelta(days=1)), AlertWindow.DAY, UTC_ZONE)
    return [
        Judged(one, value, bounds or Bounds(None, 10)) for one, value in zip(windows, values, strict=True)
    ]


def test_all_weeks_with_a_judged_window_are_judged():
    weeks = judged_weeks(days([None] * 6 + [1] + [1] * 7), since=MONDAY)

    assert (weeks.total, weeks.judged, weeks.gaps) == (2, 2, {})


def test_weeks_are_counted_back_from_the_last_window():
    # A day, and two weeks.
    weeks = judged_weeks(days([1] * 8 + [None] * 7), since=MONDAY)

    assert (weeks.total, weeks.judged, weeks.gaps) == (3, 2, {Gap.NO_VALUE: 1})


def test_a_week_that_is_not_judged_has_the_reason_that_is_nearest_to_a_judgement():
    windows = days([None] * 13 + [5] + [None] * 3 + [5] * 4 + [None] * 7)
    judged = [Judged(one.window, one.value, None) for one in windows]

    weeks = judged_weeks(judged, since=MONDAY + timedelta(days=9))

    gaps = {Gap.NO_DATA: 1, Gap.FEW_WEEKS: 2, Gap.NO_VALUE: 1}
    assert (weeks.total, weeks.judged, weeks.gaps) == (4, 0, gaps)


def test_no_week_of_a_site_without_hits_is_judged():
    weeks = judged_weeks(days([None] * 7), since=None)

    assert (weeks.total, weeks.judged, weeks.gaps) == (1, 0, {Gap.NO_DATA: 1})


def test_a_backtest_without_windows_has_no_weeks():
    assert judged_weeks([], since=None).total == 0


@given(st.lists(st.sampled_from([None, 1.0, 20.0]), max_size=60), st.integers(0, 60))
def test_each_week_is_judged_or_has_a_reason(values, first):
    weeks = judged_weeks(days(values), since=MONDAY + timedelta(days=first))

    assert weeks.total == -(-len(values) // 7)
    assert weeks.judged + sum(weeks.gaps.values()) == weeks.total
