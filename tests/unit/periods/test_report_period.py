"""The period that the common query parameters ask for."""

from contextlib import suppress
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.application.reports.query_parameters import parse_comparison, parse_report_period
from footfall.domain.exceptions import Invalid
from footfall.domain.periods.period import Period
from footfall.domain.periods.report_period import (
    calendar_month,
    calendar_year,
    compared_with_days,
    compared_with_weekdays_before,
    compared_with_weekdays_of_year_before,
    compared_with_year_before,
    last_30_days,
    local_days,
)
from footfall.domain.periods.timezone import parse_zone
from tests.zones import ZONES

NOW = datetime(2026, 3, 29, 12, 34, 56, 789_000, tzinfo=UTC)


def instant(text):
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def period(start, end):
    return Period(instant(start), instant(end))


def test_without_parameters_it_is_today_and_the_29_days_before():
    window = parse_report_period({}, now=NOW)

    assert window.period == period("2026-02-28", "2026-03-30")
    assert window.before == period("2026-01-29", "2026-02-28")


def test_today_is_the_day_that_clocks_in_the_zone_show():
    window = last_30_days(instant("2026-03-29T12:00"), parse_zone("Pacific/Kiritimati"))

    assert window.period.end == instant("2026-03-30T10:00")


def test_dates_are_local_days_and_the_last_one_is_included():
    parameters = {"start_date": "2026-03-28", "end_date": "2026-03-29", "time_zone": "Europe/Berlin"}

    window = parse_report_period(parameters, now=NOW)

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
    window = parse_report_period({"past_minutes_start": "30", "past_minutes_end": "0"}, now=NOW)

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
        parse_report_period(parameters, now=NOW)

    assert refusal.value.field_errors == {field: [message] for field, message in faults.items()}


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
def test_any_parameters_give_a_period_or_a_refusal(parameters):
    with suppress(Invalid):
        window = parse_report_period(parameters, now=NOW)

        assert window.period.start <= window.period.end


COMPARED_FROM = "2024-02-20"


@pytest.mark.parametrize(
    ("parameters", "start", "end"),
    [
        ({}, "2024-02-10", "2024-02-20"),
        ({"compare_with": "previous"}, "2024-02-10", "2024-02-20"),
        ({"compare_with": "year"}, "2023-02-20", "2023-03-01"),
        ({"compare_start_date": "2023-12-31", "compare_end_date": "2024-01-01"}, "2023-12-31", "2024-01-02"),
    ],
)
def test_period_is_compared_with_the_named_one(parameters, start, end):
    dates = {"start_date": COMPARED_FROM, "end_date": "2024-02-29"}
    window = parse_report_period(dates, now=datetime(2024, 3, 1, tzinfo=UTC))

    compared = parse_comparison({**dates, **parameters}, window)

    assert (f"{compared.before.start:%Y-%m-%d}", f"{compared.before.end:%Y-%m-%d}") == (start, end)
    assert compared.period == window.period


@pytest.mark.parametrize(
    ("parameters", "fields"),
    [
        ({"compare_with": "month"}, ["compare_with"]),
        ({"compare_start_date": "2024-01-01"}, ["compare_end_date"]),
        ({"compare_end_date": "2024-13-01"}, ["compare_end_date", "compare_start_date"]),
        ({"compare_start_date": "2024-01-02", "compare_end_date": "2024-01-01"}, ["compare_end_date"]),
        (
            {"compare_with": "year", "compare_start_date": "2024-01-01", "compare_end_date": "2024-01-01"},
            ["compare_with"],
        ),
        ({"compare_with": "year", "past_minutes_start": "60", "past_minutes_end": "0"}, ["compare_with"]),
    ],
)
def test_invalid_comparison_is_refused_by_name(parameters, fields):
    window = parse_report_period({}, now=datetime(2024, 3, 1, tzinfo=UTC))

    with pytest.raises(Invalid) as refusal:
        parse_comparison(parameters, window)

    assert sorted(refusal.value.field_errors) == fields


@pytest.mark.parametrize(
    ("asked", "now", "end"),
    [
        # Today, in the morning; the week so far; a month of 28 days, and one of 31, so far.
        ({"days": "2026-03-14 2026-03-14"}, "2026-03-14T08:30:15.250", "2026-03-13T08:30:15.250"),
        ({"days": "2026-03-09 2026-03-15"}, "2026-03-11T08:30", "2026-03-04T08:30"),
        ({"days": "2026-02-01 2026-02-28"}, "2026-02-20T08:30", "2026-01-23T08:30"),
        # With the year before, and with chosen days, which are whole when they are not as many.
        ({"days": "2026-03-01 2026-03-31", "with": "year"}, "2026-03-14T08:30", "2025-03-14T08:30"),
        ({"days": "2028-01-01 2028-12-31", "with": "year"}, "2028-03-05T08:30", "2027-03-06T08:30"),
        (
            {"days": "2026-03-14 2026-03-14", "with": "2026-03-07 2026-03-07"},
            "2026-03-14T08:30",
            "2026-03-07T08:30",
        ),
        (
            {"days": "2026-03-09 2026-03-15", "with": "2026-03-02 2026-03-03"},
            "2026-03-09T08:30",
            "2026-03-04",
        ),
        # Periods that are over, or have not begun.
        ({"days": "2026-03-13 2026-03-13"}, "2026-03-14T00:00", "2026-03-13"),
        ({"days": "2026-03-15 2026-03-15"}, "2026-03-14T08:30", "2026-03-15"),
        ({"days": "2026-03-14 2026-03-14"}, "2026-03-14T00:00", "2026-03-14"),
    ],
)
def test_a_period_that_is_not_over_is_compared_up_to_the_same_time(asked, now, end):
    window = window_of(asked["days"], asked.get("with"), "UTC")

    compared = window.to_same_time(instant(now))

    assert compared.before == Period(window.before.start, instant(end))
    assert compared.period == window.period


@pytest.mark.parametrize(
    ("zone", "day", "now", "end"),
    [
        # Clocks go from 2:00 to 3:00 on 29 March, from 3:00 to 2:00 on 25 October.
        ("Europe/Berlin", "2026-03-29", "2026-03-29T06:00", "2026-03-28T07:00"),
        ("Europe/Berlin", "2026-03-30", "2026-03-30T00:30", "2026-03-29T01:00"),
        ("Europe/Berlin", "2026-03-30", "2026-03-30T01:30", "2026-03-29T01:30"),
        ("Europe/Berlin", "2026-10-25", "2026-10-25T00:30", "2026-10-24T00:30"),
        ("Europe/Berlin", "2026-10-25", "2026-10-25T01:30", "2026-10-24T00:30"),
        ("Europe/Berlin", "2026-10-26", "2026-10-26T01:30", "2026-10-25T00:30"),
        ("Europe/Berlin", "2026-10-26", "2026-10-26T02:00", "2026-10-25T02:00"),
        # Midnight is skipped on the day before: at half past it nothing of that day has come.
        ("America/Sao_Paulo", "2018-11-05", "2018-11-05T02:30", "2018-11-04T03:00"),
    ],
)
def test_the_same_time_is_that_of_the_clocks_across_their_changes(zone, day, now, end):
    window = window_of(f"{day} {day}", None, zone)

    assert window.to_same_time(instant(now)).before == Period(window.before.start, instant(end))


@given(
    days=st.tuples(DAYS, DAYS).map(sorted),
    compared=st.tuples(DAYS, DAYS).map(sorted),
    name=st.sampled_from(ZONES),
    place=st.floats(-0.1, 1.1),
)
def test_no_more_is_compared_as_time_goes_on_than_the_whole(days, compared, name, place):
    window = compared_with_days(local_days(*days, parse_zone(name)), *compared)
    length = window.period.length
    now, later = (window.period.start + length * part for part in (place, place + 0.001))

    earlier, after = (window.to_same_time(at).before for at in (now, later))

    assert window.before.start == earlier.start <= earlier.end <= window.before.end
    if window.period.start < now < later < window.period.end:
        # Clocks that repeat an hour show the same time again.
        assert earlier.end <= after.end + timedelta(hours=1)


def test_a_period_has_elapsed_up_to_now():
    window = window_of("2026-03-14 2026-03-14", None, "UTC")

    found = [window.elapsed(instant(now)) for now in ("2026-03-14T08:30", "2026-03-16", "2026-03-14")]

    assert found == [period("2026-03-14", "2026-03-14T08:30"), window.period, window.period]


def window_of(days, compared, zone):
    """Return the period of two days, compared with the period before, the year before, or two days."""
    window = local_days(*map(date.fromisoformat, days.split()), parse_zone(zone))
    if compared is None:
        return window
    if compared == "year":
        return compared_with_year_before(window)
    return compared_with_days(window, *map(date.fromisoformat, compared.split()))


@pytest.mark.parametrize(
    ("day", "start", "end", "before"),
    [
        ("2026-03-31", "2026-03-01", "2026-04-01", "2026-02-01"),
        ("2024-02-29", "2024-02-01", "2024-03-01", "2024-01-01"),
        ("2026-01-01", "2026-01-01", "2026-02-01", "2025-12-01"),
        ("2026-12-31", "2026-12-01", "2027-01-01", "2026-11-01"),
    ],
)
def test_a_month_is_whole_and_compared_with_the_month_before(day, start, end, before):
    window = calendar_month(date.fromisoformat(day), parse_zone("UTC"))

    assert (window.period, window.before) == (period(start, end), period(before, start))


def test_a_year_is_whole_and_compared_with_the_year_before():
    window = calendar_year(date(2024, 7, 1), parse_zone("Europe/Berlin"))

    assert window.period == period("2023-12-31T23:00", "2024-12-31T23:00")
    assert window.before == period("2022-12-31T23:00", "2023-12-31T23:00")


def test_a_month_that_is_not_over_is_compared_up_to_the_same_day_at_the_same_time():
    window = calendar_month(date(2026, 3, 1), parse_zone("UTC"))

    assert window.to_same_time(instant("2026-03-14T09:00")).before.end == instant("2026-02-14T09:00")
    assert window.to_same_time(instant("2026-03-31T09:00")).before.end == instant("2026-03-01")


@pytest.mark.parametrize(
    ("first", "last", "before", "year"),
    [
        # Saturday to Sunday; one day; exactly a week; eight days, which would overlap one week before.
        ("2026-03-14", "2026-03-15", "2026-03-07", "2025-03-15"),
        ("2026-03-14", "2026-03-14", "2026-03-07", "2025-03-15"),
        ("2026-03-08", "2026-03-14", "2026-03-01", "2025-03-09"),
        ("2026-03-07", "2026-03-14", "2026-02-21", "2025-03-08"),
        ("2024-02-29", "2024-03-01", "2024-02-22", "2023-03-02"),
    ],
)
def test_days_are_compared_with_as_many_of_the_same_weekdays(first, last, before, year):
    first, last = date.fromisoformat(first), date.fromisoformat(last)
    window = local_days(first, last, parse_zone("UTC"))

    compared = [compared_with_weekdays_before(window), compared_with_weekdays_of_year_before(window)]

    starts = [one.before.start.date() for one in compared]
    assert starts == [date.fromisoformat(before), date.fromisoformat(year)]
    assert {start.weekday() for start in starts} == {first.weekday()}
    assert {one.before.length for one in compared} == {window.period.length}
    assert all(one.before.end <= window.period.start and one.alike for one in compared)


@given(
    first=st.dates(date(1970, 1, 1), date(2199, 12, 31)),
    days=st.integers(1, 800),
    zone=st.sampled_from(ZONES),
)
def test_days_before_with_the_same_weekdays_are_the_latest_ones(first, days, zone):
    last = first + timedelta(days=days - 1)
    window = local_days(first, last, parse_zone(zone))

    start = compared_with_weekdays_before(window).before.start
    shown = start.astimezone(parse_zone(zone)).date()

    assert shown.weekday() == first.weekday()
    assert days <= (first - shown).days < days + 7


@pytest.mark.parametrize("kind", ["year", "previous_weekday", "year_weekday"])
def test_minutes_are_not_compared_with_days(kind):
    minutes = {"past_minutes_start": "30", "past_minutes_end": "0", "compare_with": kind}

    with pytest.raises(Invalid) as refusal:
        parse_comparison(minutes, parse_report_period(minutes, now=NOW))

    assert list(refusal.value.field_errors) == ["compare_with"]
