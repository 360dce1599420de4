"""How long work shows that it goes on: a bar on a terminal, a line now and then otherwise."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

LINE_SECONDS = 5.0
_PERCENT = 100


@contextmanager
def progress(label: str, length: int) -> Iterator[Callable[[int], None]]:
    """Lend a function that is told by how much the work has come closer to its whole length.

    Everything is written to standard error: standard output may be where the data goes.
    """
    if not sys.stderr.isatty():
        yield _Lines(label, length).advance
        return
    with click.progressbar(length=length, label=label, file=sys.stderr) as bar:
        yield bar.update


class _Lines:
    def __init__(self, label: str, length: int) -> None:
        self._label = label
        self._length = max(length, 1)
        self._done = 0
        self._due = time.monotonic() + LINE_SECONDS

    def advance(self, by: int) -> None:
        self._done += by
        if time.monotonic() >= self._due:
            click.echo(f"{self._label}: {self._done * _PERCENT // self._length} %", err=True)
            self._due = time.monotonic() + LINE_SECONDS
