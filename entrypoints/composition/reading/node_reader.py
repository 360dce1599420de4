"""The reading process of a node, as its workers start it and ask it."""

import asyncio
import sys
from collections.abc import Mapping
from functools import partial

from footfall.adapters.columns.reader.client import ReaderTurns
from footfall.adapters.columns.reader.frames import Message
from footfall.adapters.columns.reader.socket_place import SocketPlace
from footfall.adapters.columns.reader.supervisor import ReaderSupervisor
from footfall.adapters.prometheus.families import READER_MEMORY_BYTES, REPORTS_RUNNING, REPORTS_WAITING
from footfall.adapters.prometheus.metrics import SharedMetrics
from footfall.entrypoints.composition.background import Job
from footfall.entrypoints.settings import Settings


def turns_of(settings: Settings) -> ReaderTurns:
    """Return the turns of a node, which its reading process lends."""
    return ReaderTurns(SocketPlace(settings.data_dir))


def reading_job(settings: Settings, turns: ReaderTurns, metrics: SharedMetrics) -> Mapping[str, Job]:
    """Return the job that keeps the reading process running."""
    place = SocketPlace(settings.data_dir)
    supervisor = ReaderSupervisor(place, turns, lambda: _start(settings), partial(_show, metrics))
    return {"reader": supervisor.run}


def _show(metrics: SharedMetrics, figures: Message) -> None:
    """Show the figures of the reading process; only the worker that keeps it running knows them."""
    metrics.gauge(READER_MEMORY_BYTES, figures["memory"])
    for kind, waiting in figures["waiting"].items():
        metrics.gauge(REPORTS_WAITING, waiting, kind)
    for kind, running in figures["running"].items():
        metrics.gauge(REPORTS_RUNNING, running, kind)


async def _start(settings: Settings) -> asyncio.subprocess.Process:
    """Start the process, which ends when its standard input is closed."""
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "footfall.entrypoints.reader",
        str(settings.data_dir),
        str(settings.report_memory),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.DEVNULL,
        start_new_session=True,
    )
