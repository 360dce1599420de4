"""Behaviour of the clients of an event loop alone."""

import asyncio
import gc
import warnings

import pytest

from footfall.client import (
    AsyncBackgroundFootfall,
    AsyncFootfall,
    ClientClosed,
    DeliveryUnconfirmed,
    QueueFull,
    Receipt,
    Stats,
)
from tests.servers.scripted_server import refusal
from tests.unit.client.conftest import refused
from tests.waiting import until


async def test_calls_of_a_queue_are_gathered_without_being_awaited(server, queue_options):
    async with AsyncBackgroundFootfall(**queue_options) as client:
        for path in ("/a", "/b", "/c"):
            client.pageview({"pathname": path})

    (seen,) = server.requests
    assert [event["pathname"] for event in seen.body["events"]] == ["/a", "/b", "/c"]
    assert client.stats == Stats(delivered=3)


async def test_a_request_of_a_queue_holds_at_most_the_size_of_a_batch(server, queue_options):
    async with AsyncBackgroundFootfall(**queue_options, batch_size=4) as client:
        receipts = await asyncio.gather(*(client.pageview() for _ in range(10)))

    assert [len(seen.body["events"]) for seen in server.requests] == [4, 4, 2]
    assert receipts == [Receipt()] * 10


async def test_a_full_queue_refuses_the_newest_event_and_reports_it(server, queue_options):
    heard = []
    async with AsyncBackgroundFootfall(
        **queue_options, queue_size=2, on_error=lambda *loss: heard.append(loss)
    ) as client:
        for path in ("/a", "/b", "/c"):
            client.pageview({"pathname": path})

    assert [(type(error), event["pathname"]) for error, event in heard] == [(QueueFull, "/c")]
    assert len(server.stored) == 2


async def test_flush_does_not_wait_for_the_interval(server, queue_options):
    async with AsyncBackgroundFootfall(**queue_options | {"flush_interval": 60}) as client:
        client.pageview()

        await client.flush()

        assert len(server.stored) == 1


async def test_a_caller_who_stops_waiting_does_not_stop_the_delivery_of_a_queue(server, queue_options):
    async with AsyncBackgroundFootfall(**queue_options | {"flush_interval": 0.1}) as client:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(client.pageview(), 0.01)

    assert (len(server.stored), client.stats) == (1, Stats(delivered=1))


async def test_close_with_a_timeout_gives_up_the_rest_and_tells_what_was_sent_from_what_was_not(
    server, queue_options
):
    server.script = ["store-then-hang"]
    client = AsyncBackgroundFootfall(**queue_options, batch_size=1, on_error=lambda *_: None)
    futures = [client.pageview(), client.pageview()]
    await until(lambda: server.requests)

    await client.close(0.05)

    outcomes = [type(future.exception()) for future in futures]
    assert outcomes == [DeliveryUnconfirmed, ClientClosed]
    assert client.stats == Stats(unknown=1, dropped=1)


async def test_close_gives_up_a_single_call_that_hangs(server, options):
    server.script = ["store-then-hang"]
    client = AsyncFootfall(**options)
    call = asyncio.create_task(client.pageview())
    await until(lambda: server.requests)

    await client.close(0.05)

    with pytest.raises(DeliveryUnconfirmed, match="closed"):
        await call


async def test_a_cancelled_single_call_is_counted_as_unknown(server, options):
    server.script = ["store-then-hang"]
    async with AsyncFootfall(**options) as client:
        call = asyncio.create_task(client.pageview())
        await until(lambda: server.requests)

        call.cancel()

        with pytest.raises(asyncio.CancelledError):
            await call
        assert client.stats == Stats(unknown=1)


def test_a_queue_whose_loop_ends_reports_what_it_lost(server, queue_options):
    server.script = [refusal(429, "Rate limit exceeded.", headers={"retry-after": "300"})]
    heard = []

    async def forget_to_close():
        client = AsyncBackgroundFootfall(**queue_options, on_error=lambda *loss: heard.append(loss))
        client.pageview({"pathname": "/late"})
        await until(lambda: refused(client))
        return client

    client = asyncio.run(forget_to_close())

    assert [(str(error), event["pathname"]) for error, event in heard] == [
        ("The event loop ended before the event was sent", "/late")
    ]
    assert client.stats == Stats(dropped=1)


@pytest.fixture
def collected(caplog):
    """Collect the connection of a loop that has ended, with its warning, before another test meets the warning."""
    yield
    # The logged exceptions refer to the client.
    caplog.get_records("call").clear()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()


@pytest.mark.usefixtures("collected")
def test_a_call_on_another_loop_ends_and_is_logged(options, caplog):
    client = AsyncFootfall(**options)

    async def track():
        await asyncio.wait_for(client.pageview(), 10)

    asyncio.run(track())
    with pytest.raises(DeliveryUnconfirmed, match="Sending failed"):
        asyncio.run(track())

    assert client.stats == Stats(delivered=1, unknown=1)
    assert [(one.name, one.message) for one in caplog.records] == [("footfall.client", "Sending failed")]


def test_a_queue_refuses_to_be_used_on_another_loop(queue_options):
    client = AsyncBackgroundFootfall(**queue_options)

    async def track():
        await client.pageview()

    asyncio.run(track())

    with pytest.raises(RuntimeError, match="another event loop"):
        asyncio.run(track())
    assert client.stats.pending == 0
