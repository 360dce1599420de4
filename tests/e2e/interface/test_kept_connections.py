"""Each request on a kept connection gets its answer in its turn, and a connection that is over leaves no memory."""

import asyncio
import contextlib
import subprocess
import sys

import pytest

from tests.e2e.conversations import come_and_go, converse
from tests.e2e.failures.faults import assert_kept, stored
from tests.e2e.service import running

CONNECTIONS = 40
UNLIMITED = {"FOOTFALL_RATE_LIMIT": "off"}


@contextlib.contextmanager
def busy_machine():
    """Two processes that take the time of two cores."""
    with contextlib.ExitStack() as stack:
        for _ in range(2):
            process = stack.enter_context(subprocess.Popen([sys.executable, "-c", "while True: pass"]))
            stack.callback(process.kill)
        yield


@pytest.mark.parametrize(
    "requests",
    [1_200, pytest.param(20_000, marks=[pytest.mark.thorough, pytest.mark.alone])],
)
def test_each_request_on_a_kept_connection_is_answered_in_its_turn(data_dir, requests):
    with running(data_dir, environment=UNLIMITED) as service, busy_machine():
        outcome = asyncio.run(
            converse(service.port, service.first_key(), requests=requests, connections=CONNECTIONS)
        )
        service.stop()
        found = stored(service)

    assert outcome.faults == []
    assert outcome.answered > requests * 0.8
    assert_kept(outcome.ledger, found)


@pytest.mark.thorough
@pytest.mark.alone
def test_connections_that_are_over_leave_no_memory(data_dir):
    with running(data_dir, environment=UNLIMITED) as service:
        # By then what waits to be collected, some 110 MB in each worker, grows no more.
        asyncio.run(come_and_go(service.port, 50_000))
        before = resident(service)
        asyncio.run(come_and_go(service.port, 50_000))
        after = resident(service)

    # 1 kB of each connection, kept for ever, would be as much.
    assert after - before < 50 << 20


def resident(service):
    return sum(worker.memory_info().rss for worker in service.workers())
