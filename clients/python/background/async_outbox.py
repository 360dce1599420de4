"""A queue with a task that delivers it in batches, one request at a time, in order."""

import asyncio
from collections.abc import Callable

from attrs import define, field

from footfall.client.background.unsent_calls import UnsentCalls
from footfall.client.delivery.attempts import BATCHED
from footfall.client.delivery.driver import deliver_async
from footfall.client.delivery.pending_call import PendingCall
from footfall.client.delivery.transport import AsyncTransport
from footfall.client.options import QueueSettings


@define(eq=False)
class AsyncOutbox:
    """Takes calls on one event loop; its task runs while the queue holds any."""

    _settings: QueueSettings
    _after_batch: Callable[[], None]
    _on_cancel: Callable[[], None]
    _transport: AsyncTransport = field(init=False)
    _unsent: UnsentCalls = field(init=False)
    _loop: asyncio.AbstractEventLoop | None = field(default=None, init=False)
    _timer: asyncio.TimerHandle | None = field(default=None, init=False)
    _task: asyncio.Task[None] | None = field(default=None, init=False)

    @_transport.default
    def _new_transport(self) -> AsyncTransport:
        return AsyncTransport(self._settings)

    @_unsent.default
    def _empty_queue(self) -> UnsentCalls:
        return UnsentCalls(self._settings)

    def bind(self) -> None:
        """Bind the client to the running event loop, at its first call.

        Raises:
            RuntimeError: another loop is running; a call that waits for a loop that has ended would never be sent.

        """
        loop = asyncio.get_running_loop()
        if self._loop not in {None, loop}:
            raise RuntimeError("This client belongs to another event loop")
        self._loop = loop

    def push(self, call: PendingCall) -> bool:
        """Take a call; return False when the queue is full."""
        if self._unsent.full:
            return False
        self._unsent.add(call)
        if self._unsent.due:
            self.send()
        elif self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(self._settings.flush_interval, self.send)
        return True

    def send(self) -> None:
        """Start to send the queue, without waiting for a full batch."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._task is None and self._unsent:
            self._task = asyncio.get_running_loop().create_task(self._drain())

    async def stop(self) -> None:
        """Send no further request, and end the one under way."""
        self._unsent.clear()
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        await self._transport.close()

    async def _drain(self) -> None:
        try:
            while batch := self._unsent.take():
                await deliver_async(batch, BATCHED, self._settings, self._transport.send)
                self._after_batch()
        except asyncio.CancelledError:
            self._on_cancel()
            raise
        finally:
            self._unsent.done()
            self._task = None
