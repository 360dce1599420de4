"""The job that keeps the reading process of a node running: one worker at a time does so."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from time import monotonic

from attrs import define, field

from footfall.adapters.columns.locks import holding
from footfall.adapters.columns.reader.client import ReaderAway, ReaderTurns
from footfall.adapters.columns.reader.frames import Message
from footfall.adapters.columns.reader.socket_place import SocketPlace

LOOK_SECONDS = 5.0
# A process that ends sooner than this is started again after as long.
SHORT_LIFE_SECONDS = 1.0
# A process that gives no figures for as long hangs; one that starts has more time.
SILENCE_SECONDS = 20.0
START_SECONDS = 60.0
_END_SECONDS = 2.0

_log = logging.getLogger(__name__)


@define(eq=False)
class ReaderSupervisor:
    """Starts the process, starts it again when it has ended, and ends it with this worker.

    `start` starts a process that ends when its standard input is closed; `show` takes its figures.
    """

    _place: SocketPlace
    _turns: ReaderTurns
    _start: Callable[[], Awaitable[asyncio.subprocess.Process]]
    _show: Callable[[Message], None]
    _look_seconds: float = field(default=LOOK_SECONDS, kw_only=True)
    _silence_seconds: float = field(default=SILENCE_SECONDS, kw_only=True)

    async def run(self) -> None:
        """Keep the process running until cancelled."""
        self._place.prepare()
        async with holding(self._place.lock):
            while True:
                began = monotonic()
                await self._run_one()
                if monotonic() - began < SHORT_LIFE_SECONDS:
                    await asyncio.sleep(SHORT_LIFE_SECONDS)

    async def _run_one(self) -> None:
        process = await self._start()
        try:
            await self._watch(process)
        finally:
            await _end(process)
        if process.returncode:
            _log.warning("the process that reads reports has ended", extra={"status": process.returncode})

    async def _watch(self, process: asyncio.subprocess.Process) -> None:
        """Return when the process has ended, or hangs."""
        ended, until = asyncio.ensure_future(process.wait()), monotonic() + START_SECONDS
        while monotonic() < until:
            done, _ = await asyncio.wait([ended], timeout=self._look_seconds)
            if done:
                return
            with suppress(ReaderAway):
                self._show(await self._turns.figures())
                until = monotonic() + self._silence_seconds
        _log.warning("the process that reads reports does not answer, and is ended")
        process.kill()


async def _end(process: asyncio.subprocess.Process) -> None:
    if process.returncode is None:
        with suppress(ProcessLookupError):
            process.terminate()
        with suppress(TimeoutError):
            async with asyncio.timeout(_END_SECONDS):
                await process.wait()
    if process.returncode is None:
        process.kill()
        await process.wait()
