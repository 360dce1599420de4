"""A watch over something that must not end, which brings it back when it does."""

import logging
import threading
import time
from collections.abc import Callable

from attrs import frozen

_log = logging.getLogger(__name__)


@frozen(kw_only=True)
class Pace:
    """How often to look and how long to wait between attempts, in seconds."""

    look: float = 0.2
    first_pause: float = 0.1
    longest_pause: float = 10.0
    steady: float = 1.0


class Supervisor:
    """A thread of the process that makes it; a forked process has no such thread and needs none.

    It shares nothing with other threads but an event that ends the watch, so a fork at any moment is safe.
    """

    def __init__(
        self,
        *,
        alive: Callable[[], bool],
        revive: Callable[[], None],
        failure: type[Exception],
        pace: Pace | None = None,
    ) -> None:
        self._alive = alive
        self._revive = revive
        self._failure = failure
        self._pace = pace or Pace()
        self._pause = 0.0
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="footfall-supervisor", daemon=True)

    def start(self) -> None:
        """Begin to watch."""
        self._thread.start()

    def stop(self) -> None:
        """End the watch; an attempt that is under way is finished first."""
        self._ending.set()
        self._thread.join()

    def _watch(self) -> None:
        since = time.monotonic()
        while not self._ending.wait(self._pace.look):
            if not self._alive():
                self._bring_back(time.monotonic() - since)
                since = time.monotonic()

    def _bring_back(self, lived: float) -> None:
        if lived > self._pace.steady:
            self._pause = 0.0
        if self._ending.wait(self._pause):
            return
        self._pause = min(max(self._pace.first_pause, 2 * self._pause), self._pace.longest_pause)
        try:
            self._revive()
        except self._failure as error:
            _log.error("%s", error)
