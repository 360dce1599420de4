"""Decisions about groups of errors: what is refused, and that everything can be taken back."""

from datetime import UTC, datetime, timedelta

import pytest

from footfall.domain.error_tracking import decisions
from footfall.domain.error_tracking.decisions import ErrorDecisions, Mute
from footfall.domain.event_stream import fold
from footfall.domain.exceptions import CommentNotFound, Invalid

NOW = datetime(2026, 3, 14, 12, tzinfo=UTC)
A, B, C = (f"1-{letter * 16}" for letter in "abc")


def after(*events, state=None):
    return fold(decisions.apply, events, state)


def comment(state, group, text="x", number="1"):
    events = decisions.comment(state, group, text, comment_id=number, user_id="2", now=NOW)
    return after(*events, state=state)


def test_a_group_is_merged_with_all_its_parts():
    state = after(*decisions.merge(None, A, [B]))

    state = after(*decisions.merge(state, C, [B]), state=state)

    assert [state.group_of(one) for one in (A, B, C)] == [C, C, C]
    assert state.members(C) == [C, A, B]
    assert decisions.merge(state, C, [A, B]) == []


def test_a_separated_group_has_the_decisions_from_before():
    state = after(*decisions.resolve(None, B, NOW))
    state = comment(state, B)
    state = after(*decisions.merge(state, A, [B]), state=state)
    merged = state.of(A)

    state = after(*decisions.separate(state, A, [B]), state=state)

    assert (merged.resolved_at, len(merged.comments)) == (None, 1)
    assert (state.of(A).comments, state.of(B).resolved_at) == ((), NOW)


def test_what_is_not_merged_cannot_be_separated():
    with pytest.raises(Invalid) as refused:
        decisions.separate(None, A, [B])

    assert list(refused.value.field_errors) == ["groups"]


def test_a_decision_about_a_merged_group_is_one_about_the_whole():
    state = after(*decisions.merge(None, A, [B]))

    state = after(*decisions.resolve(state, B, NOW), state=state)

    assert state.of(A).resolved_at == NOW


def test_reopening_and_assigning_twice_says_nothing_new():
    reopened = after(*decisions.reopen(None, A))
    assert decisions.reopen(reopened, A) == []
    assert decisions.assign(None, A, None) == []
    state = after(*decisions.assign(None, A, "2"))
    assert decisions.assign(state, A, "2") == []


def test_a_group_that_was_resolved_by_its_messages_is_reopened_like_any_other():
    former = {A: NOW, B: NOW}

    resolved = ErrorDecisions().with_former(former)
    reopened = after(*decisions.reopen(None, A)).with_former(former)

    assert (resolved.of(A).resolved_at, resolved.closes(A)) == (NOW, True)
    assert (reopened.of(A).resolved_at, reopened.of(B).resolved_at) == (None, NOW)


@pytest.mark.parametrize(
    "decide",
    [
        lambda: decisions.resolve(None, A, NOW - timedelta(days=1)),
        lambda: decisions.mute(None, A, NOW),
        lambda: [
            *decisions.resolve(None, A, NOW),
            *decisions.reopen(after(*decisions.resolve(None, A, NOW)), A),
        ],
    ],
    ids=["resolved", "muted", "reopened"],
)
def test_what_was_decided_about_a_group_itself_counts_before_its_messages(decide):
    state = after(*decide())

    assert state.with_former({A: NOW}) == state


def test_comments_and_assignees_stay_with_what_was_decided_about_messages():
    state = comment(after(*decisions.assign(None, A, "2")), A)

    found = state.with_former({A: NOW}).of(A)

    assert (found.resolved_at, found.assignee, len(found.comments)) == (NOW, "2", 1)


@pytest.mark.parametrize(
    ("mute", "now", "occurrences", "holds"),
    [
        (Mute(at=NOW), NOW + timedelta(days=9), 0, True),
        (Mute(at=NOW), NOW, 1, False),
        (Mute(at=NOW, occurrences=2), NOW, 1, True),
        (Mute(at=NOW, occurrences=2), NOW, 2, False),
        (Mute(at=NOW, until=NOW + timedelta(1)), NOW + timedelta(hours=23), 99, True),
        (Mute(at=NOW, until=NOW + timedelta(1)), NOW + timedelta(1), 0, False),
    ],
)
def test_a_mute_holds_as_long_as_was_said(mute, now, occurrences, holds):
    assert mute.holds(now, occurrences) is holds


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"until": NOW}, "until"),
        ({"until": NOW + timedelta(days=3651)}, "until"),
        ({"occurrences": 0}, "occurrences"),
        ({"occurrences": 1_000_001}, "occurrences"),
        ({"occurrences": 1, "until": NOW + timedelta(1)}, "until"),
    ],
)
def test_a_mute_out_of_its_limits_is_refused_by_name(asked, field):
    with pytest.raises(Invalid) as refused:
        decisions.mute(None, A, NOW, **asked)

    assert list(refused.value.field_errors) == [field]


def test_comments_are_limited_and_removed_once():
    state = None
    for number in range(decisions.MAX_COMMENTS):
        state = comment(state, A, number=str(number))
    with pytest.raises(Invalid):
        comment(state, A)

    state = after(*decisions.remove_comment(state, A, "7"), state=state)

    assert len(state.of(A).comments) == decisions.MAX_COMMENTS - 1
    with pytest.raises(CommentNotFound):
        decisions.remove_comment(state, A, "7")


def test_a_group_has_at_most_200_fingerprints():
    many = [f"1-{number:016x}" for number in range(decisions.MAX_MERGED)]

    with pytest.raises(Invalid):
        decisions.merge(ErrorDecisions(), A, many)
    assert len(decisions.merge(ErrorDecisions(), A, many[1:])) == 1
