"""Reports an exception once, whichever hooks see it, and never fails."""

import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

from attrs import define, field

from footfall.client.background.threaded import BackgroundFootfall
from footfall.client.delivery.driver import OWN_CODE
from footfall.client.event.payload import Payload
from footfall.client.guard import Guard

# A web socket can live for days: its last exceptions are enough to know one that is logged and raised again.
_MOST_REPORTED = 3
_guard = Guard("Reporting an exception")
# The exception, its class, and the code and line that raised it.
_Identity = tuple[int, ...]


@define(eq=False)
class Scope:
    """The code of one request, or a hook that passes an exception on: what was reported here is not reported again.

    It holds exceptions, and with them all variables of their frames, only until it is left.
    """

    visit: Callable[[], Payload] | None = None
    _reported: deque[BaseException] = field(factory=lambda: deque(maxlen=_MOST_REPORTED), init=False)
    _is_left: bool = field(default=False, init=False)
    _outer: "Scope | None" = field(default=None, init=False)

    def enter(self) -> None:
        """Make this the scope of the code that follows."""
        self._outer = Scope.current()
        SCOPE.set(self)

    def leave(self) -> None:
        """Return to the scope of before, and forget all: tasks that a request has started can live much longer."""
        if self._is_left:
            return
        SCOPE.set(self._outer)
        self.visit = self._outer = None
        self._is_left = True
        self._reported.clear()

    def has_seen(self, error: BaseException) -> bool:
        """Whether the exception was reported here."""
        return any(one is error for one in self._reported)

    def note(self, error: BaseException) -> None:
        """Remember an exception."""
        self._reported.append(error)

    @staticmethod
    def current() -> "Scope | None":
        """Return the scope of the running code; tasks and threads keep one that their request has left."""
        scope = SCOPE.get()
        return None if scope is None or scope._is_left else scope  # noqa: SLF001 - of this class


SCOPE: ContextVar[Scope | None] = ContextVar("footfall_scope", default=None)


class _Last(threading.local):
    """The last exception of this thread, without a reference to it: its frames would stay in memory."""

    identity: _Identity | None = None
    was_logged: bool = False


_last = _Last()


def report(client: BackgroundFootfall, error: BaseException, *, was_logged: bool = False) -> None:
    """Report an exception with the visitor of the request, if there is one.

    Not reported are ends of programs and tasks, exceptions in the client's own code, and one that was reported before.
    """
    with _guard:
        if OWN_CODE.get() or not isinstance(error, Exception) or _is_repeated(error, was_logged=was_logged):
            return
        if (scope := Scope.current()) is not None:
            scope.note(error)
        send(client, error)


def send(
    client: BackgroundFootfall, error: BaseException | str, properties: Mapping[str, str | int] | None = None
) -> None:
    """Queue an error, with the visitor of the request, if there is one."""
    token = OWN_CODE.set(True)
    try:
        scope = Scope.current()
        visit = None if scope is None or scope.visit is None else scope.visit()
        client.error(error, visit, properties)
    finally:
        OWN_CODE.reset(token)


@contextmanager
def passing_on(error: BaseException | None) -> Iterator[None]:
    """Let a former hook see an exception that is, or will be, reported here."""
    outer = Scope.current()
    scope = Scope(None if outer is None else outer.visit)
    if error is not None:
        scope.note(error)
    scope.enter()
    try:
        yield
    finally:
        scope.leave()


def _is_repeated(error: BaseException, *, was_logged: bool) -> bool:
    """Whether the exception was reported before: in the same scope, or outside of one in the log and by another hook.

    Programs log an exception and raise it again, and servers log what applications raise.
    """
    if (scope := Scope.current()) is not None and scope.has_seen(error):
        return True
    identity, last = _identity(error), _last.identity
    repeated = scope is None and identity == last and was_logged != _last.was_logged
    _last.identity, _last.was_logged = None if repeated else identity, was_logged
    return repeated


def _identity(error: BaseException) -> _Identity:
    step = error.__traceback__
    while step is not None and step.tb_next is not None:
        step = step.tb_next
    place = () if step is None else (id(step.tb_frame.f_code), step.tb_lineno)
    return id(error), id(type(error)), *place
