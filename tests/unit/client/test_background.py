"""The client whose thread sends."""

import logging
import os
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from footfall.client import (
    BackgroundFootfall,
    ClientClosed,
    DeliveryUnconfirmed,
    EventRefused,
    Footfall,
    QueueFull,
    Receipt,
    Stats,
)
from tests.servers.scripted_server import Reply, refusal
from tests.unit.client.conftest import refused
from tests.waiting import LONG, wait_until


def test_calls_are_gathered_each_with_its_event_id_and_timestamp_in_order(server, queue_options):
    with BackgroundFootfall(**queue_options | {"flush_interval": 60}) as client:
        futures = [client.pageview({"pathname": path}) for path in ("/a", "/b", "/c")]
        client.flush()
        receipts = [future.result() for future in futures]

    assert receipts == [Receipt()] * 3
    (seen,) = server.requests
    assert seen.path == "/api/track/batch"
    events = seen.body["events"]
    assert [event["pathname"] for event in events] == ["/a", "/b", "/c"]
    assert len({event["event_id"] for event in events}) == 3
    assert all(event["timestamp"].endswith("Z") and len(event["timestamp"]) == 24 for event in events)


def test_a_request_holds_at_most_the_size_of_a_batch(server, queue_options):
    with BackgroundFootfall(**queue_options | {"flush_interval": 60}, batch_size=4) as client:
        for _ in range(10):
            client.pageview()
        client.flush()

    sizes = [len(seen.body["events"]) for seen in server.requests]
    assert (max(sizes), sum(sizes)) == (4, 10)


def test_a_request_stays_under_128_kib(server, queue_options):
    with BackgroundFootfall(**queue_options) as client:
        for _ in range(50):
            client.event("big", None, {"text": "ü" * 4_000})

    lengths = [int(seen.headers["content-length"]) for seen in server.requests]
    assert len(server.stored) == 50
    assert len(lengths) > 1
    assert max(lengths) <= 128 * 1024


def test_losses_of_a_full_queue_are_logged_while_a_batch_waits(server, queue_options, caplog):
    server.script = [refusal(429, "Rate limit exceeded.", headers={"retry-after": "300"})]
    client = BackgroundFootfall(**queue_options, queue_size=1)
    client.pageview()
    wait_until(lambda: refused(client))

    client.pageview()
    assert caplog.text == ""
    client._losses.overdue_seconds = 0.0
    client.pageview()
    assert "2 event(s) not delivered, the last one: The queue is full" in caplog.text
    client.close(timeout=0)


def test_a_queue_is_delivered_and_losses_are_logged_before_a_server_ends_and_the_client_goes_on(
    server, queue_options, caplog
):
    with BackgroundFootfall(**queue_options | {"flush_interval": 60}, exit_timeout=0.5) as client:
        # The first connection loads certificates, which can take longer.
        client.pageview({"pathname": "/"})
        client.flush()
        client.pageview({"pathname": "/a"})
        client.deliver()
        assert len(server.stored) == 2

        server.script = [refusal(429, "Rate limit exceeded.", headers={"retry-after": "300"})]
        client.pageview({"pathname": "/b"})
        client.deliver()
        assert "1 event(s) not confirmed at the shutdown of the server" in caplog.text
        client.close(timeout=0)


def test_a_delivery_ends_after_the_line_of_losses_that_another_thread_writes(server, queue_options, caplog):
    writing, may_write = threading.Event(), threading.Event()

    def hold(_record):
        writing.set()
        return may_write.wait(LONG)

    log = logging.getLogger("footfall.client")
    server.script = [refusal(400, "Invalid event")]
    log.addFilter(hold)
    try:
        with BackgroundFootfall(**queue_options) as client, ThreadPoolExecutor(1) as pool:
            client.pageview()
            assert writing.wait(LONG)
            delivery = pool.submit(client.deliver)
            with pytest.raises(TimeoutError):
                delivery.result(0.2)
            # Meanwhile no call waits for the log.
            client.pageview()
            may_write.set()
            delivery.result(LONG)
            assert "1 event(s) not delivered" in caplog.text
    finally:
        may_write.set()
        log.removeFilter(hold)


def test_a_process_without_room_for_a_thread_raises_nothing_and_sends_with_the_next_call(
    server, queue_options
):
    with BackgroundFootfall(**queue_options) as client:
        # As large as all that a process can address.
        usual = threading.stack_size(1 << 47)
        try:
            client.pageview({"pathname": "/a"})
            assert client._outbox._thread is None
        finally:
            threading.stack_size(usual)
        client.pageview({"pathname": "/b"})
        client.flush()

    assert [event["pathname"] for event in server.stored.values()] == ["/a", "/b"]


def test_code_that_interrupts_the_client_waits_for_none_of_its_locks(queue_options):
    def interrupt():
        # As handlers of signals and `__del__` methods do, in the thread that holds the locks.
        with client._outbox._changed, client._ledger._lock, client._losses._lock:
            client.pageview()
            client.error("x" * 300)
            client.stats  # noqa: B018

    client = BackgroundFootfall(**queue_options | {"queue_bytes": 200})
    thread = threading.Thread(target=interrupt, daemon=True)
    thread.start()
    thread.join(LONG)

    assert not thread.is_alive()
    client.close()


def test_a_log_that_fails_does_not_end_the_thread(server, queue_options):
    def broken(_record):
        raise OSError("disk full")

    log = logging.getLogger("footfall.client")
    log.addFilter(broken)
    server.script = [refusal(403, "Access denied"), "garbage"]
    with BackgroundFootfall(**queue_options) as client:
        client.pageview({"pathname": "/a"})
        client.flush()
        wait_until(lambda: client._losses._lost == 0)
        client.pageview({"pathname": "/b"})
        client.flush()
    log.removeFilter(broken)

    assert [event["pathname"] for event in server.stored.values()] == ["/b"]


def test_a_queue_is_bounded_by_its_bytes_too(server, queue_options):
    server.script = ["hang"]
    client = BackgroundFootfall(**queue_options, queue_bytes=2_000, on_error=lambda *_: None)
    futures = [client.event("big", None, {"text": "x" * 900}) for _ in range(5)]
    errors = [future.exception() for future in futures if future.done()]
    client.close(timeout=0)

    assert [type(error) for error in errors] == [QueueFull] * 3


def test_bytes_of_delivered_events_leave_room_for_others(server, queue_options):
    with BackgroundFootfall(**queue_options, queue_bytes=2_000) as client:
        for _ in range(5):
            client.event("big", None, {"text": "x" * 1_500})
            client.flush()

    assert (len(server.stored), client.stats.delivered) == (5, 5)


def test_one_bad_event_of_a_batch_is_refused_alone(server, queue_options):
    details = {"fieldErrors": {"language": ["is too long"]}, "formErrors": []}
    bad = {"success": False, "status": 400, "error": "Invalid payload", "details": details}
    server.judge = lambda event: bad if event["pathname"] == "/bad" else None
    heard = []

    with BackgroundFootfall(**queue_options, on_error=lambda *loss: heard.append(loss)) as client:
        futures = [client.pageview({"pathname": path}) for path in ("/a", "/bad", "/c")]

    error = futures[1].exception()
    assert isinstance(error, EventRefused)
    assert (error.status, error.details) == (400, details)
    assert [future.result() for future in (futures[0], futures[2])] == [Receipt()] * 2
    assert [(loss is error, event["pathname"]) for loss, event in heard] == [(True, "/bad")]


def test_only_the_events_whose_results_ask_for_it_are_sent_again(server, queue_options):
    busy = [{"success": False, "status": 503, "error": "Temporarily unavailable"}]
    server.judge = lambda event: busy.pop() if event["pathname"] == "/b" and busy else None

    with BackgroundFootfall(**queue_options | {"flush_interval": 60}) as client:
        for path in ("/a", "/b"):
            client.pageview({"pathname": path})

    assert [len(seen.body["events"]) for seen in server.requests] == [2, 1]
    assert len(server.stored) == 2


@pytest.mark.parametrize(
    "fault",
    [
        "reset",
        "store-then-reset",
        "garbage",
        Reply(200, {"success": True}),
        Reply(200, {"success": True, "results": []}),
        Reply(200, {"success": True, "results": ["yes", None]}),
        Reply(502, ""),
    ],
)
def test_a_batch_without_a_sensible_answer_is_sent_again_and_stored_once(server, queue_options, fault):
    server.script = [fault]

    with BackgroundFootfall(**queue_options | {"flush_interval": 60}) as client:
        for _ in range(2):
            client.pageview()

    assert (len(server.requests), len(server.stored)) == (2, 2)
    assert server.requests[0].body == server.requests[1].body


def test_a_payload_that_changes_after_the_call_is_sent_as_it_was(server, queue_options):
    payload = {"pathname": "/before"}
    with BackgroundFootfall(**queue_options | {"flush_interval": 60}) as client:
        client.pageview(payload)
        payload["pathname"] = "/after"

    assert [event["pathname"] for event in server.stored.values()] == ["/before"]


def test_a_full_queue_refuses_the_newest_event_and_reports_it(queue_options):
    heard = []
    client = BackgroundFootfall(
        **queue_options | {"flush_interval": 60}, queue_size=2, on_error=lambda *loss: heard.append(loss)
    )

    futures = [client.pageview({"pathname": path}) for path in ("/a", "/b", "/c")]
    client.close()

    assert isinstance(futures[2].exception(), QueueFull)
    assert [event["pathname"] for _, event in heard] == ["/c"]
    assert client.stats == Stats(delivered=2, dropped=1)


def test_the_queue_counts_the_events_under_way(server, queue_options):
    server.script = ["store-then-hang"]
    client = BackgroundFootfall(**queue_options, batch_size=1, queue_size=1, on_error=lambda *_: None)
    client.pageview()
    wait_until(lambda: server.requests)

    future = client.pageview()

    assert isinstance(future.exception(1), QueueFull)
    client.close(0.01)


def test_flush_does_not_wait_for_the_interval(server, queue_options):
    with BackgroundFootfall(**queue_options | {"flush_interval": 60}) as client:
        client.pageview()
        client.flush()

        assert len(server.stored) == 1


def test_close_with_a_timeout_gives_up_the_rest_and_tells_what_was_sent_from_what_was_not(
    server, queue_options
):
    server.script = ["store-then-hang"]
    client = BackgroundFootfall(**queue_options, batch_size=1, on_error=lambda *_: None)
    futures = [client.pageview(), client.pageview()]
    wait_until(lambda: server.requests)

    client.close(0.05)

    assert isinstance(futures[0].exception(0), DeliveryUnconfirmed)
    assert isinstance(futures[1].exception(0), ClientClosed)
    assert client.stats == Stats(unknown=1, dropped=1)


def test_close_cuts_a_pause_short(server, queue_options):
    server.script = [refusal(429, "Rate limit exceeded.", headers={"retry-after": "300"})]
    client = BackgroundFootfall(**queue_options, on_error=lambda *_: None)
    future = client.pageview()
    wait_until(lambda: refused(client))

    client.close(0.05)

    assert isinstance(future.exception(0), ClientClosed)


def test_without_on_error_a_loss_is_logged_gathered(server, queue_options, caplog):
    server.script = [refusal(401, "Invalid API key")]

    with BackgroundFootfall(**queue_options | {"flush_interval": 60}) as client:
        for _ in range(3):
            client.pageview()

    assert caplog.messages == ["3 event(s) not delivered, the last one: Invalid API key"]


def test_a_future_cannot_be_cancelled_because_the_event_is_on_its_way(queue_options):
    with BackgroundFootfall(**queue_options) as client:
        future = client.pageview()
        cancelled = future.cancel()

    assert (cancelled, future.result()) == (False, Receipt())


def test_many_threads_may_share_one_client(server, queue_options):
    with BackgroundFootfall(**queue_options) as client, ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: client.event(f"e{number}"), range(400)))

    assert sorted(event["event_name"] for event in server.stored.values()) == sorted(
        f"e{number}" for number in range(400)
    )
    assert client.stats == Stats(delivered=400)


def test_the_thread_starts_with_the_first_call_and_ends_with_close(queue_options):
    before = senders()
    client = BackgroundFootfall(**queue_options)
    idle = senders() - before
    client.pageview().result()
    busy = senders() - before

    client.close()

    assert [len(threads - before) for threads in (idle, busy, senders())] == [0, 1, 0]


def senders():
    return {thread for thread in threading.enumerate() if thread.name == "footfall-client"}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the platform does not fork")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
@pytest.mark.parametrize("kind", [Footfall, BackgroundFootfall])
def test_a_forked_child_uses_the_client_and_leaves_its_parents_queue_alone(server, queue_options, kind):
    given = queue_options if kind is BackgroundFootfall else {**queue_options, "flush_interval": None}
    given = {name: value for name, value in given.items() if value is not None}
    client = kind(**given)
    client.pageview({"pathname": "/parent"})

    code = in_child(lambda: (client.pageview({"pathname": "/child"}), client.close()))
    client.close()

    assert code == 0
    assert sorted(event["pathname"] for event in server.stored.values()) == ["/child", "/parent"]
    assert len(server.requests) == 2


def in_child(act):
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            act()
            code = 0
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
