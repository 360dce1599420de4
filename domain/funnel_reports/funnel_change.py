"""Changes of goals and funnels: their counts before and after, and the sessions of the difference.

The terms are those of docs/goals/what-if.md.
"""

from collections.abc import Iterable, Sequence

from attrs import frozen

from footfall.domain.funnel_reports.funnel_report import Completion, completions
from footfall.domain.funnels.steps import FunnelSteps
from footfall.domain.goals.goal import Rule
from footfall.domain.periods.period import Period
from footfall.domain.tracking.hit import RecordedHit
from footfall.domain.traffic.filters import Filter
from footfall.domain.traffic.selection import select_visits
from footfall.domain.traffic.session import Session

# A change has up to this number of examples of the sessions that it gains, or loses.
MOST_EXAMPLES = 10


@frozen
class FunnelChange:
    """The steps of a funnel before and after a change; a goal has one step."""

    before: FunnelSteps
    after: FunnelSteps


@frozen
class Counts:
    """The sessions, or visitors, that complete the steps before and after a change."""

    before: int
    after: int


@frozen
class Examples:
    """The number of sessions that a change gains or loses, and those of them that completed the steps last."""

    total: int
    sessions: tuple[Session, ...]


@frozen
class WhatIf:
    """The counts in a period and in each of its days, and the sessions that only one of the two counts has."""

    counts: Counts
    days: tuple[Counts, ...]
    gained: Examples
    lost: Examples


def change_of_goal(before: Rule, after: Rule) -> FunnelChange:
    """Return the change of the rule of a goal."""
    return FunnelChange(FunnelSteps((before,)), FunnelSteps((after,)))


def what_if(
    change: FunnelChange,
    hits: Iterable[RecordedHit],
    period: Period,
    days: Sequence[Period],
    filters: Iterable[Filter] = (),
) -> WhatIf:
    """Return what a change would do, from the hits of one site.

    A day has the counts of a report on that day alone, over the sessions that the filters select in the whole period.
    A session completes the steps when the last one is taken in it.
    """
    visits = select_visits(hits, period, filters)
    before, after = completions(change.before, visits, period), completions(change.after, visits, period)
    return WhatIf(
        counts=Counts(len(before), len(after)),
        days=tuple(
            Counts(len(completions(change.before, visits, day)), len(completions(change.after, visits, day)))
            for day in days
        ),
        gained=_only_in(after, before),
        lost=_only_in(before, after),
    )


def _only_in(completed: Sequence[Completion], compared: Sequence[Completion]) -> Examples:
    ids = {completion.visit.session.session_id for completion in compared}
    only = [completion for completion in completed if completion.visit.session.session_id not in ids]
    latest = sorted(only, key=lambda completion: completion.hit.moment, reverse=True)
    return Examples(len(only), tuple(completion.visit.session for completion in latest[:MOST_EXAMPLES]))
