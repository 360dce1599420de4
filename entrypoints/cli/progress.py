"""The progress of long work: a bar on a terminal, a line every few seconds otherwise."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

LINE_SECONDS = 5.0
_PERCENT = 100


@contextmanager
def progress(
    label: str, length: int, clock: Callable[[], float] = time.monotonic
) -> Iterator[Callable[[int], None]]:
    """Lend a function that takes how much of the whole length was done since the last call."""
    done = 0
    with progress_to(label, clock) as show:

        def advance(by: int) -> None:
            nonlocal done
            done += by
            show(done, length)

        yield advance


@contextmanager
def progress_to(
    label: str, clock: Callable[[], float] = time.monotonic
) -> Iterator[Callable[[int, int], None]]:
    """Lend a function that takes how much is done, and of what whole, which can grow.

    Progress goes to standard error, because standard output can carry data.
    """
    if not sys.stderr.isatty():
        yield _lines(label, clock)
        return
    with click.progressbar(length=1, label=label, file=sys.stderr) as bar:

        def show(done: int, whole: int) -> None:
            bar.length = max(whole, 1)
            bar.update(done - bar.pos)

        yield show


def _lines(label: str, clock: Callable[[], float]) -> Callable[[int, int], None]:
    due = clock() + LINE_SECONDS

    def show(done: int, whole: int) -> None:
        nonlocal due
        if clock() >= due:
            # A source can have grown since its length was asked for.
            click.echo(f"{label}: {min(done * _PERCENT // max(whole, 1), _PERCENT)} %", err=True)
            due = clock() + LINE_SECONDS

    return show
