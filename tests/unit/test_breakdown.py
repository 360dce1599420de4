"""Breakdowns and web vitals, by the functions of the domain."""

import pytest

from footfall.domain.breakdown import Share, break_down, parse_dimension
from footfall.domain.errors import Invalid
from footfall.domain.hit import HitType
from footfall.domain.vitals import Percentiles, Rating, measure, rate
from tests.histories import days, event, hit, record

DAY = days("2026-03-28", "2026-03-28")


def test_sessions_are_counted_by_what_they_began_with():
    log = record(hit(visitor_id=1, country="DE"), hit(visitor_id=2, country="DE"), hit(visitor_id=3))

    assert break_down(log, "country", DAY) == [Share("DE", 2, 2), Share("", 1, 1)]


def test_pageviews_are_counted_by_their_path():
    log = record(hit(pathname="/a"), hit(pathname="/a"), hit(pathname="/b"), event("x", pathname="/c"))

    assert break_down(log, "pathname", DAY) == [Share("/a", 2, 1), Share("/b", 1, 1)]


def test_outbound_clicks_are_counted_by_where_they_lead():
    click = hit(kind=HitType.OUTBOUND, properties={"url": "https://elsewhere.example/"})

    assert break_down(record(click, click), "outbound", DAY) == [Share("https://elsewhere.example/", 2, 1)]


def test_an_unknown_dimension_is_refused_with_those_that_are():
    with pytest.raises(Invalid) as caught:
        parse_dimension("weather")

    assert "pathname" in caught.value.faults["by"][0]


def test_percentiles_are_measures_that_were_made():
    hits = [hit(kind=HitType.PERFORMANCE, pathname="/a", lcp=float(value)) for value in (100, 200, 300, 400)]

    everything, page = measure(record(*hits), DAY)

    assert everything.metrics == {"lcp": Percentiles(200, 300, 400)}
    assert (page.pathname, page.samples) == ("/a", 4)


def test_zero_is_a_measure():
    [everything, _] = measure(record(hit(kind=HitType.PERFORMANCE, cls=0.0)), DAY)

    assert everything.metrics == {"cls": Percentiles(0, 0, 0)}


@pytest.mark.parametrize(
    ("value", "rating"),
    [(2500, Rating.GOOD), (2500.1, Rating.FAIR), (4000, Rating.FAIR), (4000.1, Rating.POOR)],
)
def test_measures_are_rated_by_the_published_thresholds(value, rating):
    assert rate("lcp", value) is rating
