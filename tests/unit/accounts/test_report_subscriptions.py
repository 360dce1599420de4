"""Subscribing to reports by mail."""

from datetime import timedelta

import pytest

from footfall.domain.accounts import user
from footfall.domain.accounts.report_subscriptions import MAX_SUBSCRIPTIONS, subscribe, unsubscribe
from footfall.domain.accounts.user import ReportSubscribed, ReportUnsubscribed, UserForgotten
from footfall.domain.event_stream import fold
from footfall.domain.examples import NOON
from footfall.domain.exceptions import Invalid, UserNotFound
from footfall.domain.periods.report_schedule import Interval

WEEKLY = ReportSubscribed(site_id=7, interval=Interval.WEEKLY, time_zone=None, since=NOON)


def subscribed(*events):
    return fold(user.apply, events)


def ask(state, site_id=7, interval=Interval.WEEKLY, time_zone=None, now=NOON):
    return subscribe(state, site_id=site_id, interval=interval, time_zone=time_zone, now=now)


def test_a_user_subscribes_to_a_site_in_its_time_zone():
    assert ask(None) == [WEEKLY]


def test_subscribing_twice_changes_nothing_and_another_time_zone_does():
    state = subscribed(WEEKLY)

    assert ask(state, now=NOON + timedelta(days=1)) == []
    assert ask(state, time_zone="Europe/Berlin")[0].time_zone == "Europe/Berlin"


def test_the_intervals_of_a_site_and_all_sites_are_subscriptions_of_their_own():
    state = subscribed(WEEKLY, *ask(None, interval=Interval.MONTHLY), *ask(None, None, time_zone="UTC"))

    assert len(state.reports) == 3


@pytest.mark.parametrize(
    ("site_id", "time_zone"), [(None, None), (None, "Mars/Olympus"), (7, "../etc/passwd"), (7, "")]
)
def test_a_time_zone_that_is_missing_or_unknown_is_refused(site_id, time_zone):
    with pytest.raises(Invalid) as refusal:
        ask(None, site_id, time_zone=time_zone)

    assert set(refusal.value.field_errors) == {"time_zone"}


def test_a_user_has_fifty_subscriptions_at_most():
    state = subscribed(*(ask(None, number)[0] for number in range(MAX_SUBSCRIPTIONS)))

    with pytest.raises(Invalid):
        ask(state, MAX_SUBSCRIPTIONS)
    assert ask(state, 0, time_zone="UTC")


def test_a_subscription_ends_once():
    ended = ReportUnsubscribed(site_id=7, interval=Interval.WEEKLY)

    assert unsubscribe(subscribed(WEEKLY), site_id=7, interval=Interval.WEEKLY) == [ended]
    assert unsubscribe(subscribed(WEEKLY, ended), site_id=7, interval=Interval.WEEKLY) == []
    assert unsubscribe(None, site_id=7, interval=Interval.WEEKLY) == []


def test_a_forgotten_user_has_no_subscriptions():
    state = subscribed(WEEKLY, UserForgotten())

    assert state.reports == {}
    with pytest.raises(UserNotFound):
        ask(state)
