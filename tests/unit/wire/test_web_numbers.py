"""Numbers as people read them."""

from datetime import UTC, date, datetime
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest

from footfall.adapters.web.formatting import (
    NO_RATE,
    change,
    day,
    days,
    device_name,
    duration,
    estimate,
    exact,
    exact_duration,
    figure,
    is_web_address,
    measure,
    metric,
    moment,
    percent,
    plain,
    share,
    short,
    units,
)
from footfall.domain.traffic.overview import Traffic
from footfall.domain.traffic.web_vitals import THRESHOLDS, largest_of, measure_class, rate


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (999, "999"),
        (1_000, "1k"),
        (1_234, "1.2k"),
        (12_345, "12.3k"),
        (123_456, "123k"),
        (999_499, "999k"),
        (999_999, "1M"),
        (3_400_000, "3.4M"),
    ],
)
def test_short_numbers_keep_their_size(value, text):
    assert short(value) == text


@pytest.mark.parametrize(
    ("value", "text"), [(0, "0%"), (1, "100%"), (0.5, "50.0%"), (0.0004, "0.0%"), (0.081, "8.1%")]
)
def test_fractions_are_percentages(value, text):
    assert percent(value) == text


@pytest.mark.parametrize(
    ("value", "text"), [(3.25, "3.2"), (-0.04, "0.0"), (-2.96, "\N{MINUS SIGN}3.0"), (1234.5, "1,234.5")]
)
def test_estimates_have_one_digit_and_zero_has_no_sign(value, text):
    assert estimate(value) == text


@pytest.mark.parametrize(
    ("value", "text"), [(0, "0s"), (59.4, "59s"), (59.6, "1m 00s"), (185, "3m 05s"), (7_800, "2h 10m")]
)
def test_durations_are_read_at_a_glance(value, text):
    assert duration(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("0", "0s"),
        ("12.50", "12.5s"),
        ("59.999999", "59.999999s"),
        ("185.25", "3m 05.25s"),
        ("600", "10m 00s"),
        ("7830.5", "2h 10m 30.5s"),
        ("360000", "100h 00m 00s"),
    ],
)
def test_exact_durations_keep_their_decimals(value, text):
    assert exact_duration(Decimal(value)) == text


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Safari on Mac OS X", "Safari on macOS"),
        ("Mac OS X", "macOS"),
        ("Firefox on Linux", "Firefox on Linux"),
        ("Unknown browser", "Unknown browser"),
    ],
)
def test_signed_in_browsers_have_the_names_that_people_use(text, name):
    assert device_name(text) == name


def test_rates_of_nothing_are_dashes():
    assert (share(0, 0), share(0, 4), share(1, 4), metric(None, "bounce_rate")) == (
        NO_RATE,
        "0%",
        "25.0%",
        NO_RATE,
    )


def test_traffic_of_nothing_has_counts_and_no_rates():
    metrics = ("visitors", "pageviews", "bounce_rate", "average_session_duration")

    assert [figure(Traffic(), name) for name in metrics] == [0, 0, None, None]
    assert figure(Traffic(sessions=2, seconds=3), "average_session_duration") == 1.5
    assert figure(Traffic(sessions=2, sessions_with_pageviews=2, bounces=1), "bounce_rate") == 0.5


@pytest.mark.parametrize(
    ("now", "before", "text"),
    [
        (112, 100, "+12%"),
        (95, 100, "\N{MINUS SIGN}5%"),
        (100, 100, "±0%"),
        (5, 0, ""),
        (None, 5, ""),
        (5, None, ""),
    ],
)
def test_a_change_has_its_sign(now, before, text):
    assert change(now, before) == text


def test_other_values_are_plain():
    assert (exact(1_234_567), measure(0.123, "cls"), measure(1_234, "lcp"), measure(80, "inp")) == (
        "1,234,567",
        "0.123",
        "1.23 s",
        "80 ms",
    )
    assert (plain(value=True), plain(()), plain(("a", "b")), plain(None)) == ("true", "none", "a, b", "none")


@pytest.mark.parametrize("name", THRESHOLDS)
def test_measures_that_look_alike_are_rated_alike(name):
    classes = {measure_class(threshold) for threshold in THRESHOLDS[name]}
    near = {largest_of(number + step) for number in classes for step in range(-20, 21)}

    ratings = {}
    for value in near:
        ratings.setdefault(measure(value, name), set()).add(rate(name, value))

    assert {text: found for text, found in ratings.items() if len(found) > 1} == {}


def test_every_date_is_written_in_one_way():
    at = datetime(2026, 11, 1, 4, 5, 6, tzinfo=UTC)
    berlin = ZoneInfo("Europe/Berlin")

    assert day(at.date()) == "1 Nov 2026"
    assert moment(at) == "1 Nov 2026, 04:05 UTC"
    assert moment(at, berlin) == "1 Nov 2026, 05:05"
    assert moment(at, berlin, seconds=True) == "1 Nov 2026, 05:05:06"


@pytest.mark.parametrize(
    ("first", "last", "text"),
    [
        (date(2026, 11, 1), date(2026, 11, 1), "1 Nov 2026"),
        (date(2026, 10, 23), date(2026, 11, 21), "23 Oct \N{EN DASH} 21 Nov 2026"),
        (date(2025, 11, 22), date(2026, 11, 21), "22 Nov 2025 \N{EN DASH} 21 Nov 2026"),
        (date(1900, 1, 1), date(1900, 1, 2), "1 Jan \N{EN DASH} 2 Jan 1900"),
    ],
)
def test_days_of_a_period_name_a_year_once(first, last, text):
    assert days(first, last) == text


@pytest.mark.parametrize(("count", "text"), [(0, "times"), (1, "time"), (2, "times")])
def test_one_thing_is_no_plural(count, text):
    assert units(count, "time") == text


@pytest.mark.parametrize(
    ("text", "opens"),
    [
        ("https://example.org/a", True),
        ("http://example.org", True),
        ("javascript:alert(1)", False),
        ("JAVASCRIPT:alert(1)//https://", False),
        ("data:text/html,x", False),
        (" https://example.org", False),
        ("mailto:a@example.org", False),
        ("", False),
    ],
)
def test_only_addresses_of_the_web_can_be_opened(text, opens):
    assert is_web_address(text) is opens
