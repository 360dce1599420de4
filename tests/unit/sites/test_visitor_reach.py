"""How far visitors are recognized: spans of time, and the two settings that say it."""

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.domain.exceptions import Invalid
from footfall.domain.sites import site
from footfall.domain.sites.configuration import ConfigChanges, SiteConfig
from footfall.domain.sites.visitor_reach import VisitorReach, span_of
from tests.unit.sites.test_site import shop

INSTANTS = st.integers(0, 250_000_000_000).map(lambda second: datetime.fromtimestamp(second, UTC))


def instant(text):
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


LIMITED = [reach for reach in VisitorReach if reach is not VisitorReach.FOREVER]


@pytest.mark.parametrize(
    ("reach", "at", "first", "ends_at"),
    [
        (VisitorReach.DAY, "2028-02-29T23:59:59", "2028-02-29", "2028-03-01"),
        (VisitorReach.WEEK, "2027-01-03T23:59", "2026-12-28", "2027-01-04"),
        (VisitorReach.MONTH, "2027-02-01", "2027-02-01", "2027-03-01"),
        (VisitorReach.MONTH, "2026-12-31", "2026-12-01", "2027-01-01"),
        (VisitorReach.YEAR, "2028-12-31T12", "2028-01-01", "2029-01-01"),
        (VisitorReach.YEAR, "2027-01-01", "2027-01-01", "2028-01-01"),
    ],
)
def test_a_span_is_one_of_the_calendar_in_utc(reach, at, first, ends_at):
    moment = instant(at)
    span = span_of(reach, moment)

    assert (span.first, span.ends_at) == (date.fromisoformat(first), instant(ends_at))
    assert span_of(reach, moment.astimezone(timezone(timedelta(hours=-11)))) == span


@given(st.sampled_from(LIMITED), INSTANTS)
def test_each_moment_is_in_one_span(reach, at):
    span = span_of(reach, at)
    begins = datetime(span.first.year, span.first.month, span.first.day, tzinfo=UTC)

    assert begins <= at < span.ends_at
    assert span_of(reach, begins) == span
    assert span_of(reach, span.ends_at) != span


def test_forever_has_no_span():
    assert span_of(VisitorReach.FOREVER, datetime(2026, 1, 1, tzinfo=UTC)) is None


@pytest.mark.parametrize(
    ("before", "changes", "after"),
    [
        (VisitorReach.FOREVER, {"salt_user_ids": True}, VisitorReach.DAY),
        (VisitorReach.MONTH, {"salt_user_ids": True}, VisitorReach.DAY),
        (VisitorReach.DAY, {"salt_user_ids": False}, VisitorReach.FOREVER),
        (VisitorReach.MONTH, {"salt_user_ids": False}, VisitorReach.MONTH),
        (VisitorReach.DAY, {"visitor_reach": "week"}, VisitorReach.WEEK),
        (VisitorReach.WEEK, {"visitor_reach": "day"}, VisitorReach.DAY),
        (VisitorReach.WEEK, {"visitor_reach": "day", "salt_user_ids": True}, VisitorReach.DAY),
        (VisitorReach.WEEK, {"public": True}, VisitorReach.WEEK),
        # Settings that were read, and are sent back with one of the two changed.
        (VisitorReach.FOREVER, {"visitor_reach": "forever", "salt_user_ids": True}, VisitorReach.DAY),
        (VisitorReach.MONTH, {"visitor_reach": "year", "salt_user_ids": False}, VisitorReach.YEAR),
        (VisitorReach.DAY, {"visitor_reach": "day", "salt_user_ids": False}, VisitorReach.FOREVER),
        # Both are changed.
        (VisitorReach.FOREVER, {"visitor_reach": "month", "salt_user_ids": True}, VisitorReach.MONTH),
    ],
)
def test_daily_rotation_is_a_reach_of_a_day(before, changes, after):
    begun = site.configure(shop(), ConfigChanges(visitor_reach=before))
    config = shop(*begun, *site.configure(shop(*begun), ConfigChanges(**changes))).config

    assert (config.visitor_reach, config.salt_user_ids) == (after, after is VisitorReach.DAY)


def test_an_event_of_former_versions_says_the_reach_too():
    config = SiteConfig().changed(ConfigChanges(salt_user_ids=True))

    assert config.visitor_reach is VisitorReach.DAY
    assert config.changed(ConfigChanges(salt_user_ids=False)).visitor_reach is VisitorReach.FOREVER


def test_an_unknown_reach_is_refused():
    with pytest.raises(Invalid) as caught:
        site.configure(shop(), ConfigChanges(visitor_reach="decade"))

    assert caught.value.field_errors == {"visitorReach": ["must be one of day, week, month, year, forever"]}
