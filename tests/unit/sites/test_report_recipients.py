"""Addresses outside: asked, agreed, ended."""

from datetime import timedelta

import pytest

from footfall.domain.event_stream import fold
from footfall.domain.examples import NOON
from footfall.domain.exceptions import RecipientLinkRefused, TooManyRecipients
from footfall.domain.periods.report_schedule import Interval
from footfall.domain.sites import report_recipients
from footfall.domain.sites.report_recipients import (
    LIFETIME,
    MAX_RECIPIENTS,
    EndReason,
    Recipients,
    ReportRecipientConfirmed,
    ReportRecipientEnded,
)


def ask(state=None, digest="d1", now=NOON):
    return report_recipients.add(
        state or Recipients(), interval=Interval.WEEKLY, digest=digest, by="1", now=now
    )


def after(*events):
    return fold(lambda state, event: report_recipients.apply(state or Recipients(), event), events)


def test_a_link_agrees_within_three_days_and_twice_is_once():
    asked = after(*ask())
    last = NOON + LIFETIME - timedelta(seconds=1)

    [confirmed] = report_recipients.confirm(asked, digest="d1", now=last)

    assert confirmed == ReportRecipientConfirmed(number=1, since=last)
    assert report_recipients.confirm(after(*ask(), confirmed), digest="d1", now=last) == []


@pytest.mark.parametrize("late", [timedelta(0), timedelta(days=400)])
def test_a_link_that_is_too_old_is_refused_and_one_that_agreed_is_not(late):
    now = NOON + LIFETIME + late
    agreed = after(*ask(), ReportRecipientConfirmed(number=1, since=NOON))

    with pytest.raises(RecipientLinkRefused):
        report_recipients.confirm(after(*ask()), digest="d1", now=now)
    assert report_recipients.confirm(agreed, digest="d1", now=now) == []


@pytest.mark.parametrize("reason", EndReason)
def test_an_address_that_ended_agrees_no_more_and_ends_once(reason):
    [ended] = report_recipients.end(after(*ask()), 1, reason)
    state = after(*ask(), ended)

    assert ended == ReportRecipientEnded(number=1, reason=reason)
    assert report_recipients.end(state, 1, reason) == []
    with pytest.raises(RecipientLinkRefused):
        report_recipients.confirm(state, digest="d1", now=NOON)


def test_another_digest_agrees_to_nothing():
    with pytest.raises(RecipientLinkRefused):
        report_recipients.confirm(after(*ask()), digest="d2", now=NOON)


def test_a_number_is_never_given_again():
    [ended] = report_recipients.end(after(*ask()), 1, EndReason.REMOVED)

    assert ask(after(*ask(), ended))[0].number == 2


def test_only_those_expire_that_did_not_agree_in_time():
    first, second = ask(), ask(after(*ask()), digest="d2", now=NOON + timedelta(hours=1))
    third = ask(after(*first, *second), digest="d3")
    state = after(*first, *second, *third, ReportRecipientConfirmed(number=3, since=NOON))

    expired = report_recipients.expire(state, NOON + LIFETIME)

    assert expired == [ReportRecipientEnded(number=1, reason=EndReason.EXPIRED)]


def test_a_site_has_fifty_addresses():
    state = Recipients()
    for _ in range(MAX_RECIPIENTS):
        state = report_recipients.apply(state, *ask(state))

    with pytest.raises(TooManyRecipients):
        ask(state)


def test_events_about_an_unknown_address_change_nothing():
    history = [
        ReportRecipientConfirmed(number=7, since=NOON),
        ReportRecipientEnded(number=7, reason=EndReason.REMOVED),
    ]

    assert after(*history) == Recipients()


def test_no_digest_is_in_a_representation():
    assert "d1" not in repr(after(*ask()))
