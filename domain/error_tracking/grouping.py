"""Aggregation of reported exceptions by cause: groups, their status and their releases.

See docs/errors/error-groups.md.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from operator import attrgetter
from types import MappingProxyType
from typing import Any

from attrs import frozen

from footfall.domain.error_tracking.aggregation import occurrences_in
from footfall.domain.error_tracking.decisions import ErrorDecisions, GroupDecision
from footfall.domain.error_tracking.fingerprint import hit_fingerprint
from footfall.domain.error_tracking.occurrence import error_details, error_message
from footfall.domain.error_tracking.regressions import returns
from footfall.domain.error_tracking.resolution_grace import is_after_grace
from footfall.domain.error_tracking.status import ErrorStatus
from footfall.domain.exceptions import Invalid
from footfall.domain.percentage import percentage
from footfall.domain.periods.period import Period
from footfall.domain.row_choice import folded
from footfall.domain.tracking.hit import Hit, HitType, RecordedHit
from footfall.domain.traffic.filters import Filter
from footfall.domain.traffic.selection import select_visits


class GroupSort(StrEnum):
    """The orders of a list of groups, each with the largest or latest first; ties by id."""

    COUNT = "count"
    SESSIONS = "sessionCount"
    FIRST_SEEN = "firstSeen"
    LAST_SEEN = "lastSeen"


def parse_sort(text: str | None) -> GroupSort:
    """Return the order that a request asks for; by count without one.

    Raises:
        Invalid: there is no such order; the error names `sort`.

    """
    if text is not None and text not in set(GroupSort):
        raise Invalid({"sort": [f"must be one of {', '.join(GroupSort)}"]})
    return GroupSort.COUNT if text is None else GroupSort(text)


@frozen
class GroupChoice:
    """The groups that a list shows: these ones, or with `but` all others; of these, those that occurred with a text.

    A message of theirs in the period contains `containing`, in any case of the letters of ASCII.
    """

    groups: frozenset[str] = frozenset()
    but: bool = True
    containing: str = ""

    def admits(self, group: str, messages: Iterable[str]) -> bool:
        """Whether the list shows a group with these messages."""
        wanted = folded(self.containing)
        return (group in self.groups) != self.but and any(wanted in folded(message) for message in messages)


@frozen(kw_only=True)
class GroupHistory:
    """The history of a group, from all hits of its site.

    Message, class and file are those of the latest occurrence. Releases are None where the event had none.
    `regressed_at` and `regressed_release` are of its first return after it was resolved (`returns`), `since_mute`
    counts the occurrences after it was muted, up to as many as end the mute.
    """

    message: str
    error_name: str
    file_name: str | None
    first_seen: datetime
    last_seen: datetime
    first_release: str | None
    last_release: str | None
    regressed_at: datetime | None = None
    regressed_release: str | None = None
    since_mute: int = 0


@frozen(kw_only=True)
class GroupSummary:
    """The occurrences of one group in a period; `total` counts those of all groups."""

    group: str
    count: int
    session_count: int
    total: int
    history: GroupHistory

    @property
    def percentage(self) -> float:
        """The group's share of all occurrences, from 0 to 100, rounded to two decimals."""
        return percentage(self.count, self.total)


def group_status(decision: GroupDecision, history: GroupHistory, now: datetime) -> ErrorStatus:
    """Return the status of a group by the latest decision; the times of occurrences count, not their arrival."""
    if decision.mute is not None and decision.mute.holds(now, history.since_mute):
        return ErrorStatus.MUTED
    if decision.resolved_at is None:
        return ErrorStatus.OPEN
    return ErrorStatus.RESOLVED if history.regressed_at is None else ErrorStatus.REGRESSED


def summarize_groups(
    hits: Sequence[RecordedHit],
    period: Period,
    decisions: ErrorDecisions,
    *,
    filters: Iterable[Filter] = (),
    sort: GroupSort = GroupSort.COUNT,
    choice: GroupChoice | None = None,
) -> list[GroupSummary]:
    """Return a summary of each group with an occurrence in the period, in the order of `sort`; ties by id."""
    occurrences = list(occurrences_in(select_visits(hits, period, filters), period))
    keyed = [(hit_group(occurrence.hit, decisions), occurrence.session_id) for occurrence in occurrences]
    counts = Counter(group for group, _ in keyed)
    sessions = Counter(group for group, _ in set(keyed))
    messages: dict[str, set[str]] = defaultdict(set)
    for occurrence in occurrences:
        messages[hit_group(occurrence.hit, decisions)].add(occurrence.details.message)
    histories = group_histories(hits, decisions)
    summaries = [
        GroupSummary(
            group=group,
            count=count,
            session_count=sessions[group],
            total=len(occurrences),
            history=histories[group],
        )
        for group, count in counts.items()
        if choice is None or choice.admits(group, messages[group])
    ]
    return sorted(sorted(summaries, key=attrgetter("group")), key=_ORDERS[sort], reverse=True)


def group_histories(hits: Iterable[RecordedHit], decisions: ErrorDecisions) -> dict[str, GroupHistory]:
    """Return what all hits of a site say of each of its groups."""
    by_time = sorted(
        (recorded for recorded in hits if recorded.hit.type is HitType.ERROR),
        key=attrgetter("moment"),
    )
    grouped: dict[str, list[Hit]] = defaultdict(list)
    for recorded in by_time:
        grouped[hit_group(recorded.hit, decisions)].append(recorded.hit)
    return {group: _history(own, decisions.of(group)) for group, own in grouped.items()}


def hit_group(hit: Hit, decisions: ErrorDecisions) -> str:
    """Return the group of a reported exception."""
    return decisions.group_of(hit_fingerprint(hit))


def former_resolutions(
    hits: Iterable[RecordedHit], resolutions: Mapping[str, datetime]
) -> dict[str, datetime]:
    """Return which causes were resolved, and when, by members who resolved messages; former versions did so.

    `resolutions` give the time at which each message was last resolved. That counts for the cause of the message's
    latest occurrence which is no return of it.
    """
    latest: dict[str, Hit] = {}
    for recorded in sorted(hits, key=attrgetter("moment")):
        hit = recorded.hit
        resolved = resolutions.get(error_message(hit)) if hit.type is HitType.ERROR else None
        if resolved is not None and not is_after_grace(hit.occurred_at, resolved):
            latest[error_message(hit)] = hit
    resolved_at: dict[str, datetime] = {}
    for message, hit in latest.items():
        cause, resolved = hit_fingerprint(hit), resolutions[message]
        resolved_at[cause] = max(resolved, resolved_at.get(cause, resolved))
    return resolved_at


def _history(hits: Sequence[Hit], decision: GroupDecision) -> GroupHistory:
    details = error_details(hits[-1].properties or {})
    muted, again = decision.mute, returns(hits, decision)
    return GroupHistory(
        message=details.message,
        error_name=hits[-1].event_name or "",
        file_name=details.file_name,
        first_seen=hits[0].occurred_at,
        last_seen=hits[-1].occurred_at,
        first_release=hits[0].release,
        last_release=hits[-1].release,
        regressed_at=again[0].occurred_at if again else None,
        regressed_release=again[0].release if again else None,
        since_mute=0
        if muted is None
        else min(muted.counted, sum(hit.occurred_at > muted.at for hit in hits)),
    )


_ORDERS: Mapping[GroupSort, Callable[[GroupSummary], Any]] = MappingProxyType(
    {
        GroupSort.COUNT: attrgetter("count"),
        GroupSort.SESSIONS: attrgetter("session_count"),
        GroupSort.FIRST_SEEN: attrgetter("history.first_seen"),
        GroupSort.LAST_SEEN: attrgetter("history.last_seen"),
    }
)
