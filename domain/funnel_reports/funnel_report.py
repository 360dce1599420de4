"""Progress in a funnel: how many sessions or visitors took each step, and where the others went.

See docs/goals/funnels.md.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import timedelta

from attrs import frozen

from footfall.domain.funnels.steps import FunnelSteps, steps_taken
from footfall.domain.goals.matching import matcher
from footfall.domain.periods.period import Period
from footfall.domain.tracking.hit import HitType, RecordedHit
from footfall.domain.traffic.filters import Filter
from footfall.domain.traffic.selection import hits_in_period, select_visits
from footfall.domain.traffic.session import Visit

Placed = tuple[RecordedHit, Visit]

# The next paths of those who dropped off are named up to this number.
MOST_PATHS = 10


@frozen
class NextPath:
    """A path that was viewed next, and by how many of those who dropped off."""

    path: str
    count: int


@frozen
class StepProgress:
    """The sessions or visitors that reached a step, and how those that did not go on left.

    `median` is the time to the next step, by nearest rank, of those that took it. Of the others `next_paths` are the
    paths of the next pageview in the same session, the most frequent first, and `left` had no more pageviews.
    """

    reached: int
    median: timedelta | None = None
    next_paths: tuple[NextPath, ...] = ()
    left: int = 0


@frozen
class _Journey:
    taken: Sequence[RecordedHit]
    # The path of the next pageview; None without one.
    next_path: str | None


@frozen
class Completion:
    """The hit that took the last step of a funnel, and its visit."""

    hit: RecordedHit
    visit: Visit


def funnel_progress(
    steps: FunnelSteps, hits: Iterable[RecordedHit], period: Period, filters: Iterable[Filter] = ()
) -> list[StepProgress]:
    """Return the progress at each step, from the hits of one site.

    Only hits of the period in sessions that the filters select count. The first one that satisfies the first rule is
    the entry of its session, or of its visitor; the next step is the first later hit that satisfies the next rule.
    Each has one attempt. A hit takes at most one step. Hits of one time are ordered by their positions in the log.
    """
    journeys = [
        _journey(taken, period) for taken in _steps_taken(steps, select_visits(hits, period, filters), period)
    ]
    return [_progress(step, journeys, len(steps.rules)) for step in range(1, len(steps.rules) + 1)]


def completions(steps: FunnelSteps, visits: Iterable[Visit], period: Period) -> list[Completion]:
    """Return the hits of a period that took the last step, as `funnel_progress` counts them, with their sessions."""
    taken = _steps_taken(steps, visits, period)
    return [Completion(*journey[-1]) for journey in taken if len(journey) == len(steps.rules)]


def _steps_taken(steps: FunnelSteps, visits: Iterable[Visit], period: Period) -> list[list[Placed]]:
    """Return the hits with which each session or visitor took the steps, from the first one on."""
    groups: dict[int, list[Placed]] = {}
    for visit in visits:
        session = visit.session
        group = session.session_id if steps.within is None else session.counted_visitor
        groups.setdefault(group, []).extend((recorded, visit) for recorded in hits_in_period(visit, period))
    matchers = [matcher(rule) for rule in steps.rules]
    return [steps_taken(group, matchers, steps.within) for group in groups.values()]


def _journey(taken: Sequence[Placed], period: Period) -> _Journey:
    after = _next_path(*taken[-1], period) if taken else None
    return _Journey([recorded for recorded, _ in taken], after)


def _next_path(last: RecordedHit, visit: Visit, period: Period) -> str | None:
    later = (
        recorded.hit.pathname or ""
        for recorded in hits_in_period(visit, period)
        if recorded.hit.type is HitType.PAGEVIEW and recorded.moment > last.moment
    )
    return next(later, None)


def _progress(step: int, journeys: Sequence[_Journey], steps: int) -> StepProgress:
    reached = [journey for journey in journeys if len(journey.taken) >= step]
    if step == steps:
        return StepProgress(len(reached))
    times = sorted(
        journey.taken[step].hit.occurred_at - journey.taken[step - 1].hit.occurred_at
        for journey in reached
        if len(journey.taken) > step
    )
    dropped = Counter(journey.next_path for journey in reached if len(journey.taken) == step)
    left = dropped.pop(None, 0)
    paths = sorted((NextPath(path or "", count) for path, count in dropped.items()), key=_most_frequent)
    median = times[(len(times) - 1) // 2] if times else None
    return StepProgress(len(reached), median, tuple(paths[:MOST_PATHS]), left)


def _most_frequent(path: NextPath) -> tuple[int, str]:
    return -path.count, path.path
