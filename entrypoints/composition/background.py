"""Tasks that run beside the requests for as long as the process lives."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from contextvars import Context, copy_context

from attrs import define, field

from footfall.entrypoints.log_fields import FIELDS

RESTART_SECONDS = 1.0

_log = logging.getLogger(__name__)

Job = Callable[[], Awaitable[None]]


@define
class Background:
    """Keeps jobs running: a job that fails is logged and started again.

    Each line that a job logs has the `log_fields`.
    """

    _jobs: Mapping[str, Job]
    _log_fields: Mapping[str, str] = field(factory=dict, kw_only=True)
    _tasks: list[asyncio.Task[None]] = field(factory=list, init=False)

    def start(self) -> None:
        """Start all jobs on the running loop."""
        self._tasks = [
            asyncio.create_task(_keep(name, job), name=name, context=self._context())
            for name, job in self._jobs.items()
        ]

    async def stop(self) -> None:
        """Cancel all jobs and return when each has ended."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _context(self) -> Context:
        context = copy_context()
        context.run(FIELDS.set, self._log_fields)
        return context


async def _keep(name: str, job: Job) -> None:
    while True:
        try:
            await job()
        except Exception:  # noqa: BLE001 - any failure is logged, and the job is started again
            _log.exception("background job failed, starting it again", extra={"job": name})
        await asyncio.sleep(RESTART_SECONDS)
