"""The firings of an alert rule: open, acknowledged or over; the commands and events of their life."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from enum import StrEnum

from attrs import evolve, field, frozen

from footfall.domain.alerts.judged_windows import Judged
from footfall.domain.alerts.plan import AlertPlan
from footfall.domain.exceptions import AlertFiringNotFound, AlertFiringOver

# The latest firings of a rule are shown up to this number; the journal has all of them.
KEPT = 100


class FiringState(StrEnum):
    """The state of a firing."""

    OPEN = "open"
    ACKNOWLEDGED = "acknowledged"
    OVER = "over"


class OverReason(StrEnum):
    """Why a firing is over: its windows were calm again, or the rule was changed."""

    CALM = "calm"
    CHANGED = "changed"


@frozen
class AlertFired:
    """A rule fired at a window with this value, which was below `lower` or above `upper`.

    `targets` are the numbers of those that are told; None in events of versions that told the targets of the rule.
    """

    site_id: int
    rule: int
    number: int
    start: datetime
    end: datetime
    value: float
    lower: float | None
    upper: float | None
    targets: tuple[int, ...] | None = None


@frozen
class AlertAcknowledged:
    """A member took note of a firing; None is the operator at the command line."""

    number: int
    user_id: str | None


@frozen
class AlertOver:
    """A firing was over at the end of a window."""

    number: int
    at: datetime
    reason: OverReason


FiringEvent = AlertFired | AlertAcknowledged | AlertOver


@frozen(kw_only=True)
class Firing:
    """A firing, with the window that it opened with and the targets that are told of it."""

    number: int
    start: datetime
    end: datetime
    value: float
    lower: float | None
    upper: float | None
    targets: tuple[int, ...] | None = None
    is_acknowledged: bool = False
    acknowledged_by: str | None = None
    over_at: datetime | None = None
    over_reason: OverReason | None = None

    @property
    def state(self) -> FiringState:
        """The state of the firing."""
        if self.over_at is not None:
            return FiringState.OVER
        return FiringState.ACKNOWLEDGED if self.is_acknowledged else FiringState.OPEN

    def told(self, plan: AlertPlan) -> tuple[int, ...]:
        """Return the numbers of the targets that are told of the firing, of its end as of its beginning.

        They stay the same when the plan of its rule gets other targets.
        """
        return plan.targets if self.targets is None else self.targets


@frozen(kw_only=True)
class Firings:
    """The latest firings of a rule by their numbers, and how many there ever were."""

    latest: Mapping[int, Firing] = field(factory=dict)
    last: int = 0

    @property
    def running(self) -> Firing | None:
        """The firing that is not over."""
        last = self.latest.get(self.last)
        return None if last is None or last.over_at is not None else last

    def newest_first(self) -> list[Firing]:
        """Return the latest firings."""
        return [self.latest[number] for number in sorted(self.latest, reverse=True)]

    def firing(self, number: int) -> Firing:
        """Return a firing.

        Raises:
            AlertFiringNotFound: there is none with this number, or it is too old.

        """
        if number not in self.latest:
            raise AlertFiringNotFound
        return self.latest[number]


def fire(
    state: Firings | None, site_id: int, rule: int, judged: Judged, targets: Iterable[int]
) -> list[FiringEvent]:
    """Note that a rule fires, as a window has decided; nothing when it has fired at it or later, or is firing.

    `targets` are the numbers of the targets that can be told of it now.
    """
    state = state or Firings()
    before = state.latest.get(state.last)
    period = judged.window.period
    if judged.value is None or judged.bounds is None or (before and before.over_at is None):
        return []
    if before and before.start >= period.start:
        return []
    bounds = judged.bounds
    return [
        AlertFired(
            site_id=site_id,
            rule=rule,
            number=state.last + 1,
            start=period.start,
            end=period.end,
            value=judged.value,
            lower=bounds.lower,
            upper=bounds.upper,
            targets=tuple(targets),
        )
    ]


def end(state: Firings | None, at: datetime, reason: OverReason) -> list[FiringEvent]:
    """Decide that the firing is over; nothing when there is none, or it opened later."""
    running = (state or Firings()).running
    return [] if running is None or running.end > at else [AlertOver(running.number, at, reason)]


def acknowledge(state: Firings | None, number: int, user_id: str | None) -> list[FiringEvent]:
    """Decide that a member took note of a firing; saying it again changes nothing.

    Raises:
        AlertFiringNotFound: there is no such firing.
        AlertFiringOver: it is over.

    """
    firing = (state or Firings()).firing(number)
    if firing.over_at is not None:
        raise AlertFiringOver
    return [] if firing.is_acknowledged else [AlertAcknowledged(number, user_id)]


def apply(state: Firings | None, event: FiringEvent) -> Firings:
    """Return the state after an event; accepts every event of the history."""
    state = state or Firings()
    match event:
        case AlertFired(_, _, number, start, until, value, lower, upper, targets):
            firing = Firing(
                number=number, start=start, end=until, value=value, lower=lower, upper=upper, targets=targets
            )
            latest = {key: earlier for key, earlier in state.latest.items() if key > number - KEPT}
            return Firings(latest={**latest, number: firing}, last=max(state.last, number))
        case AlertAcknowledged(number, user_id) if number in state.latest:
            changed = evolve(state.latest[number], is_acknowledged=True, acknowledged_by=user_id)
        case AlertOver(number, at, reason) if number in state.latest:
            changed = evolve(state.latest[number], over_at=at, over_reason=reason)
        case AlertAcknowledged() | AlertOver():
            return state
    return evolve(state, latest={**state.latest, changed.number: changed})
