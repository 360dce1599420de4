"""Shared memory for numbers: each worker writes its own region, and the worker that answers a scrape reads all of them.

The memory is made before the workers are forked, and belongs to no file: nothing is left behind, and a worker that is
killed loses nothing, because its numbers stay in its region. The next worker takes the region over and goes on
counting from there, so that no counter ever goes back while the service runs.
"""

import json
import mmap
from collections.abc import Callable, Iterable, Iterator

from attrs import frozen

from footfall.adapters.prometheus.families import FAMILIES, MetricFamily, MetricKind

_HEAD = 16
_NAMES = 96 * 1024
_VALUES = 4096 * 8
_SIZE = _NAMES + _VALUES

Sample = tuple[MetricFamily, tuple[str, ...], list[float]]


class Region:
    """The numbers of one process; only that process writes them, any other may read them at any time."""

    def __init__(self, memory: memoryview) -> None:
        # How far names and values are in use. The names are written first: a reader never sees half of one.
        self._used = memory[:_HEAD].cast("Q")
        self._names = memory[_HEAD:_NAMES]
        self.values: memoryview[float] = memory[_NAMES:].cast("d")
        self._slots = {(family.name, *labels): slot for family, labels, slot in self._directory()}

    @classmethod
    def private(cls) -> "Region":
        """Return a region that no other process sees."""
        return cls(memoryview(bytearray(_SIZE)))

    def slot(self, family: MetricFamily, *labels: str) -> int:
        """Return where the numbers of a sample begin in `values`; a new sample begins with zeros.

        When the region is full, the place is one that is never read: measuring less is better than failing.
        """
        name = (family.name, *labels)
        if (slot := self._slots.get(name)) is None:
            slot = self._slots[name] = self._append(family, name)
        return slot

    def samples(self) -> Iterator[Sample]:
        """Yield every sample with its numbers as they are now."""
        for family, labels, slot in self._directory():
            yield family, labels, list(self.values[slot : slot + family.width])

    def forget_gauges(self) -> None:
        """Set to zero what only a living process has."""
        for family, _, slot in self._directory():
            if family.kind is MetricKind.GAUGE:
                self.values[slot] = 0.0

    def _append(self, family: MetricFamily, name: tuple[str, ...]) -> int:
        line = json.dumps(name).encode() + b"\n"
        names, values = self._used
        # The last numbers are the place that is never read.
        if names + len(line) > len(self._names) or values + 2 * family.width > len(self.values):
            return len(self.values) - family.width
        self._names[names : names + len(line)] = line
        self._used[1] = values + family.width
        self._used[0] = names + len(line)
        return values

    def _directory(self) -> Iterator[tuple[MetricFamily, tuple[str, ...], int]]:
        slot = 0
        for line in bytes(self._names[: self._used[0]]).splitlines():
            name, *labels = json.loads(line)
            yield FAMILIES[name], tuple(labels), slot
            slot += FAMILIES[name].width


class Regions:
    """The regions of one service, handed out and taken back by the process that forks the workers."""

    def __init__(self, most: int) -> None:
        self._memory = memoryview(mmap.mmap(-1, most * _SIZE))
        self._most = most
        self._taken: set[int] = set()

    def acquire(self) -> int | None:
        """Return the number of a free region; None when all are in use."""
        free = next((number for number in range(self._most) if number not in self._taken), None)
        if free is not None:
            self._taken.add(free)
        return free

    def release(self, number: int | None) -> None:
        """Free the region of an ended process; the next process continues its counters."""
        if number is not None:
            self._taken.discard(number)
            self._region(number).forget_gauges()

    def worker_metrics(self, number: int | None) -> "WorkerMetrics":
        """Return the metrics of the process with this region; without a region it counts in its own memory."""
        return WorkerMetrics.alone() if number is None else WorkerMetrics(self._region(number), self.samples)

    def samples(self) -> Iterator[Sample]:
        """Yield the samples of all regions, those of processes that are gone included."""
        for number in range(self._most):
            yield from self._region(number).samples()

    def _region(self, number: int) -> Region:
        return Region(self._memory[number * _SIZE : (number + 1) * _SIZE])


@frozen
class WorkerMetrics:
    """The metrics of one process: the region that it writes, and the samples of all regions that it reads."""

    own: Region
    samples: Callable[[], Iterable[Sample]]

    @classmethod
    def alone(cls) -> "WorkerMetrics":
        """Return the metrics of a process that is the only one."""
        own = Region.private()
        return cls(own, own.samples)
