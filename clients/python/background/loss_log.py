"""Logs lost events, one line for each batch."""

import logging
import threading
from contextlib import AbstractContextManager
from time import monotonic
from typing import Any

from attrs import define, field

from footfall.client.errors import FootfallError
from footfall.client.event.payload import TrackingEvent

log = logging.getLogger("footfall.client")
# A batch that is refused for now can wait for a quarter of an hour, and the queue be full meanwhile.
OVERDUE_SECONDS = 10.0


@define(eq=False)
class LossLog:
    """Counts lost events, in place of an `on_error` that the caller did not give."""

    overdue_seconds: float = OVERDUE_SECONDS
    # Handlers of signals and `__del__` methods can interrupt the client and track events, too.
    _lock: AbstractContextManager[Any] = field(factory=threading.RLock, init=False)
    _writing: Any = field(factory=threading.RLock, init=False)
    _lost: int = field(default=0, init=False)
    _last: str = field(default="", init=False)
    _since: float = field(default=0.0, init=False)

    def __call__(self, error: FootfallError, _event: TrackingEvent | None, /) -> None:
        """Count one lost event for the next line."""
        with self._lock:
            self._since = self._since if self._lost else monotonic()
            self._lost += 1
            self._last = error.message

    def write(self) -> None:
        """Log the events lost since the last line; return when a line that another thread writes is complete."""
        with self._writing:
            with self._lock:
                lost, self._lost = self._lost, 0
            if lost:
                log.warning("%d event(s) not delivered, the last one: %s", lost, self._last)

    def write_overdue(self) -> None:
        """Log the events lost since the last line, if the first of them was lost a while ago."""
        if not self._lost or monotonic() - self._since < self.overdue_seconds:
            return
        # The call can come from a handler of the program's log, for which the thread that writes waits.
        if self._writing.acquire(blocking=False):
            try:
                self.write()
            finally:
                self._writing.release()
