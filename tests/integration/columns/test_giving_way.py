"""The making of files leaves processor time to ingestion."""

import os
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest
from psycopg import sql

from footfall.adapters.postgres.columns.copy_out import PIECE_BYTES, REST_SECONDS, copy_out
from footfall.adapters.postgres.database.connections import connect
from footfall.entrypoints.composition.columns import NICENESS, give_way

PIECES = 6
WIDTH = 1 << 16


async def test_a_copy_rests_after_each_piece(stored, tmp_path):
    rows = PIECES * PIECE_BYTES // WIDTH
    query = sql.SQL("copy (select repeat('x', {}) from generate_series(1, {})) to stdout").format(WIDTH, rows)
    connection = await connect(stored.url)
    began = time.perf_counter()

    with (tmp_path / "copy").open("wb") as target:
        copied = await copy_out(connection, query.as_bytes(), target)

    assert time.perf_counter() - began >= PIECES * REST_SECONDS
    assert (copied, (tmp_path / "copy").stat().st_size) == (rows, rows * (WIDTH + 1))
    await connection.close()


@pytest.mark.skipif(
    sys.platform != "linux", reason="only Linux has processes that run when no others want to"
)
def test_a_process_gives_way():
    command = [sys.executable, "-c", "input()"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True) as process:
        autogroup = Path(f"/proc/{process.pid}/autogroup")
        before = autogroup.read_text() if autogroup.exists() else ""

        give_way(process.pid)

        assert psutil.Process(process.pid).nice() == NICENESS
        assert os.sched_getscheduler(process.pid) == os.SCHED_IDLE
        # Empty where sessions do not share the processors.
        assert not before or autogroup.read_text() == before.replace("nice 0", f"nice {NICENESS}")
        process.communicate(b"\n")


def test_a_process_that_has_ended_needs_not_give_way():
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        process.wait()

        give_way(process.pid)
