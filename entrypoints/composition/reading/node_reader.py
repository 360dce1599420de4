"""The reading process of a node, as its workers start it and ask it."""

import asyncio
import sys
from collections.abc import Callable, Mapping

from footfall.adapters.columns.reader.client import ReaderTurns
from footfall.adapters.columns.reader.frames import Message
from footfall.adapters.columns.reader.socket_place import SocketPlace
from footfall.adapters.columns.reader.supervisor import ReaderSupervisor
from footfall.entrypoints.composition.background import Job
from footfall.entrypoints.settings import Settings


def turns_of(settings: Settings) -> ReaderTurns:
    """Return the turns of a node, which its reading process lends."""
    return ReaderTurns(SocketPlace(settings.data_dir))


def reading_job(settings: Settings, turns: ReaderTurns, show: Callable[[Message], None]) -> Mapping[str, Job]:
    """Return the job that keeps the reading process running."""
    place = SocketPlace(settings.data_dir)
    supervisor = ReaderSupervisor(place, turns, lambda: _start(settings), show)
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
