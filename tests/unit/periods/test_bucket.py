"""A period cut into the minutes, hours, days, … that clocks in a zone show."""

from datetime import UTC, date, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from footfall.domain.exceptions import Invalid
from footfall.domain.periods.buckets import BucketSize, bucket_finder, parse_bucket_size, split_into_buckets
from footfall.domain.periods.period import Period
from footfall.domain.periods.timezone import parse_zone, to_wall_time
from tests.zones import ZONES

CLOCK_MINUTES = {"minute": 1, "five_minutes": 5, "ten_minutes": 10, "fifteen_minutes": 15, "hour": 60}


def hours_of(day, zone_name):
    zone = parse_zone(zone_name)
    day = date.fromisoformat(day)
    buckets = split_into_buckets(Period.local_days(day, day, zone), BucketSize.HOUR, zone)
    return [f"{bucket.time.astimezone(zone):%H:%M%z}" for bucket in buckets]


@pytest.mark.parametrize(
    ("zone", "day", "count", "beginning"),
    [
        ("Europe/Berlin", "2026-10-25", 25, "00:00+0200 01:00+0200 02:00+0200 02:00+0100 03:00+0100"),
        ("Europe/Berlin", "2026-03-29", 23, "00:00+0100 01:00+0100 03:00+0200"),
        ("America/New_York", "2026-11-01", 25, "00:00-0400 01:00-0400 01:00-0500 02:00-0500"),
        ("America/New_York", "2026-03-08", 23, "00:00-0500 01:00-0500 03:00-0400"),
        ("Australia/Lord_Howe", "2026-04-05", 25, "00:00+1100 01:00+1100 01:30+1030 02:00+1030"),
        ("Australia/Lord_Howe", "2026-10-04", 24, "00:00+1030 01:00+1030 02:30+1100 03:00+1100"),
        ("Asia/Kathmandu", "2026-03-29", 24, "00:00+0545 01:00+0545"),
        ("Asia/Kathmandu", "1986-01-01", 24, "00:15+0545 01:00+0545"),
        ("Africa/Casablanca", "2026-02-15", 25, "00:00+0100 01:00+0100 02:00+0100 02:00+0000 03:00+0000"),
        ("America/Sao_Paulo", "2018-11-04", 23, "01:00-0200 02:00-0200"),
        ("America/Sao_Paulo", "2018-02-17", 25, "00:00-0200 01:00-0200"),
        ("Asia/Beirut", "2026-03-29", 23, "01:00+0300 02:00+0300"),
        ("Africa/Cairo", "2026-04-24", 23, "01:00+0300 02:00+0300"),
        ("Pacific/Apia", "2011-12-30", 0, ""),
        # The clock is set back into the day before, a minute after midnight.
        ("America/St_Johns", "2009-11-01", 26, "00:00-0230 23:01-0330 00:00-0330 01:00-0330"),
    ],
)
def test_a_repeated_hour_is_two_buckets_and_a_skipped_one_is_none(zone, day, count, beginning):
    hours = hours_of(day, zone)

    assert len(hours) == count
    assert " ".join(hours).startswith(beginning)


def test_weeks_begin_on_monday_and_the_first_one_may_begin_before_the_period():
    berlin = parse_zone("Europe/Berlin")
    period = Period.local_days(date(2026, 3, 25), date(2026, 3, 31), berlin)

    first, second = split_into_buckets(period, BucketSize.WEEK, berlin)

    assert first.time == datetime(2026, 3, 22, 23, tzinfo=UTC)
    assert first.period == Period(period.start, second.time)
    assert second.time == datetime(2026, 3, 29, 22, tzinfo=UTC)
    assert second.period.end == period.end


@pytest.mark.parametrize(
    ("size", "starts"),
    [
        (BucketSize.MONTH, ["2025-11-01", "2025-12-01", "2026-01-01", "2026-02-01"]),
        (BucketSize.YEAR, ["2025-01-01", "2026-01-01"]),
    ],
)
def test_months_and_years_follow_the_calendar(size, starts):
    utc = parse_zone("UTC")
    period = Period.local_days(date(2025, 11, 30), date(2026, 2, 1), utc)

    buckets = split_into_buckets(period, size, utc)

    assert [f"{bucket.time:%Y-%m-%d}" for bucket in buckets] == starts


def test_two_thousand_buckets_are_cut_and_one_more_is_refused():
    utc = parse_zone("UTC")
    start = datetime(2026, 1, 1, tzinfo=UTC)

    buckets = split_into_buckets(Period(start, start + timedelta(minutes=2000)), BucketSize.MINUTE, utc)

    assert len(buckets) == 2000
    with pytest.raises(Invalid, match="2,000") as refusal:
        split_into_buckets(
            Period(start, start + timedelta(minutes=2000, microseconds=1)), BucketSize.MINUTE, utc
        )
    assert list(refusal.value.field_errors) == ["bucket"]


def test_a_period_of_centuries_is_refused_as_quickly():
    utc = parse_zone("UTC")
    centuries = Period.local_days(date(1970, 1, 1), date(2200, 12, 31), utc)

    with pytest.raises(Invalid):
        split_into_buckets(centuries, BucketSize.MINUTE, utc)


def test_default_bucket_size_is_an_hour():
    assert parse_bucket_size(None) is BucketSize.HOUR


@pytest.mark.parametrize("text", ["", "Hour", "decade", "hour "])
def test_unknown_bucket_size_is_refused_with_the_accepted_ones(text):
    with pytest.raises(Invalid) as refusal:
        parse_bucket_size(text)

    accepted = (
        "must be one of minute, five_minutes, ten_minutes, fifteen_minutes, hour, day, week, month, year"
    )
    assert refusal.value.field_errors == {"bucket": [accepted]}


CLOCK_CHANGES = [
    ("Europe/Berlin", datetime.fromisoformat("2026-10-25T00:00")),
    ("Australia/Lord_Howe", datetime.fromisoformat("2026-04-04T14:00")),
    ("Australia/Lord_Howe", datetime.fromisoformat("2026-10-03T15:00")),
    ("Antarctica/Troll", datetime.fromisoformat("2026-03-29T00:00")),
    ("America/St_Johns", datetime.fromisoformat("2009-11-01T02:00")),
    ("Pacific/Apia", datetime.fromisoformat("2011-12-30T09:00")),
    ("Asia/Kathmandu", datetime.fromisoformat("1985-12-31T18:00")),
    ("America/Caracas", datetime.fromisoformat("2007-12-09T06:00")),
    ("America/Caracas", datetime.fromisoformat("2016-05-01T06:00")),
]
NEAR_CLOCK_CHANGES = st.builds(
    lambda change, minutes: (change[0], change[1] + timedelta(minutes=minutes)),
    st.sampled_from(CLOCK_CHANGES),
    st.integers(-180, 180),
)
ANYWHERE = st.tuples(
    st.sampled_from(ZONES),
    st.datetimes(datetime.fromisoformat("1973-01-01T00:00"), datetime.fromisoformat("2100-01-01T00:00")).map(
        lambda at: at.replace(second=0, microsecond=0)
    ),
)


def bucket_starts_minute_by_minute(period, minutes, zone):
    """The plainest way to say it: a new one whenever the clock's label changes, or the clock is set back."""
    starts, last = [], None
    for index in range(int(period.length / timedelta(minutes=1))):
        instant = period.start + timedelta(minutes=index)
        shown = to_wall_time(instant, zone)
        label = shown.replace(minute=shown.minute - shown.minute % minutes)
        if last is None or label != last[1] or shown <= last[0]:
            starts.append(instant)
        last = (shown, label)
    return starts


@given(
    place=NEAR_CLOCK_CHANGES | ANYWHERE, length=st.integers(1, 400), size=st.sampled_from(list(CLOCK_MINUTES))
)
@example(place=("Australia/Lord_Howe", datetime.fromisoformat("2026-04-04T14:59")), length=61, size="hour")
def test_clock_buckets_agree_with_a_minute_by_minute_walk(place, length, size):
    name, start = place
    zone = parse_zone(name)
    period = Period(start.replace(tzinfo=UTC), start.replace(tzinfo=UTC) + timedelta(minutes=length))

    buckets = split_into_buckets(period, BucketSize(size), zone)

    watched = bucket_starts_minute_by_minute(period, CLOCK_MINUTES[size], zone)
    assert [bucket.period.start for bucket in buckets] == watched
    assert all(bucket.time == bucket.period.start for bucket in buckets[1:])
    assert buckets[0].time <= period.start


@given(
    place=NEAR_CLOCK_CHANGES | ANYWHERE,
    length=st.timedeltas(timedelta(microseconds=1), timedelta(days=80)),
    size=st.sampled_from(BucketSize),
)
def test_buckets_cover_the_period_without_gap_or_overlap(place, length, size):
    zone = parse_zone(place[0])
    start = place[1].replace(tzinfo=UTC)
    period = Period(
        start, start + min(length, timedelta(hours=30)) if size in CLOCK_MINUTES else start + length
    )

    buckets = split_into_buckets(period, size, zone)

    assert buckets[0].period.start == period.start
    assert buckets[-1].period.end == period.end
    assert all(one.period.end == following.period.start for one, following in pairwise(buckets))
    assert all(bucket.time <= bucket.period.start < bucket.period.end for bucket in buckets)


@given(place=ANYWHERE, seconds=st.integers(0, 86_399))
def test_every_instant_is_found_in_its_bucket(place, seconds):
    zone = parse_zone(place[0])
    start = place[1].replace(tzinfo=UTC)
    buckets = split_into_buckets(Period(start, start + timedelta(days=1)), BucketSize.HOUR, zone)
    instant = start + timedelta(seconds=seconds)

    index = bucket_finder(buckets)(instant)

    assert instant in buckets[index].period
