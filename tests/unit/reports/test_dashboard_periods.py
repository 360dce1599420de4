"""The periods of a dashboard by their names, and the ones before and after."""

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from footfall.adapters.web.reports.intervals import size_for, sizes_for
from footfall.adapters.web.reports.periods import CALENDAR, DAYS, neighbour, period_label, period_named
from footfall.domain.periods.buckets import MAX_BUCKETS, BucketSize, split_into_buckets
from footfall.domain.periods.period import Period
from footfall.domain.periods.report_period import local_days
from footfall.domain.periods.timezone import parse_zone
from tests.zones import ZONES

# In Auckland it is 1 January already.
NOW = datetime(2025, 12, 31, 12, 0, tzinfo=UTC)
UTC_ZONE, AUCKLAND = parse_zone("UTC"), parse_zone("Pacific/Auckland")
SINCE = datetime(2019, 6, 30, 23, 0, tzinfo=UTC)


def days_of(name, zone=UTC_ZONE, since=SINCE):
    return tuple(str(day) for day in period_named(name, zone, NOW, since).days)


@pytest.mark.parametrize(
    ("name", "first", "last"),
    [
        ("today", "2025-12-31", "2025-12-31"),
        ("yesterday", "2025-12-30", "2025-12-30"),
        ("7d", "2025-12-25", "2025-12-31"),
        ("month", "2025-12-01", "2025-12-31"),
        ("last_month", "2025-11-01", "2025-11-30"),
        ("year", "2025-01-01", "2025-12-31"),
        ("all", "2019-06-30", "2025-12-31"),
        ("2024-02", "2024-02-01", "2024-02-29"),
        ("2024", "2024-01-01", "2024-12-31"),
    ],
)
def test_names_mean_days(name, first, last):
    assert days_of(name) == (first, last)


def test_months_and_all_time_are_those_of_the_zone():
    assert days_of("month", AUCKLAND) == ("2026-01-01", "2026-01-31")
    assert days_of("last_month", AUCKLAND) == ("2025-12-01", "2025-12-31")
    assert days_of("all", AUCKLAND) == ("2019-07-01", "2026-01-01")


@pytest.mark.parametrize("since", [None, NOW + timedelta(days=3)])
def test_all_time_without_data_is_today(since):
    assert days_of("all", since=since) == ("2025-12-31", "2025-12-31")


@pytest.mark.parametrize(
    "name", ["", "2026-13", "2026-00", "1969", "1969-12", "2201", "2026-1", "२०२६", "8d", "custom"]
)
def test_other_texts_are_no_names(name):
    assert period_named(name, UTC_ZONE, NOW, SINCE) is None


def stepped(name, steps, window=None):
    return neighbour(name, window or period_named(name, UTC_ZONE, NOW, SINCE), NOW, steps)


@pytest.mark.parametrize(
    ("name", "steps", "there"),
    [
        ("month", -1, "last_month"),
        ("last_month", -1, "2025-10"),
        ("last_month", 1, "month"),
        ("2025-10", 1, "last_month"),
        ("2025-01", -1, "2024-12"),
        ("year", -1, "2024"),
        ("2024", 1, "year"),
        ("1970-01", -1, None),
        ("1970", -1, None),
        ("month", 1, None),
        ("year", 1, None),
        ("all", -1, None),
        ("all", 1, None),
        ("today", 1, None),
        ("30d", 1, None),
    ],
)
def test_a_month_leads_to_months_and_a_year_to_years(name, steps, there):
    found = stepped(name, steps)

    assert (found and found["period"]) == there
    assert found is None or (found["start_date"], found["end_date"]) == (None, None)


def test_days_lead_to_as_many_days():
    assert stepped("7d", -1) == {"period": None, "start_date": "2025-12-18", "end_date": "2025-12-24"}
    assert stepped("yesterday", 1)["start_date"] == "2025-12-31"
    chosen = local_days(date(2025, 3, 1), date(2025, 3, 3), UTC_ZONE)
    assert stepped("custom", 1, chosen)["end_date"] == "2025-03-06"
    first = local_days(date(1970, 1, 1), date(1970, 1, 3), UTC_ZONE)
    assert stepped("custom", -1, first) is None


@pytest.mark.parametrize(
    ("name", "label"),
    [("month", "This month"), ("2025-10", "October 2025"), ("2024", "2024"), ("custom", None), ("7d", None)],
)
def test_months_and_years_have_labels(name, label):
    assert period_label(name, NOW, UTC_ZONE) == label


@given(
    name=st.sampled_from([*DAYS, *(key for key in CALENDAR if key != "all"), "2024-02", "1999"]),
    hours=st.integers(0, 1_000_000),
    zone=st.sampled_from(ZONES),
)
def test_the_period_before_ends_where_this_one_begins_and_leads_back(name, hours, zone):
    zone, now = parse_zone(zone), NOW + timedelta(hours=hours)
    window = period_named(name, zone, now, None)

    before = neighbour(name, window, now, -1)

    days = [date.fromisoformat(before[key]) for key in ("start_date", "end_date") if before[key]]
    earlier = local_days(*days, zone) if days else period_named(before["period"], zone, now, None)
    assert earlier.period.end == window.period.start
    back = neighbour(before["period"] or "custom", earlier, now, 1)
    assert back is not None
    again = period_named(back["period"], zone, now, None) if back["period"] else None
    assert back["start_date"] == str(window.days[0]) or again.period == window.period


@given(
    start=st.dates(date(1970, 1, 1), date(2100, 1, 1)),
    days=st.integers(1, 36_000),
    zone=st.sampled_from(ZONES),
    chosen=st.sampled_from([None, *BucketSize]),
)
@example(start=date(2000, 1, 1), days=13_996, zone="UTC", chosen=BucketSize.WEEK)
def test_the_chart_has_an_interval_of_not_too_many_buckets_for_every_period(start, days, zone, chosen):
    period = local_days(start, start + timedelta(days=days - 1), parse_zone(zone)).period

    size = size_for(period, chosen)

    assert size in sizes_for(period)
    assert size is chosen or chosen not in sizes_for(period) or chosen is None
    assert len(split_into_buckets(period, size, parse_zone(zone))) <= MAX_BUCKETS


def test_short_periods_are_not_divided_into_weeks():
    day = Period(NOW, NOW + timedelta(hours=25))

    assert sizes_for(day) == (BucketSize.HOUR,)
    assert sizes_for(Period(NOW, NOW + timedelta(days=7))) == (BucketSize.HOUR, BucketSize.DAY)
    assert BucketSize.HOUR not in sizes_for(Period(NOW, NOW + timedelta(days=30)))
