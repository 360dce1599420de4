"""The reading process of a node, as it composes itself; it imports nothing that it does not need."""

import asyncio
import os
from contextlib import suppress
from pathlib import Path

from footfall.adapters.columns.reader.engine import Engine, Limits
from footfall.adapters.columns.reader.fresh_sets import FreshSets
from footfall.adapters.columns.reader.server import ReaderServer
from footfall.adapters.columns.reader.socket_place import SocketPlace
from footfall.application.reports.turns.queued_turns import QueuedTurns
from footfall.application.reports.turns.report_queue import LEAST_SLOTS, QueueLimits, ReportQueue
from footfall.entrypoints.parent_process import end_with_parent

# After this long without a question the process ends with all of its memory; another one is started.
IDLE_SECONDS = 600.0
# Ingestion and the store come before it.
NICENESS = 10
_LOOK_SECONDS = 5.0
# The rest is for threads, pages that are read, and what comes and goes as frames.
_QUERIES_SHARE = 0.75
_SPILL_FACTOR = 4


def read_reports(data_dir: Path, memory: int) -> None:
    """Read reports until the standard input is closed, or after long idleness; `memory` is in megabytes."""
    asyncio.run(_read(data_dir, memory))


async def _read(data_dir: Path, memory: int) -> None:
    end_with_parent()
    limits = Limits(memory=int(memory * _QUERIES_SHARE), spill=memory * _SPILL_FACTOR)
    place = SocketPlace(data_dir)
    engine = Engine(place.columns, limits, also=[data_dir / "cells"])
    # Rows of a process before this one, which was killed.
    place.clear_left()
    # A slot more than there are processors.
    queue = ReportQueue(QueueLimits(slots=max(LEAST_SLOTS, (os.cpu_count() or 1) + 1)))
    server = ReaderServer(QueuedTurns(queue), engine, FreshSets(engine))
    async with server.listening(place):
        _come_later()
        while not (engine.is_open and server.is_idle and engine.idle_seconds >= IDLE_SECONDS):  # noqa: ASYNC110 - time makes it idle
            await asyncio.sleep(_LOOK_SECONDS)
    await engine.close()


def _come_later() -> None:
    """Let others come before this process, whose session has a priority of its own on Linux.

    Askers wait for a process that starts, so that it starts with the priority of a worker: on a machine whose
    processors are all in use, 0.2 s of processor time would take seconds with the lower one.
    """
    os.setpriority(os.PRIO_PROCESS, 0, max(NICENESS, os.getpriority(os.PRIO_PROCESS, 0)))
    with suppress(OSError):
        Path("/proc/self/autogroup").write_text(str(NICENESS))
