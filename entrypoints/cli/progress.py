"""The progress of long work: a bar on a terminal, a line every few seconds otherwise."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click
from attrs import define, field

LINE_SECONDS = 5.0
_PERCENT = 100


@contextmanager
def progress(
    label: str, length: int, clock: Callable[[], float] = time.monotonic
) -> Iterator[Callable[[int], None]]:
    """Lend a function that takes how much of the whole length was done since the last call.

    Progress goes to standard error, because standard output can carry data.
    """
    if not sys.stderr.isatty():
        yield _Lines(label, length, clock).advance
        return
    with click.progressbar(length=length, label=label, file=sys.stderr) as bar:
        yield bar.update


@define
class _Lines:
    _label: str
    _length: int
    _clock: Callable[[], float]
    _done: int = field(default=0, init=False)
    _due: float = field(init=False)

    @_due.default
    def _begin(self) -> float:
        return self._clock() + LINE_SECONDS

    def advance(self, by: int) -> None:
        self._done += by
        if self._clock() >= self._due:
            # A source can have grown since its length was asked for.
            percent = min(self._done * _PERCENT // max(self._length, 1), _PERCENT)
            click.echo(f"{self._label}: {percent} %", err=True)
            self._due = self._clock() + LINE_SECONDS
