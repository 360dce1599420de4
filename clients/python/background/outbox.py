"""A queue with a thread that delivers it in batches, one request at a time, in order."""

import threading
from collections.abc import Callable

from attrs import define, field

from footfall.client.background.unsent_calls import UnsentCalls
from footfall.client.delivery.attempts import BATCHED, deliver
from footfall.client.delivery.driver import run
from footfall.client.delivery.pending_call import PendingCall
from footfall.client.delivery.transport import Transport
from footfall.client.guard import Guard
from footfall.client.options import QueueSettings

_starting = Guard("Starting the thread that sends")
_sending = Guard("Sending")


@define(eq=False)
class Outbox:
    """Takes calls from any thread; its own thread starts with the first of them."""

    _settings: QueueSettings
    _after_batch: Callable[[], None]
    _transport: Transport = field(init=False)
    _unsent: UnsentCalls = field(init=False)
    _changed: threading.Condition = field(factory=threading.Condition, init=False)
    _hurry: bool = field(default=False, init=False)
    _ended: bool = field(default=False, init=False)
    _stopped: threading.Event = field(factory=threading.Event, init=False)
    _thread: threading.Thread | None = field(default=None, init=False)

    @_transport.default
    def _new_transport(self) -> Transport:
        return Transport(self._settings)

    @_unsent.default
    def _empty_queue(self) -> UnsentCalls:
        return UnsentCalls(self._settings)

    def push(self, call: PendingCall) -> bool:
        """Take a call; return False when the queue is full."""
        with self._changed:
            if self._unsent.full:
                return False
            self._unsent.add(call)
            # The thread waits for the first call, and then for a full batch: it need not wake for each one.
            if len(self._unsent) == 1 or self._unsent.due:
                self._changed.notify()
            if self._thread is None:
                # A process may have no room for another thread: the next call tries again.
                with _starting:
                    self._start()
        return True

    def _start(self) -> None:
        thread = threading.Thread(target=self._work, name="footfall-client", daemon=True)
        thread.start()
        self._thread = thread

    def send(self) -> None:
        """Send the queue without waiting for a full batch."""
        with self._changed:
            self._hurry = True
            self._changed.notify()

    def end(self) -> None:
        """Send the queue, then end the thread."""
        with self._changed:
            self._ended = True
            self._changed.notify()

    def stop(self) -> None:
        """Send no further request; one under way is not waited for."""
        self._stopped.set()
        with self._changed:
            self._unsent.clear()

    def join(self) -> None:
        """Wait for the end of the thread."""
        if self._thread is not None:
            self._thread.join()

    def _work(self) -> None:
        while batch := self._next():
            # The thread goes on whatever fails, such as a handler of the program's log.
            with _sending:
                self._send(batch)
            with self._changed:
                self._unsent.done()
            with _sending:
                self._after_batch()
        self._transport.close()

    def _send(self, batch: list[PendingCall]) -> None:
        try:
            run(deliver(batch, BATCHED, self._settings), self._transport.send, self._pause)
        except Exception:
            for call in batch:
                call.abandon("Sending failed")
            raise

    def _pause(self, delay: float) -> bool:
        return not self._stopped.wait(delay)

    def _next(self) -> list[PendingCall]:
        with self._changed:
            self._changed.wait_for(lambda: self._unsent or self._ended)
            self._changed.wait_for(self._is_due, self._settings.flush_interval)
            batch = self._unsent.take()
            self._hurry = self._hurry and len(self._unsent) > 0
            return batch

    def _is_due(self) -> bool:
        return self._hurry or self._ended or self._unsent.due
