"""Tasks that run beside the requests for as long as the process lives."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping

RESTART_SECONDS = 1.0

_log = logging.getLogger(__name__)

Job = Callable[[], Awaitable[None]]


class Background:
    """Keeps jobs running: one that fails is reported and started again."""

    def __init__(self, jobs: Mapping[str, Job]) -> None:
        self._jobs = dict(jobs)
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Start all jobs on the running loop."""
        self._tasks = [asyncio.create_task(_keep(name, job), name=name) for name, job in self._jobs.items()]

    async def stop(self) -> None:
        """Cancel all jobs and return when each has ended."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


async def _keep(name: str, job: Job) -> None:
    while True:
        try:
            await job()
        except Exception:  # noqa: BLE001 - whatever it was is logged, and the job must go on
            _log.exception("background job failed, starting it again", extra={"job": name})
        await asyncio.sleep(RESTART_SECONDS)
