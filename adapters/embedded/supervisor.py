"""A watch over something that must not end, which brings it back when it does."""

import logging
import threading
import time
from collections.abc import Callable

from attrs import define, field, frozen

_log = logging.getLogger(__name__)


@frozen(kw_only=True)
class Pace:
    """Intervals of checks and pauses between attempts, in seconds."""

    look: float = 0.2
    first_pause: float = 0.1
    longest_pause: float = 10.0
    steady: float = 1.0


@define(eq=False, kw_only=True)
class Supervisor:
    """A thread of the process that makes it; a forked process has no such thread and needs none.

    It shares nothing with other threads but an event that ends the watch, so a fork at any moment is safe.
    """

    _alive: Callable[[], bool]
    _revive: Callable[[], None]
    _failure: type[Exception]
    _pace: Pace = Pace()
    _pause: float = field(default=0.0, init=False)
    _ending: threading.Event = field(factory=threading.Event, init=False)
    _thread: threading.Thread = field(init=False)

    @_thread.default
    def _watching_thread(self) -> threading.Thread:
        return threading.Thread(target=self._watch, name="footfall-supervisor", daemon=True)

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
