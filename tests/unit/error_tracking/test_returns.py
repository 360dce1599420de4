"""The occurrences by which a resolved error has returned: by release, and by the ten minutes after it was resolved."""

from datetime import timedelta

import pytest

from footfall.domain.error_tracking.decisions import GroupDecision
from footfall.domain.error_tracking.regressions import returns
from footfall.domain.error_tracking.resolution_grace import GRACE
from tests.histories import START, after, error

INSTANT = timedelta(microseconds=1)
RESOLVED = GroupDecision(resolved_at=START)
NEXT = GroupDecision(resolved_at=START, next_release=True)
BEFORE = [error("m", after(days=-1), release="1"), error("m", release="2"), error("m", after(days=-2))]


@pytest.mark.parametrize(
    ("decision", "release", "at", "returned"),
    [
        (RESOLVED, "3", START, False),
        (RESOLVED, "3", START + INSTANT, True),
        (RESOLVED, "2", START + GRACE, False),
        (RESOLVED, "2", START + GRACE + INSTANT, True),
        (RESOLVED, None, START + GRACE, False),
        (RESOLVED, None, START + GRACE + INSTANT, True),
        (NEXT, "3", START + INSTANT, True),
        (NEXT, "1", after(days=99), False),
        (NEXT, None, START + GRACE, False),
        (NEXT, None, START + GRACE + INSTANT, True),
        (GroupDecision(), "3", after(days=1), False),
    ],
)
def test_an_error_returns_at_once_in_a_new_release_and_otherwise_after_the_grace(
    decision, release, at, returned
):
    later = error("m", at, release=release)

    found = returns([*BEFORE, later], decision)

    assert found == [later] * returned


def test_an_occurrence_of_before_that_arrives_late_makes_its_release_known():
    late, again = error("m", after(minutes=-1), release="3"), error("m", after(minutes=1), release="3")

    assert returns([*BEFORE, again], RESOLVED) == [again]
    assert returns([*BEFORE, again, late], RESOLVED) == []


def test_only_what_can_go_on_has_no_end_of_its_grace():
    assert [one.grace_ends for one in (RESOLVED, NEXT, GroupDecision())] == [START + GRACE, None, None]
