"""Logs losses, gathered: a line for each of thousands helps nobody."""

import logging
import threading

from footfall.client.errors import FootfallError
from footfall.client.payload import TrackingEvent

log = logging.getLogger("footfall.client")


class LossLog:
    """What a client with a queue does with losses when it was given no `on_error`."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._lost = 0
        self._last = ""

    def __call__(self, error: FootfallError, _event: TrackingEvent | None, /) -> None:
        """Note a loss for the next line."""
        with self._lock:
            self._lost += 1
            self._last = error.message

    def write(self) -> None:
        """Log what was noted since the last line."""
        with self._lock:
            lost, self._lost = self._lost, 0
        if lost:
            log.warning("%d event(s) not delivered, the last one: %s", lost, self._last)
