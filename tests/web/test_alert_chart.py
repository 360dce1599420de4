"""The chart of the preview of a rule, with any values."""

import re
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.adapters.web.administration.alerts.chart import HEIGHT, WIDTH, PreviewChart
from footfall.domain.alerts.firing_decision import FiredSpan, backtest
from footfall.domain.alerts.judged_windows import Bounds, Judged, windows_in
from footfall.domain.alerts.plan import AlertCondition, AlertMetric, AlertWindow, alert_plan
from footfall.domain.annotations.annotations import Annotations
from footfall.domain.periods.period import Period

MONDAY = datetime(2026, 3, 2, tzinfo=UTC)
HOUR = timedelta(hours=1)
ZONE = ZoneInfo("Europe/Berlin")
EXTREME = [0.0, 5e-324, 1e-7, 0.3, 7.0, 999.9, 1e12, 1.7e308]


def chart(values, *, limit=1.0, condition=AlertCondition.ABOVE, metric=AlertMetric.LCP):
    """Return the chart of hours with these values, and a rule that compares them with a limit."""
    plan = alert_plan(name="r", metric=metric, window=AlertWindow.HOUR, condition=condition, value=limit)
    windows = windows_in(Period(MONDAY, MONDAY + len(values) * HOUR), AlertWindow.HOUR, ZONE)
    bounds = Bounds(None, limit) if condition is AlertCondition.ABOVE else Bounds(limit, 2 * limit)
    judged = [Judged(window, value, bounds) for window, value in zip(windows, values, strict=True)]
    return PreviewChart.of(plan, judged, backtest(judged), Annotations(), ZONE)


@given(
    values=st.lists(st.sampled_from([None, *EXTREME]), min_size=1, max_size=800),
    limit=st.sampled_from([1e-9, 1.0, 3.5, 1e12]),
    metric=st.sampled_from([AlertMetric.LCP, AlertMetric.VISITORS]),
)
def test_any_values_have_a_chart_inside_of_its_place(values, limit, metric):
    made = chart(values, limit=limit, metric=metric)

    numbers = [float(number) for path in (made.path, made.limit) for number in re.findall(r"[\d.]+", path)]
    assert all(-HEIGHT <= number <= max(WIDTH, 2 * HEIGHT) for number in numbers)
    assert not re.search("nan|inf", f"{made.path} {made.limit}")
    assert all(len(label) <= 8 for _, label in made.scale)
    assert all(0 <= left <= 100 for left, _ in [*made.openings, *made.dates])
    assert all(left >= 0 and left + width <= WIDTH + 2 for left, width in made.firings)


@pytest.mark.parametrize(
    ("highest", "labels"),
    [
        (3.0, ["3", "1.5", "0"]),
        (410.0, ["500", "250", "0"]),
        (20.0, ["20", "10", "0"]),
        (2_100.0, ["3k", "1.5k", "0"]),
        (1.7e308, ["1.7e+308", "8.5e+307", "0"]),
    ],
)
def test_the_scale_ends_with_a_round_number(highest, labels):
    assert [label for _, label in chart([highest], limit=1e-9).scale] == labels


def test_values_of_zero_are_shown_below_the_limit():
    made = chart([0.0, 0.0], limit=3.0)

    assert ([label for _, label in made.scale], made.limit) == (["3", "1.5", "0"], "M0 0.0H720")


def test_a_count_has_no_scale_below_two():
    assert [label for _, label in chart([1.0], metric=AlertMetric.VISITORS).scale] == ["2", "1", "0"]


def test_the_usual_range_is_an_area_and_what_is_far_above_is_cut_off():
    near = chart([5.0, 6.0], limit=4.0, condition=AlertCondition.UNUSUAL)
    far = chart([5.0, 6.0], limit=20.0, condition=AlertCondition.UNUSUAL)

    # From 4 to 8, of 8.
    assert near.usual == "M0.0 0.0H360.0V90.0H0.0ZM360.0 0.0H720.0V90.0H360.0Z"
    assert (near.limit, near.limit_above, far.limit_above) == ("", None, None)
    assert float(far.scale[0][1]) == 20


def test_the_usual_range_of_a_day_holds_those_of_its_windows():
    plan = alert_plan(
        name="r",
        metric=AlertMetric.VISITORS,
        window=AlertWindow.HOUR,
        condition=AlertCondition.UNUSUALLY_LOW,
        value=4,
    )
    windows = windows_in(Period(MONDAY, MONDAY + 180 * HOUR), AlertWindow.HOUR, ZONE)
    judged = [
        Judged(window, 10.0, Bounds(2.0 + number % 2, None) if number >= 2 else None)
        for number, window in enumerate(windows)
    ]

    made = PreviewChart.of(plan, judged, [], Annotations(), ZONE)

    # Of the first two windows nothing is known; above there is no bound.
    assert made.usual.count("Z") == 89
    assert made.usual.startswith("M8.0 0.0H16.0V144.0H8.0Z")


def test_firings_beside_each_other_share_a_mark_and_all_are_shown():
    # Of 90 days one of each three hours fires, which opens 720 firings.
    values = [2.0, 0.0, 0.0] * 720

    made = chart(values)

    assert len(made.openings) <= 125
    assert len(made.firings) < 720
    shown = {span.opened.window.period.start for _, span in made.openings}
    assert MONDAY in shown
    assert all(isinstance(span, FiredSpan) for _, span in made.openings)


def test_dates_are_midnights_by_the_clocks_of_the_site():
    # Summer time begins on 29 March.
    made = chart([1.0] * 24 * 40)

    assert [label for _, label in made.dates] == ["3 Mar", "13 Mar", "23 Mar", "1 Apr", "11 Apr"]
    assert made.dates[0][0] == pytest.approx(100 * 23 / 960, abs=0.01)
    assert made.dates[-1][0] == pytest.approx(100 * (39 * 24 + 22) / 960, abs=0.01)
