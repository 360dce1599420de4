"""Counts the calls of a client by result, and reports each one that was not confirmed."""

import logging
import threading
from collections import Counter
from contextlib import AbstractContextManager
from typing import Any

from attrs import define, field, frozen

from footfall.client.delivery.pending_call import PendingCall
from footfall.client.errors import ClientClosed, FootfallError, QueueFull
from footfall.client.options import OnError
from footfall.client.receipt import Receipt

log = logging.getLogger("footfall.client")


@frozen
class Stats:
    """Counts of the calls so far; the five numbers add up to the calls made.

    `refused`: the service refused the event, or it was invalid and not sent. `unknown`: sent and not confirmed.
    `dropped`: not sent, because the queue was full or the client closed.
    """

    delivered: int = 0
    refused: int = 0
    unknown: int = 0
    dropped: int = 0
    pending: int = 0


@define(eq=False)
class CallLedger:
    """The open calls of one client and the counts of the settled ones; several threads may use it."""

    _on_error: OnError | None
    # Handlers of signals and `__del__` methods can interrupt the client and track events, too.
    _lock: AbstractContextManager[Any] = field(factory=threading.RLock, init=False)
    _open: dict[PendingCall, None] = field(factory=dict, init=False)
    _counts: Counter[str] = field(factory=Counter, init=False)

    def add(self) -> PendingCall:
        """Return a new open call."""
        call = PendingCall(self.settle)
        with self._lock:
            self._open[call] = None
        return call

    @property
    def open(self) -> list[PendingCall]:
        """The calls that are not settled."""
        with self._lock:
            return list(self._open)

    @property
    def stats(self) -> Stats:
        """The counts so far."""
        with self._lock:
            return Stats(**self._counts, pending=len(self._open))

    def settle(self, call: PendingCall, outcome: Receipt | FootfallError) -> None:
        """Settle a call: count it, report it unless it was confirmed, and end its future."""
        if not self._close(call, _kind(outcome)):
            return
        if isinstance(outcome, Receipt):
            call.future.set_result(outcome)
        else:
            self._report(outcome, call)
            call.future.set_exception(outcome)

    def abandon(self, why: str) -> None:
        """Give up every open call."""
        for call in self.open:
            call.abandon(why)

    def _close(self, call: PendingCall, kind: str) -> bool:
        # A response may arrive after the client was closed and the call given up.
        with self._lock:
            was_open = call in self._open
            self._open.pop(call, None)
            self._counts[kind] += was_open
        return was_open

    def _report(self, error: FootfallError, call: PendingCall) -> None:
        if self._on_error is None:
            return
        try:
            self._on_error(error, call.event)
        except Exception:
            log.exception("on_error failed")


def _kind(outcome: Receipt | FootfallError) -> str:
    if isinstance(outcome, Receipt):
        return "delivered"
    return "dropped" if isinstance(outcome, QueueFull | ClientClosed) else outcome.outcome
