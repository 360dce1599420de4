"""What the common query parameters ask for."""

from contextlib import suppress
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.domain.errors import Invalid
from footfall.domain.period import Period
from footfall.domain.window import last_30_days, local_days, parse_window
from footfall.domain.zone import parse_zone
from tests.zones import ZONES

NOW = datetime(2026, 3, 29, 12, 34, 56, 789_000, tzinfo=UTC)


def instant(text):
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def period(start, end):
    return Period(instant(start), instant(end))


def test_without_parameters_it_is_today_and_the_29_days_before():
    window = parse_window({}, now=NOW)

    assert window.period == period("2026-02-28", "2026-03-30")
    assert window.before == period("2026-01-29", "2026-02-28")


def test_today_is_the_day_that_clocks_in_the_zone_show():
    window = last_30_days(instant("2026-03-29T12:00"), parse_zone("Pacific/Kiritimati"))

    assert window.period.end == instant("2026-03-30T10:00")


def test_dates_are_local_days_and_the_last_one_is_included():
    parameters = {"start_date": "2026-03-28", "end_date": "2026-03-29", "time_zone": "Europe/Berlin"}

    window = parse_window(parameters, now=NOW)

    assert window.period == period("2026-03-27T23:00", "2026-03-29T22:00")
    assert window.before == period("2026-03-25T23:00", "2026-03-27T23:00")


def test_the_period_before_has_as_many_local_days_whatever_the_clocks_did():
    berlin = parse_zone("Europe/Berlin")

    window = local_days(date(2026, 3, 29), date(2026, 3, 29), berlin)

    assert window.period.length == timedelta(hours=23)
    assert window.before.length == timedelta(hours=24)


def test_a_day_without_midnight_begins_when_its_clocks_jump():
    window = local_days(date(2018, 11, 4), date(2018, 11, 4), parse_zone("America/Sao_Paulo"))

    assert window.period == period("2018-11-04T03:00", "2018-11-05T02:00")


def test_past_minutes_end_before_now():
    window = parse_window({"past_minutes_start": "30", "past_minutes_end": "0"}, now=NOW)

    assert window.period == Period(NOW - timedelta(minutes=30), NOW)
    assert window.before == Period(NOW - timedelta(minutes=60), NOW - timedelta(minutes=30))


def test_a_period_holds_its_start_and_not_its_end():
    day = period("2026-03-01", "2026-03-02")

    assert day.start in day
    assert day.end - timedelta(microseconds=1) in day
    assert day.end not in day


DATE_RULE = "must be a date YYYY-MM-DD from 1970-01-01 to 2200-12-31"
MINUTES_RULE = "must be a whole number from 0 to 5256000"


@pytest.mark.parametrize(
    ("parameters", "faults"),
    [
        ({"start_date": "2026-01-01"}, {"end_date": "is missing; start_date and end_date come together"}),
        ({"end_date": "2026-01-01"}, {"start_date": "is missing; start_date and end_date come together"}),
        ({"start_date": "2026-1-1", "end_date": "2026-01-01"}, {"start_date": DATE_RULE}),
        (
            {"start_date": "20260101", "end_date": "2026-W01-1"},
            {"start_date": DATE_RULE, "end_date": DATE_RULE},
        ),
        ({"start_date": "2026-01-01", "end_date": "2026-02-30"}, {"end_date": DATE_RULE}),
        (
            {"start_date": "1969-12-31", "end_date": "2201-01-01"},
            {"start_date": DATE_RULE, "end_date": DATE_RULE},
        ),
        ({"start_date": "\u0662026-01-01", "end_date": ""}, {"start_date": DATE_RULE, "end_date": DATE_RULE}),
        (
            {"start_date": "2026-01-02", "end_date": "2026-01-01"},
            {"end_date": "must not be before start_date"},
        ),
        (
            {"past_minutes_start": "5"},
            {"past_minutes_end": "is missing; past_minutes_start and past_minutes_end come together"},
        ),
        (
            {"past_minutes_start": "5", "past_minutes_end": "5"},
            {"past_minutes_start": "must be more than past_minutes_end"},
        ),
        (
            {"past_minutes_start": "9" * 9, "past_minutes_end": "-1"},
            {"past_minutes_start": MINUTES_RULE, "past_minutes_end": MINUTES_RULE},
        ),
        (
            {"past_minutes_start": "5256001", "past_minutes_end": "1.0"},
            {"past_minutes_start": MINUTES_RULE, "past_minutes_end": MINUTES_RULE},
        ),
        (
            {
                "start_date": "2026-01-01",
                "end_date": "2026-01-01",
                "past_minutes_start": "5",
                "past_minutes_end": "0",
            },
            {"past_minutes_start": "must not come together with start_date and end_date"},
        ),
        (
            {"time_zone": "Nowhere", "start_date": ""},
            {
                "time_zone": "must be an IANA time zone such as UTC or Europe/Berlin",
                "start_date": DATE_RULE,
                "end_date": "is missing; start_date and end_date come together",
            },
        ),
    ],
)
def test_malformed_parameters_are_refused_together_with_what_is_accepted(parameters, faults):
    with pytest.raises(Invalid) as refusal:
        parse_window(parameters, now=NOW)

    assert refusal.value.faults == {field: [message] for field, message in faults.items()}


DAYS = st.dates(date(1970, 1, 1), date(2200, 12, 31))


@given(days=st.tuples(DAYS, DAYS).map(sorted), name=st.sampled_from(ZONES))
def test_any_days_of_any_zone_follow_the_days_before_without_a_gap(days, name):
    window = local_days(*days, parse_zone(name))

    assert window.before.end == window.period.start
    assert window.period.start <= window.period.end
    assert window.before.start < window.period.end


PARAMETERS = ["start_date", "end_date", "time_zone", "past_minutes_start", "past_minutes_end"]


@given(
    parameters=st.dictionaries(
        st.sampled_from(PARAMETERS), st.text() | st.integers().map(str) | DAYS.map(str)
    )
)
def test_whatever_text_arrives_there_is_a_window_or_a_refusal(parameters):
    with suppress(Invalid):
        window = parse_window(parameters, now=NOW)

        assert window.period.start <= window.period.end
