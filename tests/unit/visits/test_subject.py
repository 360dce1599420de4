"""Which hits are a person's, and what is left without them."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.domain.traffic.session import Mark, visits
from footfall.domain.visits.subject import SeveralUsers, Subject, own_visits, without
from tests import histories
from tests.histories import SITE, START, after, hit, record

ANNA = Subject(frozenset({"anna"}))
BROWSER = Subject(visitors=frozenset({1}))
SUBJECTS = st.builds(
    Subject,
    st.frozensets(st.sampled_from(["anna", "bob"])),
    st.frozensets(st.integers(1, 3)),
)


def positions(log, subject):
    return [one.position for visit in own_visits(log, subject) for one in visit.hits]


def test_a_hit_without_a_user_goes_with_its_visit():
    log = record(hit(), hit(after(minutes=1), user_id="anna"), hit(after(hours=2)))

    assert positions(log, ANNA) == [1, 2]


def test_where_another_user_occurs_only_named_hits_are_a_persons():
    log = record(hit(), hit(after(minutes=1), user_id="anna"), hit(after(minutes=2), user_id="bob"))

    assert positions(log, ANNA) == [2]
    assert [visit.is_shared for visit in own_visits(log, ANNA)] == [True]


def test_a_browser_has_its_hits_without_a_user_but_for_visits_of_users():
    log = record(hit(), hit(after(hours=1)), hit(after(hours=1), user_id="anna"), hit(visitor_id=2))

    assert positions(log, BROWSER) == [1]


def test_a_visit_has_one_user_or_none():
    assert Subject.of_visit(1, ["anna", "anna"]) == Subject(frozenset({"anna"}), frozenset({1}))
    assert Subject.of_visit(1, []) == BROWSER
    with pytest.raises(SeveralUsers):
        Subject.of_visit(1, ["anna", "bob"])


def test_a_mark_goes_with_the_last_hit_of_its_run():
    midnight = datetime(2026, 3, 29, tzinfo=UTC)
    mark = Mark(SITE, 1, midnight, START, midnight - timedelta(minutes=1))
    log = record(hit(midnight, user_id="anna"), hit(midnight + timedelta(minutes=20), user_id="bob"))

    assert without(log, Subject(frozenset({"anna"})), [mark]).marks == [mark]
    assert without(log, Subject(frozenset({"anna", "bob"})), [mark]).marks == []


@given(log=histories.histories() | histories.dense_histories(), subject=SUBJECTS)
def test_no_named_hit_of_a_person_is_left_and_none_of_another_goes(log, subject):
    left = without(log, subject).hits

    gone = [one for one in log if one not in left]
    assert all(one.hit.user_id not in subject.users for one in left)
    assert all(one.hit.user_id is None or one.hit.user_id in subject.users for one in gone)
    touched = {one.hit.visitor_id for one in gone}
    assert [visit for visit in visits(left) if visit.session.visitor_id not in touched] == [
        visit for visit in visits(log) if visit.session.visitor_id not in touched
    ]
