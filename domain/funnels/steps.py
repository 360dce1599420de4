"""Steps of a funnel that are taken in order, each by the first later hit that satisfies its rule.

See docs/goals/funnels.md.
"""

from collections.abc import Callable, Iterable, Sequence
from datetime import timedelta
from typing import TypeVar

from attrs import frozen

from footfall.domain.goals.goal import Rule
from footfall.domain.tracking.hit import Hit, RecordedHit

# A hit comes with the visit that it belongs to, of which the order asks nothing.
Visit = TypeVar("Visit")


@frozen
class FunnelSteps:
    """The rules of a funnel's steps, which are taken in one session, or in some days by one visitor."""

    rules: tuple[Rule, ...]
    within_days: int | None = None

    @property
    def within(self) -> timedelta | None:
        """The longest time from the first step to any other; None when the session is the limit."""
        return None if self.within_days is None else timedelta(days=self.within_days)


@frozen
class LastStep:
    """A step of a funnel as the last one that a session takes: the rules of all steps, and its number from 1."""

    rules: tuple[Rule, ...]
    number: int

    @property
    def is_last(self) -> bool:
        """Whether the funnel has no step after this one."""
        return self.number == len(self.rules)

    @property
    def rules_to_read(self) -> tuple[Rule, ...]:
        """The rules of the step, of those before it, and of the next one, which is not taken."""
        return self.rules[: self.number + 1]


def reaching(rules: Sequence[Rule], number: int) -> LastStep:
    """Return a step as the last one of a funnel that ends with it: what those took who took a later one."""
    return LastStep(tuple(rules[:number]), number)


def steps_taken(
    placed: Iterable[tuple[RecordedHit, Visit]],
    matchers: Sequence[Callable[[Hit], bool]],
    within: timedelta | None = None,
) -> list[tuple[RecordedHit, Visit]]:
    """Return the hits with which a session or a visitor took the steps, from the first one on.

    No step is taken later than `within` after the first one. A hit takes at most one step; hits of one time are
    ordered by their positions in the log.
    """
    taken: list[tuple[RecordedHit, Visit]] = []
    for recorded, visit in sorted(placed, key=lambda pair: pair[0].moment):
        if len(taken) == len(matchers) or not _in_time(recorded, taken, within):
            break
        if matchers[len(taken)](recorded.hit):
            taken.append((recorded, visit))
    return taken


def _in_time(
    recorded: RecordedHit, taken: Sequence[tuple[RecordedHit, Visit]], within: timedelta | None
) -> bool:
    return not taken or within is None or recorded.hit.occurred_at - taken[0][0].hit.occurred_at <= within
