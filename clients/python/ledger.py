"""Counts what became of every call, and reports each one that was not confirmed."""

import logging
import threading
from collections import Counter

from attrs import frozen

from footfall.client.entry import Entry
from footfall.client.errors import ClientClosed, FootfallError, QueueFull
from footfall.client.options import OnError
from footfall.client.receipt import Receipt

log = logging.getLogger("footfall.client")


@frozen
class Stats:
    """What became of the calls so far; the five numbers add up to the calls made.

    `refused`: by the service, or invalid and never sent. `unknown`: sent and never confirmed. `dropped`: never
    sent, because the queue was full or the client closed.
    """

    delivered: int = 0
    refused: int = 0
    unknown: int = 0
    dropped: int = 0
    pending: int = 0


class Ledger:
    """The open entries of one client and the counts of the settled ones; safe to use from several threads."""

    def __init__(self, on_error: OnError | None) -> None:
        self._on_error = on_error
        self._lock = threading.Lock()
        self._open: dict[Entry, None] = {}
        self._counts: Counter[str] = Counter()

    def add(self) -> Entry:
        """Return a new open entry."""
        entry = Entry(self.settle)
        with self._lock:
            self._open[entry] = None
        return entry

    @property
    def open(self) -> list[Entry]:
        """The entries that are not settled."""
        with self._lock:
            return list(self._open)

    @property
    def stats(self) -> Stats:
        """The counts so far."""
        with self._lock:
            return Stats(**self._counts, pending=len(self._open))

    def settle(self, entry: Entry, outcome: Receipt | FootfallError) -> None:
        """Close an entry, report it when it was not confirmed, and tell its caller."""
        if not self._close(entry, _kind(outcome)):
            return
        if isinstance(outcome, Receipt):
            entry.future.set_result(outcome)
        else:
            self._report(outcome, entry)
            entry.future.set_exception(outcome)

    def abandon(self, why: str) -> None:
        """Give up every open entry."""
        for entry in self.open:
            entry.abandon(why)

    def _close(self, entry: Entry, kind: str) -> bool:
        # An answer may still arrive for an entry that was given up when the client closed.
        with self._lock:
            was_open = entry in self._open
            self._open.pop(entry, None)
            self._counts[kind] += was_open
        return was_open

    def _report(self, error: FootfallError, entry: Entry) -> None:
        if self._on_error is None:
            return
        try:
            self._on_error(error, entry.event)
        except Exception:
            log.exception("on_error failed")


def _kind(outcome: Receipt | FootfallError) -> str:
    if isinstance(outcome, Receipt):
        return "delivered"
    return "dropped" if isinstance(outcome, QueueFull | ClientClosed) else outcome.outcome
