"""Keeps failures of the client away from the program that it is part of."""

import logging
from contextlib import suppress
from time import monotonic
from types import TracebackType

from attrs import define, field

log = logging.getLogger("footfall.client")
_PAUSE = 60.0


@define(eq=False)
class Guard:
    """A context that logs an exception instead of raising it; several threads may be in it at once.

    The log has one line a minute, with the class of the exception: its text can hold what a visitor sent.
    """

    _what: str
    _failures: int = field(default=0, init=False)
    _told: float = field(default=-_PAUSE, init=False)

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> bool:
        if not isinstance(error, Exception):
            return False
        self._failures += 1
        if (now := monotonic()) - self._told >= _PAUSE:
            failures, self._failures, self._told = self._failures, 0, now
            # Filters and handlers of the program can fail, too, and then there is no way to tell.
            with suppress(Exception):
                log.error("%s failed %d time(s): %s", self._what, failures, type(error).__name__)
        return True
