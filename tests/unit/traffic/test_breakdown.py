"""Breakdowns and web vitals, by the functions of the domain."""

from math import inf, nextafter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.domain.exceptions import Invalid
from footfall.domain.tracking.hit import HitType
from footfall.domain.traffic.breakdown import BreakdownRow, break_down, parse_dimension
from footfall.domain.traffic.web_vitals import (
    CLASS_STEPS,
    METRICS,
    THRESHOLDS,
    Percentiles,
    Rating,
    measure,
    measure_class,
    rate,
    rounded_up,
)
from tests.histories import days, event, hit, record

DAY = days("2026-03-28", "2026-03-28")


def test_sessions_are_counted_by_attributes_of_their_first_hit():
    log = record(hit(visitor_id=1, country="DE"), hit(visitor_id=2, country="DE"), hit(visitor_id=3))

    assert break_down(log, "country", DAY) == [BreakdownRow("DE", 2, 2), BreakdownRow("", 1, 1)]


def test_pageviews_are_counted_by_their_path():
    log = record(hit(pathname="/a"), hit(pathname="/a"), hit(pathname="/b"), event("x", pathname="/c"))

    assert break_down(log, "pathname", DAY) == [BreakdownRow("/a", 2, 1), BreakdownRow("/b", 1, 1)]


def test_outbound_clicks_are_counted_by_target():
    click = hit(kind=HitType.OUTBOUND, properties={"url": "https://elsewhere.example/"})

    assert break_down(record(click, click), "outbound", DAY) == [
        BreakdownRow("https://elsewhere.example/", 2, 1)
    ]


def test_events_and_pageviews_are_counted_by_the_text_of_a_property_that_they_have():
    log = record(
        event("order", properties={"plan": "12"}),
        event("order", properties={"plan": 12.0}, visitor_id=2),
        hit(properties={"plan": True}),
        hit(properties={"plan": ""}),
        hit(properties={"plan": "1.2e1"}),
        hit(properties={"plan": None}),
        hit(properties={"plan": ["12"]}),
        hit(properties={"other": "12"}),
        hit(),
        hit(kind=HitType.OUTBOUND, properties={"plan": "12"}),
    )

    assert break_down(log, "property:plan", DAY) == [
        BreakdownRow("12", 2, 2),
        BreakdownRow("", 1, 1),
        BreakdownRow("1.2e1", 1, 1),
        BreakdownRow("true", 1, 1),
    ]


def test_pageviews_are_counted_by_a_parameter_of_their_query_string():
    log = record(
        hit(querystring="?ref=blog"),
        hit(querystring="a=1&r%65f=%62log", visitor_id=2),
        hit(querystring="ref"),
        hit(querystring="other=1"),
        event("order", querystring="ref=blog"),
    )

    assert break_down(log, "query:ref", DAY) == [BreakdownRow("blog", 2, 2), BreakdownRow("", 1, 1)]


def test_pageviews_are_counted_by_release_and_by_class_of_screen():
    log = record(
        hit(release="1.0", screen_width=320.0),
        hit(release="1.0", screen_width=3000.0),
        hit(),
        event("x", release="9"),
    )

    assert break_down(log, "release", DAY) == [BreakdownRow("1.0", 2, 1), BreakdownRow("", 1, 1)]
    assert break_down(log, "screen_class", DAY) == [
        BreakdownRow("", 1, 1),
        BreakdownRow("small", 1, 1),
        BreakdownRow("very_large", 1, 1),
    ]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("property:", "the name of a property must follow property:"),
        ("query:" + "x" * 257, "the name of a query parameter must be at most 256 characters"),
        ("property:\0", "the name of a property must not contain NUL characters or unpaired surrogates"),
    ],
)
def test_a_dimension_with_a_key_that_no_hit_can_have_is_refused(text, fault):
    with pytest.raises(Invalid) as caught:
        parse_dimension(text)

    assert caught.value.field_errors == {"by": [fault]}


@pytest.mark.parametrize("text", ["property:plan", "query:ref", "property:a:b", "query: "])
def test_a_dimension_with_any_other_key_is_accepted(text):
    assert parse_dimension(text) == text


def test_unknown_dimension_is_refused_with_the_accepted_ones():
    with pytest.raises(Invalid) as caught:
        parse_dimension("weather")

    assert "pathname" in caught.value.field_errors["by"][0]


def test_percentiles_are_measures_rounded_up():
    [everything, _] = measure(record(hit(kind=HitType.PERFORMANCE, lcp=2501.0)), DAY)

    assert everything.metrics == {"lcp": Percentiles(2520, 2520, 2520)}


def test_percentiles_ignore_missing_measures():
    hits = [hit(kind=HitType.PERFORMANCE, pathname="/a", lcp=float(value)) for value in (100, 200, 300, 400)]

    everything, page = measure(record(*hits), DAY)

    assert everything.metrics == {"lcp": Percentiles(200, 300, 400)}
    assert (page.pathname, page.samples) == ("/a", 4)


def test_zero_counts_as_a_measure():
    [everything, _] = measure(record(hit(kind=HitType.PERFORMANCE, cls=0.0)), DAY)

    assert everything.metrics == {"cls": Percentiles(0, 0, 0)}


@pytest.mark.parametrize(
    ("value", "rating"),
    [(2500, Rating.GOOD), (2500.1, Rating.FAIR), (4000, Rating.FAIR), (4000.1, Rating.POOR)],
)
def test_measures_are_rated_by_the_published_thresholds(value, rating):
    assert rate("lcp", value) is rating


@given(st.floats(0, 1e9))
def test_a_measure_is_rounded_up_by_one_percent_at_most(value):
    rounded = rounded_up(value)

    assert value <= rounded <= max(1.01 * value * (1 + 1e-15), value + 0.00011)


@pytest.mark.parametrize(
    ("value", "rounded"),
    [(0.10004, 0.101), (0.00774, 0.0078), (0.00001, 0.0001), (0.0007, 0.0007), (2500.00001, 2520), (0, 0)],
)
def test_a_measure_is_never_rounded_down(value, rounded):
    assert rounded_up(value) == rounded


@given(st.integers(0, 10**13))
def test_a_measure_of_at_most_four_decimals_is_that_many_ten_thousandths(number):
    step = max((one for one in CLASS_STEPS if 100 * one <= number), default=1)

    assert rounded_up(number / 10_000) == -(-number // step) * step / 10_000


@given(st.floats(0, 1e12), st.floats(0, 1e12))
def test_a_larger_measure_never_has_a_smaller_class(one, other):
    smaller, larger = sorted((one, other))

    assert measure_class(smaller) <= measure_class(larger)
    assert rounded_up(smaller) <= rounded_up(larger)


@pytest.mark.parametrize(
    ("metric", "threshold"), [(name, one) for name in METRICS for one in THRESHOLDS[name]]
)
def test_rounding_keeps_the_rating_of_a_measure(metric, threshold):
    above = nextafter(threshold, inf)

    assert rounded_up(threshold) == threshold
    assert rate(metric, rounded_up(above)) is rate(metric, above)
