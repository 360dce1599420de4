"""Days, weeks and months that are over."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.domain.periods.report_schedule import Interval, last_finished

BERLIN = ZoneInfo("Europe/Berlin")


def at(text, zone="UTC"):
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)


@pytest.mark.parametrize(
    ("now", "first", "last"),
    [
        ("2026-11-23T07:00", date(2026, 11, 16), date(2026, 11, 22)),
        ("2026-11-23T06:59", date(2026, 11, 9), date(2026, 11, 15)),
        ("2026-11-29T23:59", date(2026, 11, 16), date(2026, 11, 22)),
        ("2026-01-01T12:00", date(2025, 12, 22), date(2025, 12, 28)),
    ],
)
def test_a_week_is_reported_on_the_monday_after_it_at_seven(now, first, last):
    found = last_finished(Interval.WEEKLY, at(now, "Europe/Berlin"), BERLIN)

    assert (found.first, found.last) == (first, last)
    assert found.due_at == at(f"{last + timedelta(days=1)}T07:00", "Europe/Berlin")


@pytest.mark.parametrize(
    ("now", "day"),
    [
        ("2026-11-23T07:00", date(2026, 11, 22)),
        ("2026-11-23T06:59", date(2026, 11, 21)),
        ("2026-11-23T23:59", date(2026, 11, 22)),
        ("2027-01-01T07:00", date(2026, 12, 31)),
        # The clocks went back in the night before: the day before that one had 24 hours, this one 25.
        ("2026-10-26T07:00", date(2026, 10, 25)),
    ],
)
def test_a_day_is_reported_on_the_next_one_at_seven_and_compared_with_the_day_before(now, day):
    found = last_finished(Interval.DAILY, at(now, "Europe/Berlin"), BERLIN)

    assert (found.first, found.last) == (day, day)
    assert found.due_at == at(f"{day + timedelta(days=1)}T07:00", "Europe/Berlin")
    assert found.period.start == at(f"{day}T00:00", "Europe/Berlin")
    assert found.before.start == at(f"{day - timedelta(days=1)}T00:00", "Europe/Berlin")


@pytest.mark.parametrize(
    ("now", "first", "last"),
    [
        ("2026-03-01T07:00", date(2026, 2, 1), date(2026, 2, 28)),
        ("2026-03-01T06:59", date(2026, 1, 1), date(2026, 1, 31)),
        ("2026-12-31T12:00", date(2026, 11, 1), date(2026, 11, 30)),
    ],
)
def test_a_month_is_reported_on_the_first_of_the_next_one_at_seven(now, first, last):
    found = last_finished(Interval.MONTHLY, at(now), ZoneInfo("UTC"))

    assert (found.first, found.last) == (first, last)


def test_a_month_is_compared_with_the_whole_month_before():
    found = last_finished(Interval.MONTHLY, at("2026-03-01T07:00"), ZoneInfo("UTC"))

    assert (found.before.start, found.before.end) == (at("2026-01-01"), at("2026-02-01"))


@given(
    st.sampled_from(Interval),
    st.integers(0, 6_900_000_000),
    st.sampled_from(
        ["UTC", "Europe/Berlin", "America/Sao_Paulo", "Asia/Kolkata", "Pacific/Apia", "Asia/Gaza"]
    ),
)
def test_the_period_is_over_and_the_next_one_is_not_due(interval, seconds, zone):
    now = datetime.fromtimestamp(seconds, UTC)
    found = last_finished(interval, now, ZoneInfo(zone))

    assert found.before.end == found.period.start < found.period.end <= found.due_at <= now
    after = last_finished(interval, found.due_at + timedelta(days=32), ZoneInfo(zone))
    assert after.due_at > now or after.due_at == found.due_at
