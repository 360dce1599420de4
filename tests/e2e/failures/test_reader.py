"""The process that reads reports is killed while events are sent and reports are asked, and ends with the service."""

import asyncio
import contextlib
import signal
import time
from urllib.parse import quote

import psutil
import pytest

from tests.e2e.failures.faults import assert_kept, stored
from tests.e2e.load import send_events
from tests.e2e.service import running
from tests.waiting import LONG, wait_until

_BROWSER = '[{"parameter":"browser","type":"equals","value":["Firefox"]}]'
FILTERED = f"/api/sites/1/overview?past_minutes_start=43200&past_minutes_end=0&filters={quote(_BROWSER)}"


def readers(service):
    """Return the reading processes of the service."""
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            command = process.cmdline()
            if "footfall.entrypoints.reader" in command and str(service.data_dir) in command:
                found.append(process)
    return found


def reader_of(service):
    """Wait for the one reading process of the service."""
    return wait_until(lambda: next(iter(readers(service)), None))


async def kill_while_asked(service, key, kills):
    """Kill the process again and again; return what was sent, and the answers of a report with their times."""
    ended, answers = asyncio.Event(), []

    async def kill():
        for _ in range(kills):
            await asyncio.sleep(1.5)
            (await asyncio.to_thread(reader_of, service)).kill()
        await asyncio.sleep(5.0)
        ended.set()

    async def ask():
        while not ended.is_set():
            began = time.monotonic()
            status, body = await asyncio.to_thread(service.get, FILTERED, key=key)
            answers.append((status, body, began, time.monotonic()))

    sending = send_events(service.port, connections=4, until=lambda _: ended.is_set())
    ledger, *_ = await asyncio.gather(sending, kill(), *(ask() for _ in range(3)))
    return ledger, answers


@pytest.mark.alone
def test_a_killed_reader_costs_no_event_and_reports_are_soon_back(data_dir):
    with running(data_dir) as service:
        key = service.first_key()
        reader_of(service)
        wait_until(lambda: service.get(FILTERED, key=key)[0] == 200)

        ledger, answers = asyncio.run(kill_while_asked(service, key, 3))
        service.settle()
        wait_until(lambda: service.get(FILTERED, key=key)[0] == 200)
        _, body = service.get(FILTERED, key=key)

        assert {one for one, *_ in answers} <= {200, 503}
        assert body["data"]["sessions"] > 0
        assert len(ledger.refused) == 0
        assert all(ended - began < LONG for *_, began, ended in answers)
        service.stop()
        assert_kept(ledger, stored(service))


@pytest.mark.parametrize("fatal", [signal.SIGTERM, signal.SIGKILL])
def test_the_reader_ends_with_the_service(data_dir, fatal):
    with running(data_dir) as service:
        reader = reader_of(service)

        if fatal is signal.SIGTERM:
            service.stop()
        else:
            service.kill_everything()

        assert wait_until(lambda: not reader.is_running() or reader.status() == psutil.STATUS_ZOMBIE)
        assert readers(service) == []


def test_another_worker_keeps_the_reader_running_when_its_own_is_killed(data_dir):
    with running(data_dir) as service:
        first = reader_of(service)
        first.parent().kill()

        wait_until(lambda: [one.pid for one in readers(service)] not in ([], [first.pid]))
        key = service.first_key()
        wait_until(lambda: service.get(FILTERED, key=key)[0] == 200)
        assert wait_until(lambda: len(readers(service)) == 1)
