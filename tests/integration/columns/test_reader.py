"""The reading process: its turns, its queries, its socket, and what happens when one of the ends is killed."""

import asyncio
import os
import signal
import stat
import struct
import sys
import time
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import pytest
from attrs import evolve

from footfall.adapters.columns.queries import ColumnsFailed, Reason
from footfall.adapters.columns.reader.client import ReaderAway, ReaderTurns
from footfall.adapters.columns.reader.frames import LARGEST, Malformed, decode, encode
from footfall.adapters.columns.reader.socket_place import LONGEST_ADDRESS, PlaceTaken, SocketPlace
from footfall.adapters.columns.reader.supervisor import ReaderSupervisor
from footfall.application.ports.reports.askers import Asker, ReportsBusy
from footfall.entrypoints.composition.reading.reader_process import NICENESS
from tests.waiting import LONG, until

ENDLESS = "select count(*) from range(9000000000000) as one where range % $seven = 7"
MEMBER, OTHER = Asker.of("acme", belongs=True), Asker.of("other", belongs=True)
MAIL = Asker.scheduled_for(1)


class Node:
    """A data directory, the reading process that a supervisor keeps running, and the way to it."""

    def __init__(self, data_dir, memory=128, **limits):
        self.data_dir, self.memory = data_dir, memory
        (data_dir / "columns").mkdir(parents=True, mode=0o700)
        self.place = SocketPlace(data_dir)
        self.turns = ReaderTurns(self.place)
        self.processes, self.figures = [], []
        # Others may be given less time than the supervisor.
        turns = evolve(self.turns, figures_seconds=limits.pop("figures_seconds", 5.0))
        self.supervisor = ReaderSupervisor(self.place, turns, self.start, self.figures.append, **limits)

    async def start(self):
        """Start a process as a worker does."""
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "footfall.entrypoints.reader", str(self.data_dir), str(self.memory)),
            stdin=asyncio.subprocess.PIPE,
        )
        self.processes.append(process)
        return process

    @property
    def process(self):
        """The latest process."""
        return self.processes[-1]

    async def ready(self):
        """Wait until the process answers."""
        async with asyncio.timeout(LONG):
            while True:
                try:
                    return await self.turns.figures()
                except ReaderAway:
                    await asyncio.sleep(0.02)

    async def running(self):
        """Return how many have a turn."""
        figures = await self.ready()
        return sum(figures["running"].values())


@asynccontextmanager
async def supervised(node):
    """Keep the process of a node running during the block."""
    keeping = asyncio.create_task(node.supervisor.run())
    try:
        await node.ready()
        yield node
    finally:
        keeping.cancel()
        await asyncio.gather(keeping, return_exceptions=True)


@pytest.fixture
async def node(tmp_path):
    async with supervised(Node(tmp_path / "data")) as node:
        yield node


async def until_running(node, number):
    """Wait until so many have a turn."""
    async with asyncio.timeout(LONG):
        while await node.running() != number:
            await asyncio.sleep(0.02)


async def asked(node, asker, text="select 1", **parameters):
    """Ask one query in a turn."""
    async with node.turns.turn(asker) as turn:
        return await turn.query(text, parameters)


async def test_a_process_comes_after_others_only_when_it_listens(tmp_path):
    node = Node(tmp_path / "data")
    node.place.prepare()
    before, own = [], os.getpriority(os.PRIO_PROCESS, 0)

    process = await node.start()
    while True:
        priority = os.getpriority(os.PRIO_PROCESS, process.pid)
        if node.place.socket.exists():
            break
        before.append(priority)
        await asyncio.sleep(0.005)
    await node.ready()

    assert set(before) == {own}
    assert os.getpriority(os.PRIO_PROCESS, process.pid) == max(own, NICENESS)
    process.stdin.close()
    await process.wait()


async def test_queries_are_answered_in_a_turn(node):
    async with node.turns.turn(MEMBER) as turn:
        first = await turn.query("select $one::bigint, $two, [1, 2]", {"one": 1, "two": "ä\x00\udc80"[:2]})
        second = await turn.query(
            "select $at < now(), null, 1.5::decimal(3,1)", {"at": datetime(2026, 1, 1, tzinfo=UTC)}
        )

    assert first == [(1, "ä\x00", [1, 2])]
    assert second == [(True, None, Decimal("1.5"))]


async def test_failures_keep_their_reason(node):
    async with node.turns.turn(MEMBER) as turn:
        for text, reason in (
            ("select * from read_parquet('/etc/hostname')", Reason.OTHER),
            ("set threads = 8", Reason.OTHER),
            ("select uuid()", Reason.OTHER),
            (f"select * from read_parquet('{node.data_dir}/columns/none.parquet')", Reason.FILE),
            ("select list(i) from range(100000000) as one (i)", Reason.MEMORY),
        ):
            with pytest.raises(ColumnsFailed) as failure:
                await turn.query(text, {})
            assert failure.value.reason is reason
        with pytest.raises(ColumnsFailed) as failure:
            await turn.query("select 1", {}, ["(a{255}){255}"])
        assert failure.value.reason is Reason.EXPRESSION
        with pytest.raises(ColumnsFailed):
            await turn.query("select $large", {"large": "x" * (LARGEST + 1)})

        assert await turn.query("select 1", {}) == [(1,)]


async def test_only_the_owner_reaches_the_socket(node):
    assert stat.S_IMODE(node.place.directory.stat().st_mode) == 0o700
    assert stat.S_IMODE(node.place.socket.stat().st_mode) == 0o600
    assert node.place.directory == node.data_dir / "reader"


async def test_a_long_data_directory_has_its_socket_elsewhere(tmp_path):
    node = Node(tmp_path / ("long" * 30))

    async with supervised(node):
        assert node.place.directory.parent == Path("/tmp")
        assert len(os.fsencode(node.place.socket)) <= LONGEST_ADDRESS
        assert stat.S_IMODE(node.place.directory.stat().st_mode) == 0o700
        assert await asked(node, MEMBER) == [(1,)]

    for path in node.place.directory.iterdir():
        path.unlink()
    node.place.directory.rmdir()


async def test_a_directory_that_others_may_enter_is_refused(tmp_path):
    node = Node(tmp_path / "data")
    node.place.directory.mkdir()
    node.place.directory.chmod(0o755)

    with pytest.raises(PlaceTaken):
        node.place.prepare()
    with pytest.raises(ReaderAway):
        await asked(node, MEMBER)


@pytest.mark.parametrize(
    "sent",
    [
        b"no frame at all, but long enough for a length",
        struct.pack(">I", LARGEST + 1),
        struct.pack(">I", 2) + b"[]",
        struct.pack(">I", 4) + b"\xff\xfe\xfd\xfc",
        struct.pack(">I", 3) + b'{"a',
        encode({"party": "acme", "kind": "king"}),
        encode({"party": 7, "kind": "member"}),
        encode({"party": "acme", "kind": "member"}) + encode({"text": "select 1"}),
        encode({"party": "acme", "kind": "member"})
        + encode({"text": 1, "parameters": {}, "expressions": []}),
    ],
)
async def test_malformed_frames_end_their_connection_only(node, sent):
    reader, writer = await asyncio.open_unix_connection(str(node.place.socket))
    writer.write(sent)
    async with asyncio.timeout(LONG):
        await reader.read()
    writer.close()

    assert await node.running() == 0
    assert await asked(node, MEMBER) == [(1,)]
    assert len(node.processes) == 1


def test_what_is_no_message_is_not_read():
    for body in (b"", b"[" * 100_000, b"{}x", b"1", b'{"a": {"time": "never"}}', b'{"a": {"decimal": "x"}}'):
        with pytest.raises(Malformed):
            decode(body)


async def test_a_killed_process_is_back_at_once_and_its_queries_fail(node):
    node.turns = evolve(node.turns, away_seconds=LONG)
    async with node.turns.turn(MEMBER) as turn, node.turns.turn(MEMBER):
        endless = asyncio.create_task(turn.query(ENDLESS, {"seven": 7}))
        waiting = [asyncio.create_task(asked(node, MEMBER)) for _ in range(4)]
        await asyncio.sleep(0.2)

        node.process.send_signal(signal.SIGKILL)
        with pytest.raises(ReaderAway):
            await endless
        # What waits for its turn has asked nothing: it waits for the next process.
        await asyncio.gather(*waiting)
        assert len(node.processes) == 2
        with pytest.raises(ReaderAway):
            await turn.query("select 1", {})

    assert await asked(node, MEMBER) == [(1,)]
    assert len(node.processes) == 2


async def test_a_process_that_hangs_is_replaced(tmp_path):
    short = {"look_seconds": 0.2, "figures_seconds": 0.2, "silence_seconds": 1.0}
    async with supervised(Node(tmp_path / "data", **short)) as node:
        await until(lambda: node.figures)
        node.process.send_signal(signal.SIGSTOP)

        await until(lambda: len(node.processes) == 2, seconds=LONG)

        await node.ready()


async def test_without_a_process_callers_are_told_soon_and_scheduled_askers_wait(tmp_path):
    node = Node(tmp_path / "data")
    node.place.prepare()
    began = time.monotonic()
    with pytest.raises(ReaderAway):
        await asked(node, MEMBER)
    assert time.monotonic() - began < 2.0 * 5

    mail = asyncio.create_task(asked(node, MAIL))
    await asyncio.sleep(2.0)
    assert not mail.done()
    async with supervised(node):
        assert await mail == [(1,)]


async def test_the_turn_of_a_killed_worker_ends_and_its_query_is_interrupted(node):
    worker = await asyncio.create_subprocess_exec(
        *(sys.executable, str(Path(__file__).with_name("asking.py")), str(node.data_dir), ENDLESS)
    )
    await until_running(node, 2)
    waiting = asyncio.create_task(asked(node, MEMBER))
    await asyncio.sleep(0.2)
    assert not waiting.done()

    worker.kill()
    await worker.wait()

    assert await waiting == [(1,)]
    await until_running(node, 0)


async def test_a_party_leaves_a_slot_to_others_and_a_full_queue_is_refused(node):
    async with node.turns.turn(MEMBER), node.turns.turn(MEMBER):
        waiting = [asyncio.create_task(asked(node, MEMBER)) for _ in range(65)]

        done, _ = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED, timeout=LONG)
        assert await asked(node, OTHER) == [(1,)]
        assert await asked(node, MAIL) == [(1,)]

        for one in waiting:
            one.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
    with pytest.raises(ReportsBusy) as refusal:
        done.pop().result()
    assert refusal.value.retry_after >= 1


async def test_a_process_ends_with_its_parent(tmp_path):
    node = Node(tmp_path / "data")
    process = await node.start()
    await node.ready()
    async with node.turns.turn(MEMBER) as turn:
        endless = asyncio.create_task(turn.query(ENDLESS, {"seven": 7}))
        await asyncio.sleep(0.3)

        process.stdin.close()

        async with asyncio.timeout(LONG):
            assert await process.wait() == 0
        with pytest.raises(ReaderAway):
            await endless


async def test_figures_are_shown(tmp_path):
    async with supervised(Node(tmp_path / "data", look_seconds=0.05)) as node:
        await asked(node, MEMBER)
        node.process.kill()

        await until(lambda: node.figures, seconds=LONG)

    assert node.figures[0]["waiting"] == {"member": 0, "guest": 0, "scheduled": 0}


@pytest.mark.skipif(not Path("/proc/self/smaps_rollup").exists(), reason="only Linux tells")
async def test_at_rest_a_process_is_small(node):
    rollup = await asyncio.to_thread(Path(f"/proc/{node.process.pid}/smaps_rollup").read_text)
    [pss] = [int(line.split()[1]) for line in rollup.splitlines() if line.startswith("Pss:")]

    assert pss < 80 * 1024
