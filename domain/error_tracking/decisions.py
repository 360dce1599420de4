"""Decisions of members about groups of errors: merged, resolved, muted, assigned, commented.

See docs/errors/error-groups.md.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from operator import attrgetter
from typing import Any

from attrs import evolve, field, frozen

from footfall.domain.error_tracking.fingerprint import is_fingerprint
from footfall.domain.error_tracking.resolution_grace import GRACE
from footfall.domain.event_stream import without
from footfall.domain.exceptions import CommentNotFound, Invalid
from footfall.domain.text import shown_lines

MAX_MERGED = 200
MAX_COMMENT = 2_000
MAX_COMMENTS = 200
MAX_OCCURRENCES = 1_000_000
LONGEST_MUTE = timedelta(days=3_650)


@frozen
class ErrorGroupsMerged:
    """The groups of these fingerprints became part of the group `into`."""

    into: str
    fingerprints: tuple[str, ...]


@frozen
class ErrorGroupsSeparated:
    """These fingerprints are groups of their own again."""

    fingerprints: tuple[str, ...]


@frozen
class ErrorGroupResolved:
    """A member marked the group as resolved at a time, or with `next_release` from the next release on."""

    group: str
    at: datetime
    next_release: bool = False


@frozen
class ErrorGroupMuted:
    """A member muted the group: until a time, for a number of occurrences, or with neither until its next one."""

    group: str
    at: datetime
    until: datetime | None = None
    occurrences: int | None = None


@frozen
class ErrorGroupReopened:
    """The group is neither resolved nor muted any more."""

    group: str


@frozen
class ErrorGroupAssigned:
    """The group was assigned to a member; None to none."""

    group: str
    user_id: str | None


@frozen
class ErrorGroupCommented:
    """A member commented on the group."""

    group: str
    comment_id: str
    user_id: str | None
    at: datetime
    text: str


@frozen
class ErrorGroupCommentRemoved:
    """A comment on the group was removed."""

    group: str
    comment_id: str


ErrorGroupEvent = (
    ErrorGroupsMerged
    | ErrorGroupsSeparated
    | ErrorGroupResolved
    | ErrorGroupMuted
    | ErrorGroupReopened
    | ErrorGroupAssigned
    | ErrorGroupCommented
    | ErrorGroupCommentRemoved
)


@frozen(kw_only=True)
class Mute:
    """The mute of a group: until a time or for a number of occurrences; with neither until its next one."""

    at: datetime
    until: datetime | None = None
    occurrences: int | None = None

    @property
    def counted(self) -> int:
        """The number of occurrences that end the mute, up to which they are counted."""
        if self.until is not None:
            return 0
        return 1 if self.occurrences is None else self.occurrences

    def holds(self, now: datetime, occurrences_since: int) -> bool:
        """Whether the group is still muted, by the time and the number of its occurrences since it was muted."""
        if self.until is not None:
            return now < self.until
        return occurrences_since < self.counted


@frozen(kw_only=True)
class Comment:
    """A comment of a member; `user_id` is None for the operator at the command line."""

    comment_id: str
    user_id: str | None
    at: datetime
    text: str


@frozen(kw_only=True)
class GroupDecision:
    """The decisions about one group; `has_state` says whether it was resolved, muted or reopened itself."""

    has_state: bool = False
    resolved_at: datetime | None = None
    next_release: bool = False
    mute: Mute | None = None
    assignee: str | None = None
    comments: tuple[Comment, ...] = ()

    @property
    def grace_ends(self) -> datetime | None:
        """The time until which a resolved group can occur in the releases of before; None if it has no such time."""
        return None if self.resolved_at is None or self.next_release else self.resolved_at + GRACE

    @property
    def closes(self) -> bool:
        """Whether the group was resolved or muted, so that its status may be another one than open."""
        return self.resolved_at is not None or self.mute is not None


@frozen(kw_only=True)
class ErrorDecisions:
    """All decisions about the groups of a site.

    `merged` leads from the fingerprints that were merged to the group that they are part of. What was decided about
    them before stays in `groups`, so that it holds again when they are separated.
    """

    merged: Mapping[str, str] = field(factory=dict)
    groups: Mapping[str, GroupDecision] = field(factory=dict)

    @property
    def own_groups(self) -> list[str]:
        """The groups with decisions that are not part of another one."""
        return [group for group in self.groups if group not in self.merged]

    def group_of(self, fingerprint: str) -> str:
        """Return the group that a fingerprint is part of; its own, unless it was merged."""
        return self.merged.get(fingerprint, fingerprint)

    def members(self, group: str) -> list[str]:
        """Return the fingerprints of a group: its own first, then the merged ones in their order."""
        return [group, *sorted(member for member, into in self.merged.items() if into == group)]

    def of(self, group: str) -> GroupDecision:
        """Return the decisions about a group, with the comments on its parts, by time."""
        parts = [self.groups.get(member, _NONE) for member in self.members(group)]
        comments = sorted((comment for part in parts for comment in part.comments), key=attrgetter("at"))
        return evolve(parts[0], comments=tuple(comments))

    def closes(self, group: str) -> bool:
        """Whether a group was resolved or muted, so that its status may be another one than open."""
        return self.groups.get(group, _NONE).closes

    def with_former(self, resolutions: Mapping[str, datetime]) -> "ErrorDecisions":
        """Return the decisions with resolutions of fingerprints that were decided about their messages.

        A group that was resolved, muted or reopened itself keeps that state.
        """
        former = {
            group: evolve(self.groups.get(group, _NONE), resolved_at=at)
            for group, at in resolutions.items()
            if not self.groups.get(group, _NONE).has_state
        }
        return evolve(self, groups={**self.groups, **former}) if former else self


_NONE = GroupDecision()


def merge(state: ErrorDecisions | None, into: str, fingerprints: Sequence[str]) -> list[ErrorGroupEvent]:
    """Decide that groups become part of another one, with all fingerprints that they have.

    Raises:
        Invalid: there would be more than 200 of them; the error names `groups`.

    """
    state = state or ErrorDecisions()
    into = state.group_of(into)
    joining = {member for each in fingerprints for member in state.members(state.group_of(each))}
    added = sorted(joining - set(state.members(into)))
    if len(added) + len(state.members(into)) > MAX_MERGED:
        raise Invalid({"groups": [f"a group has at most {MAX_MERGED} fingerprints"]})
    return [ErrorGroupsMerged(into, tuple(added))] if added else []


def separate(state: ErrorDecisions | None, group: str, fingerprints: Sequence[str]) -> list[ErrorGroupEvent]:
    """Decide that fingerprints leave a group; each is a group of its own again.

    Raises:
        Invalid: one is not merged into the group; the error names `groups`.

    """
    state = state or ErrorDecisions()
    strangers = [member for member in fingerprints if state.merged.get(member) != group]
    if strangers:
        raise Invalid({"groups": [f"{member} is not merged into this group" for member in strangers[:3]]})
    return [ErrorGroupsSeparated(tuple(sorted(set(fingerprints))))] if fingerprints else []


def resolve(
    state: ErrorDecisions | None, group: str, now: datetime, *, next_release: bool = False
) -> list[ErrorGroupEvent]:
    """Decide that a group is resolved now, even if it was resolved before.

    With `next_release` it can go on in the releases in which it was seen before.
    """
    return [ErrorGroupResolved(_group(state, group), now, next_release)]


def mute(
    state: ErrorDecisions | None,
    group: str,
    now: datetime,
    *,
    until: datetime | None = None,
    occurrences: int | None = None,
) -> list[ErrorGroupEvent]:
    """Decide that a group is muted from now on.

    Raises:
        Invalid: the time is past or too far, or the number is out of range; the errors name the fields.

    """
    if until is not None and occurrences is not None:
        raise Invalid({"until": ["and occurrences exclude each other: send one of them, or neither"]})
    if until is not None and not now < until <= now + LONGEST_MUTE:
        raise Invalid({"until": [f"must lie in the future, at most {LONGEST_MUTE.days:,} days ahead"]})
    if occurrences is not None and not 1 <= occurrences <= MAX_OCCURRENCES:
        raise Invalid({"occurrences": [f"must be a whole number from 1 to {MAX_OCCURRENCES:,}"]})
    return [ErrorGroupMuted(_group(state, group), now, until, occurrences)]


def reopen(state: ErrorDecisions | None, group: str) -> list[ErrorGroupEvent]:
    """Decide that a group is neither resolved nor muted.

    One without a decision of its own may be resolved by its messages (`ErrorDecisions.with_former`).
    """
    group = _group(state, group)
    decision = (state or ErrorDecisions()).of(group)
    return [] if decision.has_state and not decision.closes else [ErrorGroupReopened(group)]


def assign(state: ErrorDecisions | None, group: str, user_id: str | None) -> list[ErrorGroupEvent]:
    """Decide which member a group is assigned to; None stands for none."""
    group = _group(state, group)
    same = (state or ErrorDecisions()).of(group).assignee == user_id
    return [] if same else [ErrorGroupAssigned(group, user_id)]


def comment(
    state: ErrorDecisions | None,
    group: str,
    text: str,
    *,
    comment_id: str,
    user_id: str | None,
    now: datetime,
) -> list[ErrorGroupEvent]:
    """Decide a comment on a group.

    Raises:
        Invalid: `shown_lines` refuses the text, or the group has 200 comments.

    """
    group = _group(state, group)
    text = shown_lines("text", text, maximum=MAX_COMMENT)
    if len((state or ErrorDecisions()).of(group).comments) >= MAX_COMMENTS:
        raise Invalid({"text": [f"an error has at most {MAX_COMMENTS} comments: remove one"]})
    return [ErrorGroupCommented(group, comment_id, user_id, now, text)]


def remove_comment(state: ErrorDecisions | None, group: str, comment_id: str) -> list[ErrorGroupEvent]:
    """Decide that a comment is removed.

    Raises:
        CommentNotFound: the group has no such comment.

    """
    state = state or ErrorDecisions()
    for part in state.members(_group(state, group)):
        if any(comment.comment_id == comment_id for comment in state.groups.get(part, _NONE).comments):
            return [ErrorGroupCommentRemoved(part, comment_id)]
    raise CommentNotFound


def apply(state: ErrorDecisions | None, event: ErrorGroupEvent) -> ErrorDecisions:
    """Return the state after an event; accepts every event of the history."""
    state = state or ErrorDecisions()
    match event:
        case ErrorGroupsMerged(into, fingerprints):
            return evolve(state, merged={**state.merged, **dict.fromkeys(fingerprints, into)})
        case ErrorGroupsSeparated(fingerprints):
            return evolve(state, merged=without(state.merged, *fingerprints))
        case _:
            decision = _decided(state.groups.get(event.group, _NONE), event)
            return evolve(state, groups={**state.groups, event.group: decision})


def checked_fingerprints(name: str, values: Any) -> tuple[str, ...]:
    """Return fingerprints from a request.

    Raises:
        Invalid: it is not a list of 1 to 200 of them; the error names the field.

    """
    accepted = isinstance(values, list) and 0 < len(values) <= MAX_MERGED
    if not accepted or not all(isinstance(value, str) and is_fingerprint(value) for value in values):
        raise Invalid(
            {name: [f"must be an array of 1 to {MAX_MERGED} ids of groups, such as 1-0123456789abcdef"]}
        )
    return tuple(values)


def _decided(decision: GroupDecision, event: ErrorGroupEvent) -> GroupDecision:
    match event:
        case ErrorGroupResolved(_, at, next_release):
            return evolve(decision, has_state=True, resolved_at=at, next_release=next_release, mute=None)
        case ErrorGroupMuted(_, at, until, occurrences):
            mute = Mute(at=at, until=until, occurrences=occurrences)
            return evolve(decision, has_state=True, resolved_at=None, next_release=False, mute=mute)
        case ErrorGroupReopened():
            return evolve(decision, has_state=True, resolved_at=None, next_release=False, mute=None)
        case ErrorGroupAssigned(_, user_id):
            return evolve(decision, assignee=user_id)
        case ErrorGroupCommented(_, comment_id, user_id, at, text):
            new = Comment(comment_id=comment_id, user_id=user_id, at=at, text=text)
            return evolve(decision, comments=(*decision.comments, new))
        case ErrorGroupCommentRemoved(_, comment_id):
            left = tuple(comment for comment in decision.comments if comment.comment_id != comment_id)
            return evolve(decision, comments=left)
        case ErrorGroupsMerged() | ErrorGroupsSeparated():
            return decision


def _group(state: ErrorDecisions | None, fingerprint: str) -> str:
    return (state or ErrorDecisions()).group_of(fingerprint)
