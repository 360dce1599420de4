"""Where alert rules stand, the queue of requests to targets, and the counts of outcomes by quarters."""

from datetime import timedelta

import pytest
from attrs import evolve

from footfall.adapters.memory.alerts import MemoryAlertWatches, MemoryWebhooks
from footfall.adapters.memory.traffic_log import MemoryTrafficLog
from footfall.adapters.postgres.intake.outcome_ledger import PostgresOutcomeLedger
from footfall.adapters.postgres.notifications.alert_watches import PostgresAlertWatches
from footfall.adapters.postgres.notifications.webhook_queue import (
    PostgresStoredAddresses,
    PostgresTargetAddresses,
    PostgresWebhookQueue,
)
from footfall.adapters.sealing import SecretSealing
from footfall.application.alerts.address_sealing import sealed_address, unopened_sites
from footfall.application.ports.accounts.registrations import StreamAppend
from footfall.application.ports.alerts.watches import Watch
from footfall.application.ports.alerts.webhooks import TargetAddress, WebhookRequest
from footfall.application.ports.journal import Actor, ConcurrencyConflict, Metadata
from footfall.application.ports.traffic_log import OutcomeKey
from footfall.domain.alerts.firing_decision import Progress
from footfall.domain.alerts.rules import AlertTargetAdded, AlertTargetRemoved, TargetKind
from footfall.domain.examples import NOON

MINUTE = timedelta(minutes=1)
WATCH = Watch(site_id=1, rule=1, revision=1, until=NOON, due_at=NOON)
HARD = "Süß \U0001f600\n'\"\\ \u202e" + "x" * 65_536


def request(key="k1", site_id=1, target=1, **changes):
    made = WebhookRequest(
        key=key, site_id=site_id, target=target, content_type="application/json", body="{}", signed=True
    )
    return evolve(made, **changes)


@pytest.fixture
def watches(pool, request):
    return (
        MemoryAlertWatches()
        if pool is None
        else PostgresAlertWatches(pool, request.getfixturevalue("database_url"))
    )


@pytest.fixture
def queues(pool, event_store):
    """The addresses of targets, and the queue."""
    if pool is None:
        webhooks = MemoryWebhooks(event_store)
        return webhooks, webhooks
    return PostgresTargetAddresses(pool, event_store), PostgresWebhookQueue(pool)


@pytest.fixture
def stored(pool, queues):
    """The addresses of all targets as they are stored."""
    return queues[0] if pool is None else PostgresStoredAddresses(pool)


def appending(event, expected=0):
    return StreamAppend(stream="alerts-1", events=[event], expected=expected), Metadata(Actor(), NOON)


ADDED = AlertTargetAdded(1, TargetKind.SLACK, "team", None)
REMOVED = AlertTargetRemoved(1)


async def test_a_watch_comes_back_as_it_was_saved(watches):
    full = Watch(
        site_id=2**53,
        rule=50,
        revision=2**31 - 1,
        until=NOON,
        due_at=NOON,
        progress=Progress(firing=True, calm=1),
        obstacle=HARD,
    )

    await watches.save([WATCH, full])

    assert await watches.of_site(2**53) == {50: full}
    assert await watches.revisions() == {(1, 1): 1, (2**53, 50): 2**31 - 1}


async def test_watches_are_due_by_their_time_and_few_at_once(watches):
    saved = [evolve(WATCH, rule=rule, due_at=NOON - rule * MINUTE) for rule in range(1, 5)]
    await watches.save([*saved, evolve(WATCH, rule=9, due_at=NOON + MINUTE)])

    assert [one.rule for one in await watches.due(NOON, limit=3)] == [4, 3, 2]


async def test_a_watch_is_replaced_and_forgotten(watches):
    await watches.save([WATCH])
    await watches.save([evolve(WATCH, revision=2)])
    await watches.save([])

    assert await watches.revisions() == {(1, 1): 2}
    await watches.forget([])
    await watches.forget([(1, 1), (1, 7)])
    assert await watches.revisions() == {}


async def test_one_process_evaluates_at_a_time(watches):
    async with watches.lock() as first, watches.lock() as second:
        assert first is not None
        assert second is None
    async with watches.lock() as again:
        assert again is not None


async def test_sites_with_addresses_of_another_secret_are_found(queues, stored):
    addresses, _ = queues
    sealing = SecretSealing(b"a secret")
    address = sealed_address(sealing, TargetAddress("https://example.com/a", "s"))
    await addresses.add(1, 1, address, *appending(ADDED))

    assert await unopened_sites(stored, sealing) == []
    assert await unopened_sites(stored, SecretSealing(b"another")) == [1]


async def test_a_request_is_queued_once_and_claimed_by_one(queues):
    addresses, queue = queues
    await addresses.add(1, 1, TargetAddress("https://example.com/a", "s"), *appending(ADDED))
    await queue.enqueue(request(body=HARD), at=NOON)
    await queue.enqueue(request(body="other"), at=NOON)

    [due] = await queue.claim(NOON, until=NOON + MINUTE, limit=8)

    assert (due.request.body, due.address, due.attempts) == (
        HARD,
        TargetAddress("https://example.com/a", "s"),
        0,
    )
    assert due.queued_at == NOON
    assert await queue.claim(NOON, until=NOON + MINUTE, limit=8) == []
    assert not await queue.is_waiting(NOON)


async def test_a_claim_that_is_not_settled_ends(queues):
    _, queue = queues
    await queue.enqueue(request(), at=NOON)
    await queue.claim(NOON, until=NOON + MINUTE, limit=8)

    assert [
        one.request.key for one in await queue.claim(NOON + MINUTE, until=NOON + 2 * MINUTE, limit=8)
    ] == ["k1"]


async def test_one_request_of_each_site_is_claimed_the_longest_due_first(queues):
    _, queue = queues
    for number, (site_id, minutes) in enumerate([(1, 3), (1, 2), (2, 1), (3, 4)]):
        await queue.enqueue(request(f"k{number}", site_id=site_id), at=NOON - minutes * MINUTE)

    first = await queue.claim(NOON, until=NOON + MINUTE, limit=2)
    second = await queue.claim(NOON, until=NOON + MINUTE, limit=8)

    assert [one.request.key for one in first] == ["k3", "k0"]
    assert [one.request.key for one in second] == ["k1", "k2"]


async def test_sites_with_a_request_under_way_are_left_out(queues):
    _, queue = queues
    for number, site_id in enumerate([1, 2**40, 3]):
        await queue.enqueue(request(f"k{number}", site_id=site_id), at=NOON)

    found = await queue.claim(NOON, until=NOON + MINUTE, limit=8, without={1, 3})

    assert [one.request.key for one in found] == ["k1"]


async def test_a_failed_request_is_due_later_and_says_why(queues):
    _, queue = queues
    await queue.enqueue(request(), at=NOON)
    await queue.claim(NOON, until=NOON + MINUTE, limit=8)

    await queue.postpone("k1", until=NOON + 2 * MINUTE, reason=HARD)

    state = (await queue.latest(1))[1]
    assert (state.outcome, state.attempts, state.reason, state.finished_at) == ("waiting", 1, HARD, None)
    assert not await queue.is_waiting(NOON + MINUTE)
    [due] = await queue.claim(NOON + 2 * MINUTE, until=NOON + 3 * MINUTE, limit=8)
    assert due.attempts == 1


async def test_the_latest_request_of_each_target_is_shown(queues):
    _, queue = queues
    await queue.enqueue(request("a", target=1), at=NOON)
    await queue.enqueue(request("b", target=1), at=NOON + MINUTE)
    await queue.enqueue(request("c", target=2), at=NOON)
    await queue.enqueue(request("d", site_id=2), at=NOON)
    await queue.record_delivered("b", at=NOON + MINUTE)
    await queue.give_up("c", at=NOON + MINUTE, reason="gone")

    found = await queue.latest(1)

    assert {target: (one.outcome, one.reason) for target, one in found.items()} == {
        1: ("delivered", None),
        2: ("given-up", "gone"),
    }
    assert found[1].finished_at == NOON + MINUTE


async def test_finished_requests_are_forgotten_and_stay_finished_before(queues):
    _, queue = queues
    await queue.enqueue(request(), at=NOON)
    await queue.record_delivered("k1", at=NOON)
    await queue.enqueue(request(), at=NOON + MINUTE)
    await queue.postpone("k1", until=NOON, reason="late")
    assert not await queue.is_waiting(NOON + MINUTE)
    await queue.enqueue(request("k2"), at=NOON + MINUTE)

    await queue.forget_finished(delivered_before=NOON + MINUTE, given_up_before=NOON)

    await queue.enqueue(request(), at=NOON + MINUTE)
    found = [await claimed(queue, NOON + MINUTE), await claimed(queue, NOON + MINUTE)]
    # Queued again, which it is not while it is remembered.
    assert [one.request.key for [one] in found] == ["k1", "k2"]


async def test_the_latest_request_of_a_target_that_was_delivered_stays_with_those_given_up_before(queues):
    _, queue = queues
    for number, (site_id, target) in enumerate([(1, 1), (1, 1), (1, 1), (1, 2), (2**53, 1)]):
        key, at = f"k{number}", NOON + number * MINUTE
        await queue.enqueue(request(key, site_id=site_id, target=target), at=at)
        if number == 0:
            await queue.give_up(key, at=at, reason=HARD)
        else:
            await queue.record_delivered(key, at=at)

    await queue.forget_finished(delivered_before=NOON + 9 * MINUTE, given_up_before=NOON)

    found = {site_id: await queue.latest(site_id) for site_id in (1, 2**53)}
    shown = {
        (site_id, target): (one.outcome, one.queued_at)
        for site_id, of_site in found.items()
        for target, one in of_site.items()
    }
    assert shown == {
        (1, 1): ("delivered", NOON + 2 * MINUTE),
        (1, 2): ("delivered", NOON + 3 * MINUTE),
        (2**53, 1): ("delivered", NOON + 4 * MINUTE),
    }


async def test_a_request_that_was_given_up_is_remembered_for_longer(queues):
    _, queue = queues
    await queue.enqueue(request(), at=NOON)
    await queue.give_up("k1", at=NOON, reason="gone")

    await queue.forget_finished(delivered_before=NOON + MINUTE, given_up_before=NOON)
    kept = await queue.latest(1)
    await queue.forget_finished(delivered_before=NOON + MINUTE, given_up_before=NOON + MINUTE)

    assert (kept[1].reason, await queue.latest(1)) == ("gone", {})


END = {"key": "end", "after": "k1", "body": HARD}


async def claimed(queue, at, **changes):
    return await queue.claim(at, **{"until": at + MINUTE, "limit": 8, **changes})


async def test_the_end_of_an_incident_waits_until_its_beginning_has_arrived(queues):
    _, queue = queues
    await queue.enqueue(request(), at=NOON)
    await queue.enqueue(request(**END), at=NOON)
    await queue.postpone("k1", until=NOON + 5 * MINUTE, reason="503")

    waiting = [await queue.is_waiting(NOON + MINUTE), await claimed(queue, NOON + MINUTE)]
    [beginning] = await claimed(queue, NOON + 5 * MINUTE)
    under_way = [await queue.is_waiting(NOON + 5 * MINUTE), await claimed(queue, NOON + 5 * MINUTE)]
    await queue.record_delivered("k1", at=NOON + 5 * MINUTE)
    is_due = await queue.is_waiting(NOON + 5 * MINUTE)
    [end] = await claimed(queue, NOON + 5 * MINUTE)

    assert (waiting, under_way, is_due) == ([False, []], [False, []], True)
    assert (beginning.request.key, beginning.former_failure) == ("k1", None)
    assert (end.request, end.former_failure) == (request(**END), None)


@pytest.mark.parametrize("is_late", [False, True])
async def test_the_end_of_an_incident_knows_that_its_beginning_was_given_up(queues, is_late):
    _, queue = queues
    await queue.enqueue(request(), at=NOON)
    if not is_late:
        await queue.enqueue(request(**END), at=NOON)
    await queue.give_up("k1", at=NOON, reason=HARD)
    if is_late:
        await queue.enqueue(request(**END), at=NOON)

    [end] = await claimed(queue, NOON)

    assert (end.request.key, end.former_failure) == ("end", HARD)


async def test_a_beginning_that_is_forgotten_or_unknown_holds_no_end(queues):
    _, queue = queues
    await queue.enqueue(request(), at=NOON)
    await queue.record_delivered("k1", at=NOON)
    await queue.enqueue(request("k2"), at=NOON + MINUTE)
    await queue.forget_finished(delivered_before=NOON + MINUTE, given_up_before=NOON + MINUTE)
    await queue.enqueue(request(**END), at=NOON)

    [end] = await claimed(queue, NOON)

    assert (end.request.key, end.former_failure) == ("end", None)


async def test_an_end_that_is_held_keeps_no_other_request_of_its_site_waiting(queues):
    _, queue = queues
    await queue.enqueue(request(), at=NOON)
    await queue.enqueue(request(**END), at=NOON)
    await queue.postpone("k1", until=NOON + 5 * MINUTE, reason="503")
    await queue.enqueue(request("other", target=2), at=NOON + MINUTE)

    assert [one.request.key for one in await claimed(queue, NOON + MINUTE)] == ["other"]


async def test_with_its_address_a_target_takes_its_requests_along(queues):
    addresses, queue = queues
    await addresses.add(1, 1, TargetAddress("https://example.com/a"), *appending(ADDED))
    await queue.enqueue(request(), at=NOON)
    await queue.enqueue(request("k2", target=2), at=NOON)

    await addresses.remove(1, 1, *appending(REMOVED, expected=1))

    [due] = await queue.claim(NOON, until=NOON + MINUTE, limit=8)
    assert (due.request.key, due.address.url) == ("k2", "")


async def test_an_address_is_stored_and_forgotten_with_its_event_or_not_at_all(queues, event_store):
    addresses, queue = queues
    await addresses.add(1, 1, TargetAddress("https://example.com/a"), *appending(ADDED))

    with pytest.raises(ConcurrencyConflict):
        await addresses.add(1, 2, TargetAddress("https://example.com/b"), *appending(ADDED))
    with pytest.raises(ConcurrencyConflict):
        await addresses.remove(1, 1, *appending(REMOVED))
    for number in (1, 2):
        await queue.enqueue(request(f"k{number}", target=number), at=NOON)

    due = [*await queue.claim(NOON, until=NOON + MINUTE, limit=8)]
    due += await queue.claim(NOON, until=NOON + MINUTE, limit=8)
    assert [one.address.url for one in due] == ["https://example.com/a", ""]
    assert [one.event for one in await event_store.load("alerts-1")] == [ADDED]


def test_addresses_are_in_no_repr():
    assert "secret" not in repr(TargetAddress("https://example.com/secret", "secret"))


async def test_outcomes_are_read_by_quarters(pool):
    ledger = MemoryTrafficLog() if pool is None else PostgresOutcomeLedger(pool)
    quarter = timedelta(minutes=15)
    bot, denied = OutcomeKey(1, "bot"), OutcomeKey(1, "denied", "invalid_key")
    await ledger.add({(bot, NOON): 2, (denied, NOON): 1, (bot, NOON + quarter): 3}, source="a", number=1)
    late = {(bot, NOON): 2, (bot, NOON + 4 * quarter): 9, (OutcomeKey(2, "bot"), NOON): 5}
    await ledger.add(late, source="a", number=2)

    found = await ledger.read_quarters(1, start=NOON, end=NOON + 4 * quarter)

    assert found == {(bot, NOON): 4, (denied, NOON): 1, (bot, NOON + quarter): 3}
