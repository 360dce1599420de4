"""The queue of reports: a few slots, taken by organizations in turn (docs/internals/columns.md#turns)."""

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
class _QueuePlace:
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
    _waiting: list[_QueuePlace] = field(factory=list, init=False)
    _running: dict[int, Asker] = field(factory=dict, init=False)
    # Parties that wait, in the order of their turns: new ones come last, and so do those that have just had one.
    _rotation: dict[str, None] = field(factory=dict, init=False)

    def ask(self, ticket: int, asker: Asker, now: float) -> Moves:
        """Take a place in the queue."""
        self._waiting.append(_QueuePlace(ticket, asker, now))
        self._rotation.setdefault(asker.party)
        moves = self.advance(now)
        refused = self._drop_excess(asker.party)
        return Moves(moves.begun, [*moves.refused, *refused])

    def leave(self, ticket: int, now: float) -> Moves:
        """Give a turn back, or leave the queue."""
        self._running.pop(ticket, None)
        self._remove([place for place in self._waiting if place.ticket == ticket])
        return self.advance(now)

    def advance(self, now: float) -> Moves:
        """Give turns to those who can have one, and refuse those who have waited for too long."""
        overdue = [caller for caller in self._of_callers() if now - caller.since >= self.limits.patience]
        self._remove(overdue)
        begun = []
        while (place := self._next(now)) is not None:
            self._remove([place])
            self._go_last(place.asker.party)
            self._running[place.ticket] = place.asker
            begun.append(place.ticket)
        return Moves(begun, [caller.ticket for caller in overdue])

    def next_at(self) -> float | None:
        """Return when time alone changes something: `advance` is due then."""
        times = [caller.since + self.limits.patience for caller in self._of_callers()]
        if not self._holds(AskerKind.SCHEDULED):
            times += [report.since + self.limits.scheduled_patience for report in self._scheduled()]
        return min(times, default=None)

    def waiting(self) -> Counter[AskerKind]:
        """Return how many wait, by kind."""
        return Counter(place.asker.kind for place in self._waiting)

    def running(self) -> Counter[AskerKind]:
        """Return how many have their turn, by kind."""
        return Counter(asker.kind for asker in self._running.values())

    def _next(self, now: float) -> _QueuePlace | None:
        callers = self._of_callers()
        able = [caller for caller in callers if self._may_begin(caller.asker)]
        order = {party: rank for rank, party in enumerate(self._rotation)}
        if able:
            return min(able, key=lambda caller: (order[caller.asker.party], _rank(caller)))
        scheduled = self._scheduled()
        if self._holds(AskerKind.SCHEDULED) or not scheduled:
            return None
        first = min(scheduled, key=lambda report: (order[report.asker.party], report.since))
        patience = self.limits.scheduled_patience
        is_due = not callers or any(now - report.since >= patience for report in scheduled)
        return first if is_due else None

    def _go_last(self, party: str) -> None:
        if party in self._rotation:
            del self._rotation[party]
            self._rotation[party] = None

    def _may_begin(self, asker: Asker) -> bool:
        callers = [caller for caller in self._running.values() if caller.kind is not AskerKind.SCHEDULED]
        free = self.limits.slots - len(callers)
        own = [caller for caller in callers if caller.party == asker.party]
        if asker.kind is AskerKind.GUEST and any(caller.kind is AskerKind.GUEST for caller in own):
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

    def _excess(self, party: str) -> list[_QueuePlace]:
        """Return the waiting askers of a party that has to go back, none when the queue is not too full."""
        callers = self._of_callers()
        counted = Counter(caller.asker.party for caller in callers)
        if counted[party] > self.limits.waiting_of_a_party:
            return _of_party(callers, party)
        if len(callers) > self.limits.waiting:
            # The newcomer's party goes back rather than another one of the same size.
            largest = max(counted, key=lambda name: (counted[name], name == party))
            return _of_party(callers, largest)
        return []

    def _holds(self, kind: AskerKind) -> bool:
        return any(asker.kind is kind for asker in self._running.values())

    def _of_callers(self) -> list[_QueuePlace]:
        return [place for place in self._waiting if place.asker.kind is not AskerKind.SCHEDULED]

    def _scheduled(self) -> list[_QueuePlace]:
        return [place for place in self._waiting if place.asker.kind is AskerKind.SCHEDULED]

    def _remove(self, places: Iterable[_QueuePlace]) -> None:
        gone = {place.ticket for place in places}
        self._waiting = [place for place in self._waiting if place.ticket not in gone]
        left = {place.asker.party for place in self._waiting}
        self._rotation = {party: None for party in self._rotation if party in left}


def _rank(place: _QueuePlace) -> tuple[bool, float, int]:
    """Return the order within a party: members first, then by time."""
    return place.asker.kind is AskerKind.GUEST, place.since, place.ticket


def _of_party(places: Iterable[_QueuePlace], party: str) -> list[_QueuePlace]:
    return [place for place in places if place.asker.party == party]
