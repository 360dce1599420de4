"""Turns for reports inside of one process: the queue, and those who wait for it."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from itertools import count
from time import monotonic

from attrs import define, field

from footfall.application.ports.reports.askers import Asker, ReportsBusy
from footfall.application.reports.turns.report_queue import Moves, ReportQueue

RETRY_SECONDS = 5


@define(eq=False)
class QueuedTurns:
    """Lends turns in the order of a queue."""

    queue: ReportQueue = field(factory=ReportQueue)
    _time: Callable[[], float] = monotonic
    _numbers: "count[int]" = field(factory=count, init=False)
    _waiting: dict[int, asyncio.Future[None]] = field(factory=dict, init=False)
    _timer: asyncio.TimerHandle | None = field(default=None, init=False)

    @asynccontextmanager
    async def turn(self, asker: Asker) -> AsyncIterator[None]:
        """Lend a turn when it is the asker's.

        Raises:
            ReportsBusy: too many others wait, or it has waited for too long.

        """
        ticket = next(self._numbers)
        waiting = self._waiting[ticket] = asyncio.get_running_loop().create_future()
        try:
            self._follow(self.queue.ask(ticket, asker, self._time()))
            await waiting
            yield
        finally:
            self._waiting.pop(ticket, None)
            self._follow(self.queue.leave(ticket, self._time()))

    def _follow(self, moves: Moves) -> None:
        for ticket in moves.begun:
            self._settle(ticket, None)
        for ticket in moves.refused:
            self._settle(ticket, ReportsBusy(RETRY_SECONDS))
        self._set_timer()

    def _settle(self, ticket: int, refusal: ReportsBusy | None) -> None:
        waiting = self._waiting.get(ticket)
        if waiting is None or waiting.done():
            # It has left in the meantime, and says so to the queue next.
            return
        if refusal is None:
            waiting.set_result(None)
        else:
            waiting.set_exception(refusal)

    def _set_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        at = self.queue.next_at()
        if at is not None:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(max(0.0, at - self._time()), self._advance)

    def _advance(self) -> None:
        self._timer = None
        self._follow(self.queue.advance(self._time()))
