"""How far visitors are recognized: spans of time, and the two settings that say it."""

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.domain.exceptions import Invalid
from footfall.domain.sites import site
from footfall.domain.sites.configuration import ConfigChanges, SiteConfig
from footfall.domain.sites.visitor_reach import ReachHistory, VisitorReach, span_of
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


def changed_to(*settings):
    """Return the history of settings since their moments."""
    [first, *later] = [(instant(at), reach) for at, reach in settings]
    history = ReachHistory((first,))
    for at, reach in later:
        history = history.then(at, reach)
    return history


MONTHLY = changed_to(("2026-01-05", VisitorReach.MONTH))
CHANGED = changed_to(
    ("2026-01-05", VisitorReach.FOREVER),
    ("2026-03-10T12", VisitorReach.YEAR),
    ("2026-04-01", VisitorReach.FOREVER),
)


@pytest.mark.parametrize(
    ("history", "start", "end", "expected"),
    [
        (MONTHLY, "2026-03-01", "2026-04-01", None),
        (MONTHLY, "2026-03-31T23:59", "2026-04-01T00:01", "2026-04-01"),
        (MONTHLY, "2026-03-31", "2026-06-01", "2026-04-01"),
        (CHANGED, "2026-02-01", "2026-03-10T12", None),
        (CHANGED, "2026-02-01", "2026-03-10T13", "2026-03-10T12"),
        (CHANGED, "2026-03-10T12", "2026-04-01", None),
        (CHANGED, "2026-03-10T13", "2026-04-02", "2026-04-01"),
        (CHANGED, "2026-04-01", "2099-01-01", None),
        # Imported hits of days before the registration have ids by the setting of the import.
        (CHANGED, "2025-12-01", "2026-01-20", "2026-01-01"),
        (CHANGED, "2026-01-01", "2026-02-20", None),
        (MONTHLY, "2026-01-01", "2026-01-20", None),
    ],
)
def test_a_history_names_the_first_moment_from_which_visitors_have_other_ids(history, start, end, expected):
    found = history.new_ids_within(instant(start), instant(end))

    assert found == (None if expected is None else instant(expected))


def test_a_history_has_changes_of_the_setting_only_in_the_order_of_their_times():
    first = instant("2026-01-05")
    history = ReachHistory(((first, VisitorReach.MONTH),))

    assert history.then(instant("2026-02-01"), VisitorReach.MONTH) is history
    assert history.then(instant("2026-01-01"), VisitorReach.DAY).changes[-1] == (first, VisitorReach.DAY)


@given(
    st.lists(st.tuples(INSTANTS, st.sampled_from(VisitorReach)), min_size=1, max_size=4),
    INSTANTS,
    st.integers(1, 40),
)
def test_ids_are_the_same_up_to_the_moment_that_a_history_names(settings, start, days):
    [first, *later] = sorted(settings)
    history, end = ReachHistory((first,)), start + timedelta(days=days)
    for at, reach in later:
        history = history.then(at, reach)

    moment = history.new_ids_within(start, end)

    assert moment is None or start < moment < end
    assert history.new_ids_within(start, end if moment is None else moment) is None
