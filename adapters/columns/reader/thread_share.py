"""The threads of DuckDB, as what runs shares them."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from attrs import define, field

# Those of a query that runs alone; several have one each.
THREADS = 2


@define(eq=False)
class ThreadShare:
    """Decides how many threads the instance has: they are a setting of it, which takes a third of a millisecond.

    Each query has one of its own, and those of the instance help all: beside two long queries a short one takes 36 ms
    without helpers, and 117 ms with one. Among few rows helpers have nothing to do, and wait for it busily: a refresh
    of fresh rows takes a quarter more processor time with one. Without anything that runs, the number stays.
    """

    _change: Callable[[int], object]
    threads: int = field(default=THREADS, init=False)
    # Whether it is about few rows, of each one that runs.
    _running: list[bool] = field(factory=list, init=False)

    @property
    def is_used(self) -> bool:
        """Whether something runs."""
        return bool(self._running)

    @contextmanager
    def used(self, *, few_rows: bool) -> Iterator[None]:
        """Count what runs inside."""
        self._running.append(few_rows)
        self._divide()
        try:
            yield
        finally:
            self._running.remove(few_rows)
            if self._running:
                self._divide()

    def _divide(self) -> None:
        threads = THREADS if self._running == [False] else 1
        if threads != self.threads:
            self.threads = threads
            self._change(threads)
