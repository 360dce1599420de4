"""What an error costs, on hits: who is compared with whom, and from when on."""

from datetime import timedelta

import pytest

from footfall.domain.error_tracking.comparable_sessions import Tally, error_costs
from footfall.domain.error_tracking.decisions import ErrorDecisions
from footfall.domain.error_tracking.fingerprint import fingerprint
from footfall.domain.error_tracking.occurrence import ErrorDetails
from footfall.domain.goals.goal import PathRule
from footfall.domain.tracking.hit import DeviceType
from tests.histories import after, days, error, hit, record

GROUP = fingerprint("TypeError", ErrorDetails(message="x"))
DAY = days("2026-03-28", "2026-03-28")
RULE = PathRule("/thanks")


def session(visitor, *, meets=None, converts=None, entry="/", page="/cart", device=DeviceType.DESKTOP, at=0):
    """Return the hits of a session that sees two pages a minute apart, and the times in minutes of what follows."""
    known = {"visitor_id": visitor, "device_type": device}
    hits = [
        hit(after(minutes=at), pathname=entry, **known),
        hit(after(minutes=at + 1), pathname=page, **known),
    ]
    if meets is not None:
        hits.append(error("x", after(minutes=at + meets), pathname=page, **known))
    if converts is not None:
        hits.append(hit(after(minutes=at + converts), pathname="/thanks", **known))
    return hits


def cost(*sessions, deploys=()):
    log = record(*(one for hits in sessions for one in hits))
    [found] = error_costs(log, [GROUP], RULE, DAY, ErrorDecisions(), deploys=deploys)
    return found


def test_sessions_that_met_the_error_are_compared_with_those_that_saw_its_page_without_it():
    found = cost(
        session(1, meets=2),
        session(2, meets=2, converts=3),
        session(3, converts=3),
        session(4),
        session(5, converts=3),
        session(6, page="/blog", converts=3),
    )

    assert found.met == Tally(2, 1)
    assert found.met_rate == 0.5
    loss = found.loss
    assert (loss.compared, loss.compared_converted, loss.others, loss.others_converted) == (2, 1, 3, 2)
    assert loss.lost == pytest.approx(2 * (2 / 3 - 1 / 2))


@pytest.mark.parametrize(
    "other", [{"entry": "/blog"}, {"device": DeviceType.MOBILE}, {"page": "/blog"}, {"at": 24 * 60}]
)
def test_sessions_of_another_day_entry_page_device_or_page_are_not_comparable(other):
    assert cost(session(1, meets=2), session(2, converts=3, **other)).loss is None


def test_sessions_that_had_converted_before_they_saw_the_page_are_left_out():
    found = cost(
        session(1, meets=2, converts=0), session(2, meets=2), session(3, converts=0), session(4, converts=2)
    )

    assert (found.met, found.loss.compared, found.loss.others) == (Tally(2, 1), 1, 1)


def test_a_deploy_divides_the_sessions_before_and_after_it():
    deploy = after(minutes=30)
    found = cost(
        session(1, meets=2),
        session(2, converts=3),
        session(3, meets=2, at=60),
        session(4, at=60),
        deploys=[deploy],
    )

    assert [one.lost for one in found.stretches] == [pytest.approx(1), pytest.approx(0)]
    assert found.loss.lost == pytest.approx(1)


def test_an_error_without_comparable_sessions_comes_last():
    other = fingerprint("TypeError", ErrorDetails(message="y"))
    lone = [error("y", after(minutes=5), visitor_id=9, pathname="/z")]
    log = record(*session(1, meets=2), *session(2, converts=3), *lone)

    found = error_costs(log, [other, GROUP], RULE, DAY, ErrorDecisions())

    assert [(one.group, one.loss is None) for one in found] == [(GROUP, False), (other, True)]
    assert error_costs([], [GROUP], RULE, DAY, ErrorDecisions())[0].met == Tally()


def test_sessions_count_that_started_in_the_period():
    early = [error("x", after(hours=-21), visitor_id=1, pathname="/cart"), *session(1, at=-21 * 60 + 10)]

    assert cost(early).met == Tally(0, 0)
    assert cost(session(2, meets=2)).met == Tally(1, 0)
    assert timedelta(hours=20) < DAY.length
