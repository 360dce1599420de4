"""Logs lost events, one line for each batch."""

import logging
import threading

from attrs import define, field

from footfall.client.errors import FootfallError
from footfall.client.event.payload import TrackingEvent

log = logging.getLogger("footfall.client")


@define(eq=False)
class LossLog:
    """Counts lost events, in place of an `on_error` that the caller did not give."""

    _lock: threading.Lock = field(factory=threading.Lock, init=False)
    _lost: int = field(default=0, init=False)
    _last: str = field(default="", init=False)

    def __call__(self, error: FootfallError, _event: TrackingEvent | None, /) -> None:
        """Count one lost event for the next line."""
        with self._lock:
            self._lost += 1
            self._last = error.message

    def write(self) -> None:
        """Log the events lost since the last line."""
        with self._lock:
            lost, self._lost = self._lost, 0
        if lost:
            log.warning("%d event(s) not delivered, the last one: %s", lost, self._last)
