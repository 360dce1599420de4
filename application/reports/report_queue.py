"""The queue of reports: a few slots, taken by organizations in turn (docs/columns.md#turns)."""

from collections import Counter
from collections.abc import Iterable, Sequence

from attrs import define, field, frozen

from footfall.application.ports.reports.askers import Asker, AskerKind

# At least three: two for one organization, one for all others.
LEAST_SLOTS = 3


@frozen(kw_only=True)
class QueueLimits:
    """Limits of a queue; times are in seconds.

    `scheduled_patience` is how long scheduled askers let others go first.
    """

    slots: int = LEAST_SLOTS
    waiting_of_a_party: int = 64
    waiting: int = 256
    patience: float = 15.0
    scheduled_patience: float = 30.0


@frozen
class _Place:
    ticket: int
    asker: Asker
    since: float


@frozen
class Moves:
    """The tickets whose turn has come, and those that are refused."""

    begun: Sequence[int] = ()
    refused: Sequence[int] = ()


@define
class ReportQueue:
    """Decides whose turn it is; time is passed in, and tickets are numbers that the caller gives.

    - A party holds the last free slot only when it holds no other one. Its guests hold at most one.
    - Parties take turns. Members of a party come before its guests.
    - Scheduled askers have one slot of their own, beside the others. They take it when no other asker waits, or when
      they have waited for long.
    - A full queue refuses the latest of the party with the most waiting, guests first. Scheduled askers are not
      refused.
    """

    limits: QueueLimits = field(factory=QueueLimits)
    _waiting: list[_Place] = field(factory=list, init=False)
    _running: dict[int, Asker] = field(factory=dict, init=False)
    # Parties that wait, in the order of their turns: new ones come last, and so do those that have just had one.
    _rotation: dict[str, None] = field(factory=dict, init=False)

    def ask(self, ticket: int, asker: Asker, now: float) -> Moves:
        """Take a place in the queue."""
        self._waiting.append(_Place(ticket, asker, now))
        self._rotation.setdefault(asker.party)
        moves = self.advance(now)
        refused = self._drop_excess(asker.party)
        return Moves(moves.begun, [*moves.refused, *refused])

    def leave(self, ticket: int, now: float) -> Moves:
        """Give a turn back, or leave the queue."""
        self._running.pop(ticket, None)
        self._remove([one for one in self._waiting if one.ticket == ticket])
        return self.advance(now)

    def advance(self, now: float) -> Moves:
        """Give turns to those who can have one, and refuse those who have waited for too long."""
        overdue = [one for one in self._of_callers() if now - one.since >= self.limits.patience]
        self._remove(overdue)
        begun = []
        while (place := self._next(now)) is not None:
            self._remove([place])
            self._go_last(place.asker.party)
            self._running[place.ticket] = place.asker
            begun.append(place.ticket)
        return Moves(begun, [one.ticket for one in overdue])

    def next_at(self) -> float | None:
        """Return when time alone changes something: `advance` is due then."""
        times = [one.since + self.limits.patience for one in self._of_callers()]
        if not self._holds(AskerKind.SCHEDULED):
            times += [one.since + self.limits.scheduled_patience for one in self._scheduled()]
        return min(times, default=None)

    def waiting(self) -> Counter[AskerKind]:
        """Return how many wait, by kind."""
        return Counter(one.asker.kind for one in self._waiting)

    def running(self) -> Counter[AskerKind]:
        """Return how many have their turn, by kind."""
        return Counter(one.kind for one in self._running.values())

    def _next(self, now: float) -> _Place | None:
        callers = self._of_callers()
        able = [one for one in callers if self._may_begin(one.asker)]
        order = {party: place for place, party in enumerate(self._rotation)}
        if able:
            return min(able, key=lambda one: (order[one.asker.party], _rank(one)))
        scheduled = self._scheduled()
        if self._holds(AskerKind.SCHEDULED) or not scheduled:
            return None
        first = min(scheduled, key=lambda one: (order[one.asker.party], one.since))
        patience = self.limits.scheduled_patience
        is_due = not callers or any(now - one.since >= patience for one in scheduled)
        return first if is_due else None

    def _go_last(self, party: str) -> None:
        if party in self._rotation:
            del self._rotation[party]
            self._rotation[party] = None

    def _may_begin(self, asker: Asker) -> bool:
        callers = [one for one in self._running.values() if one.kind is not AskerKind.SCHEDULED]
        free, own = self.limits.slots - len(callers), [one for one in callers if one.party == asker.party]
        if asker.kind is AskerKind.GUEST and any(one.kind is AskerKind.GUEST for one in own):
            return False
        return free > 1 or (free == 1 and not own)

    def _drop_excess(self, party: str) -> list[int]:
        """Refuse the latest askers of the party, or of the one with the most waiting, while the queue is too full."""
        dropped: list[int] = []
        while excess := self._excess(party):
            last = max(excess, key=_rank)
            self._remove([last])
            dropped.append(last.ticket)
        return dropped

    def _excess(self, party: str) -> list[_Place]:
        """Return the waiting askers of a party that has to go back, none when the queue is not too full."""
        callers = self._of_callers()
        counted = Counter(one.asker.party for one in callers)
        if counted[party] > self.limits.waiting_of_a_party:
            return _of_party(callers, party)
        if len(callers) > self.limits.waiting:
            # The newcomer's party goes back rather than another one of the same size.
            largest = max(counted, key=lambda one: (counted[one], one == party))
            return _of_party(callers, largest)
        return []

    def _holds(self, kind: AskerKind) -> bool:
        return any(one.kind is kind for one in self._running.values())

    def _of_callers(self) -> list[_Place]:
        return [one for one in self._waiting if one.asker.kind is not AskerKind.SCHEDULED]

    def _scheduled(self) -> list[_Place]:
        return [one for one in self._waiting if one.asker.kind is AskerKind.SCHEDULED]

    def _remove(self, places: Iterable[_Place]) -> None:
        gone = {one.ticket for one in places}
        self._waiting = [one for one in self._waiting if one.ticket not in gone]
        left = {one.asker.party for one in self._waiting}
        self._rotation = {party: None for party in self._rotation if party in left}


def _rank(place: _Place) -> tuple[bool, float, int]:
    """Return the order within a party: members first, then by time."""
    return place.asker.kind is AskerKind.GUEST, place.since, place.ticket


def _of_party(places: Iterable[_Place], party: str) -> list[_Place]:
    return [one for one in places if one.asker.party == party]
