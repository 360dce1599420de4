"""The queue of reports: whose turn it is, and who is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.application.ports.reports.askers import Asker, AskerKind
from footfall.application.reports.turns.report_queue import QueueLimits, ReportQueue

ACME, OTHER, THIRD = (Asker.of(name, belongs=True) for name in ("acme", "other", "third"))
GUEST = Asker.of("acme", belongs=False)
MAIL, ALERT = Asker.scheduled_for(1), Asker.scheduled_for(2)


class Order:
    """A queue whose moves are kept: which tickets have begun, and which were refused."""

    def __init__(self, **limits):
        self.queue = ReportQueue(QueueLimits(**limits))
        self.begun, self.refused = [], []
        self.count = 0

    def ask(self, asker, now=0.0):
        """Take a place and return its ticket."""
        self.count += 1
        self._follow(self.queue.ask(self.count, asker, now))
        return self.count

    def leave(self, ticket, now=0.0):
        """Give a turn back, or leave the queue."""
        self._follow(self.queue.leave(ticket, now))

    def pass_time(self, now):
        """Let the time come."""
        self._follow(self.queue.advance(now))

    def _follow(self, moves):
        self.begun += moves.begun
        self.refused += moves.refused


def test_a_party_leaves_the_last_free_slot_to_others():
    order = Order(slots=3)
    acme = [order.ask(ACME) for _ in range(4)]
    assert order.begun == acme[:2]

    other = order.ask(OTHER)

    assert order.begun == [*acme[:2], other]


def test_a_slot_that_becomes_free_goes_to_a_party_without_one():
    order = Order(slots=3)
    acme = [order.ask(ACME) for _ in range(4)]
    other, third = order.ask(OTHER), order.ask(THIRD)

    order.leave(acme[0])

    assert order.begun == [*acme[:2], other, third]


def test_parties_take_turns_however_many_of_each_wait():
    order = Order(slots=3)
    first = [order.ask(one) for one in (THIRD, OTHER, OTHER)]
    acme = [order.ask(ACME) for _ in range(6)]
    other = [order.ask(OTHER) for _ in range(2)]
    turns = []

    for ticket in [*first, *acme, *other]:
        before = len(order.begun)
        order.leave(ticket)
        turns += order.begun[before:]

    assert [ticket in acme for ticket in turns[:4]] == [False, True, False, True]


def test_guests_hold_one_slot_and_come_after_members_of_their_party():
    order = Order(slots=4)
    guests = [order.ask(GUEST) for _ in range(3)]
    members = [order.ask(ACME) for _ in range(3)]
    assert order.begun == [guests[0], *members[:2]]

    order.leave(guests[0])
    assert order.begun[3:] == [members[2]]

    order.leave(members[0])
    assert order.begun[4:] == [guests[1]]


def test_scheduled_askers_have_one_slot_of_their_own():
    order = Order(slots=3)
    callers = [order.ask(one) for one in (ACME, ACME, OTHER)]
    mail, alert = order.ask(MAIL), order.ask(ALERT)
    assert order.begun == [*callers, mail]

    order.leave(mail)

    assert order.begun == [*callers, mail, alert]


def test_scheduled_askers_come_last_but_not_never():
    order = Order(slots=3, patience=100, scheduled_patience=30)
    running = [order.ask(one) for one in (ACME, ACME, OTHER, THIRD)]
    mail = order.ask(MAIL, now=1.0)
    assert order.begun == running[:3]
    assert order.queue.next_at() == 31.0

    order.pass_time(30.9)
    assert order.begun == running[:3]

    order.pass_time(31.0)
    assert order.begun == [*running[:3], mail]


def test_a_caller_who_waits_for_too_long_is_refused_and_a_scheduled_one_is_not():
    order = Order(slots=3, patience=15)
    for _ in range(2):
        order.ask(ACME)
    waiting = order.ask(ACME, now=2.0)
    order.ask(MAIL)
    scheduled = order.ask(ALERT)
    assert order.queue.next_at() == 17.0

    order.pass_time(17.0)
    assert order.refused == [waiting]

    order.pass_time(10_000.0)
    assert order.refused == [waiting]
    assert scheduled not in order.begun


def test_the_latest_guest_goes_back_when_a_party_has_too_many_waiting():
    order = Order(waiting_of_a_party=2)
    for _ in range(2):
        order.ask(ACME)
    guests = [order.ask(GUEST) for _ in range(2)]

    member = order.ask(ACME)
    assert order.refused == [guests[1]]

    order.ask(ACME)
    last = order.ask(ACME)
    assert order.refused == [guests[1], guests[0], last]
    order.leave(1)
    assert order.begun[2:] == [member]


def test_the_party_with_the_most_waiting_goes_back_when_the_queue_is_full():
    order = Order(slots=3, waiting=4)
    for one in (ACME, ACME, OTHER):
        order.ask(one)
    acme = [order.ask(ACME) for _ in range(4)]

    order.ask(THIRD)

    assert order.refused == [acme[3]]


def test_a_full_queue_of_parties_of_one_size_refuses_the_newcomer():
    order = Order(slots=3, waiting=2)
    for one in (ACME, ACME, OTHER):
        order.ask(one)
    order.ask(ACME)
    order.ask(THIRD)

    late = order.ask(Asker.of("late", belongs=True))

    assert order.refused == [late]


def test_waiting_and_running_are_counted_by_kind():
    order = Order()
    for one in (ACME, ACME, ACME, GUEST, MAIL, ALERT):
        order.ask(one)

    assert order.queue.running() == {AskerKind.MEMBER: 2}
    assert order.queue.waiting() == {AskerKind.MEMBER: 1, AskerKind.GUEST: 1, AskerKind.SCHEDULED: 2}


ASKERS = st.builds(
    lambda party, kind: Asker(f"{kind} {party}" if kind is AskerKind.SCHEDULED else str(party), kind),
    st.integers(0, 4),
    st.sampled_from(AskerKind),
)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("ask"), ASKERS),
        st.tuples(st.just("leave"), st.integers(0, 60)),
        st.tuples(st.just("wait"), st.floats(0.0, 20.0)),
    ),
    max_size=60,
)
LIMITS = {"slots": 3, "waiting_of_a_party": 4, "waiting": 8, "patience": 15.0, "scheduled_patience": 30.0}


@pytest.mark.hypothesis
@given(STEPS)
def test_bounds_hold_in_any_order(steps):
    order, now, askers, left = Order(**LIMITS), 0.0, {}, set()

    for step, value in steps:
        match step:
            case "ask":
                askers[order.count + 1] = value
                order.ask(value, now)
            case "leave" if value in askers:
                left.add(value)
                order.leave(value, now)
            case "wait":
                now += value
                order.pass_time(now)
        running = [askers[one] for one in order.begun if one not in left]
        waiting = [askers[one] for one in askers if one not in {*order.begun, *order.refused, *left}]
        callers = [one for one in running if one.kind is not AskerKind.SCHEDULED]
        waiting_callers = [one for one in waiting if one.kind is not AskerKind.SCHEDULED]
        assert len(callers) <= 3
        assert len(running) - len(callers) <= 1
        for party in {one.party for one in callers}:
            own = [one for one in callers if one.party == party]
            assert len(own) <= 2
            assert sum(one.kind is AskerKind.GUEST for one in own) <= 1
        assert len(waiting_callers) <= 8
        assert all(sum(one.party == party.party for one in waiting_callers) <= 4 for party in waiting_callers)
        # No slot is left free that one of those waiting might take.
        free = 3 - len(callers)
        assert not (free and {one.party for one in waiting_callers} - {one.party for one in callers})
        assert order.queue.waiting().total() == len(waiting)
        assert order.queue.running().total() == len(running)
        assert all(askers[one].kind is not AskerKind.SCHEDULED for one in order.refused)
    assert len({*order.begun, *order.refused}) == len([*order.begun, *order.refused])


@pytest.mark.hypothesis
@given(st.integers(1, 6), st.sampled_from([OTHER, Asker.of("other", belongs=False)]), st.randoms())
def test_no_party_starves_beside_greedy_ones(greedy, patient, random):
    order = Order(waiting_of_a_party=10)
    parties = [Asker.of(str(number), belongs=True) for number in range(greedy)]
    asked = {order.ask(party): party for party in parties for _ in range(5)}
    waiting = order.ask(patient)
    running = [one for one in order.begun if one != waiting]

    for _ in range(2 * greedy):
        ended = running.pop(random.randrange(len(running)))
        asked[order.ask(asked[ended])] = asked[ended]
        order.leave(ended)
        running = [one for one in (*running, order.begun[-1]) if one in asked]

    assert waiting in order.begun
