"""The reading process of a node, as its workers start it and ask it."""

import asyncio
import sys
from collections.abc import Callable, Mapping

from attrs import field, frozen

from footfall.adapters.columns.reader.client import ReaderTurns
from footfall.adapters.columns.reader.frames import Message
from footfall.adapters.columns.reader.place import SocketPlace
from footfall.adapters.columns.reader.supervisor import ReaderSupervisor
from footfall.application.reports.report_queue import ReportQueue
from footfall.application.reports.turns import QueuedTurns
from footfall.entrypoints.composition.background import Job
from footfall.entrypoints.composition.reading.queue_limits import queue_limits
from footfall.entrypoints.settings import Settings


@frozen
class NodeTurns:
    """The turns of reports: those of the reading process, or without columns those of this worker."""

    reader: ReaderTurns | None
    local: QueuedTurns = field(factory=lambda: QueuedTurns(ReportQueue(queue_limits())))


def turns_of(settings: Settings) -> NodeTurns:
    """Return the turns of a node."""
    return NodeTurns(ReaderTurns(SocketPlace(settings.data_dir)) if settings.columns else None)


def reading_job(settings: Settings, turns: NodeTurns, show: Callable[[Message], None]) -> Mapping[str, Job]:
    """Return the job that keeps the reading process running; none without columns."""
    if turns.reader is None:
        return {}
    place = SocketPlace(settings.data_dir)
    supervisor = ReaderSupervisor(place, turns.reader, lambda: _start(settings), show)
    return {"reader": supervisor.run}


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
