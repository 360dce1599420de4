"""A queue with a thread that delivers it in batches, one request at a time, in order."""

import logging
import threading
from collections.abc import Callable

from footfall.client.delivery import BATCHED, deliver
from footfall.client.driver import run
from footfall.client.entry import Entry
from footfall.client.options import QueueSettings
from footfall.client.transport import Transport
from footfall.client.waiting import Waiting

log = logging.getLogger("footfall.client")


class Outbox:
    """Takes entries from any thread; its own thread starts with the first of them."""

    def __init__(self, settings: QueueSettings, after_batch: Callable[[], None]) -> None:
        self._settings = settings
        self._after_batch = after_batch
        self._transport = Transport(settings)
        self._waiting = Waiting(settings)
        self._changed = threading.Condition()
        self._hurry = False
        self._ended = False
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None

    def push(self, entry: Entry) -> bool:
        """Take an entry; return False when the queue is full."""
        with self._changed:
            if self._waiting.full:
                return False
            self._waiting.add(entry)
            self._changed.notify()
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="footfall-client", daemon=True)
                self._thread.start()
        return True

    def send(self) -> None:
        """Send what waits without waiting for more."""
        with self._changed:
            self._hurry = True
            self._changed.notify()

    def end(self) -> None:
        """Send what waits, then end the thread."""
        with self._changed:
            self._ended = True
            self._changed.notify()

    def stop(self) -> None:
        """Send nothing more; a request under way is left to itself."""
        self._stopped.set()
        with self._changed:
            self._waiting.clear()

    def join(self) -> None:
        """Wait for the end of the thread."""
        if self._thread is not None:
            self._thread.join()

    def _work(self) -> None:
        while batch := self._next():
            try:
                run(deliver(batch, BATCHED, self._settings), self._transport.send, self._pause)
            except Exception:
                log.exception("Sending failed")
                for entry in batch:
                    entry.abandon("Sending failed")
            with self._changed:
                self._waiting.done()
            self._after_batch()
        self._transport.close()

    def _pause(self, delay: float) -> bool:
        return not self._stopped.wait(delay)

    def _next(self) -> list[Entry]:
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._ended)
            self._changed.wait_for(self._is_due, self._settings.flush_interval)
            batch = self._waiting.take()
            self._hurry = self._hurry and len(self._waiting) > 0
            return batch

    def _is_due(self) -> bool:
        return self._hurry or self._ended or self._waiting.due
