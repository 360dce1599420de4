"""A load generator: keeps connections busy, counts answers, and measures how long each took."""

import asyncio
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import cast

from attrs import define, field

_HEAD_END = b"\r\n\r\n"
_LENGTH = b"content-length:"
_PERCENT = 100


@define
class LoadFigures:
    """The measurements of a load; times are seconds."""

    statuses: Counter[int] = field(factory=Counter)
    latencies: list[float] = field(factory=list)
    seconds: float = 0.0
    broken: int = 0

    @property
    def rate(self) -> float:
        """Acknowledged requests a second."""
        return self.statuses[200] / self.seconds if self.seconds else 0.0

    def percentile(self, percent: float) -> float:
        """Return the latency that so many per cent of the requests did not exceed."""
        ordered = sorted(self.latencies)
        return ordered[min(int(len(ordered) * percent / _PERCENT), len(ordered) - 1)] if ordered else 0.0


async def put_under_load(
    host: str,
    port: int,
    requests: Sequence[bytes],
    *,
    connections: int,
    seconds: float,
    rate: float | None = None,
) -> LoadFigures:
    """Send the requests round robin over that many connections for that long and return the measurements.

    With a `rate` (requests a second, over all connections) each connection keeps its share of it; a request that
    had to wait for its turn counts from when it was due.
    """
    measured, loop = LoadFigures(), asyncio.get_running_loop()
    started = time.perf_counter()
    deadline = started + seconds
    interval = connections / rate if rate else 0.0
    clients = []
    for number in range(connections):
        turns = iter(requests[number::connections] or requests)
        first_due = started + interval * number / connections
        client = _Client(measured, _endlessly(turns, requests, number), deadline, interval, first_due)
        await loop.create_connection(lambda client=client: client, host, port)  # type: ignore[misc]
        clients.append(client)
    await asyncio.gather(*(client.done for client in clients))
    measured.seconds = time.perf_counter() - started
    return measured


def _endlessly(turns: Iterator[bytes], requests: Sequence[bytes], number: int) -> Iterator[bytes]:
    yield from turns
    while True:
        yield from requests[number:]
        yield from requests[:number]


def _new_future() -> asyncio.Future[None]:
    return asyncio.get_running_loop().create_future()


@define(eq=False)
class _Client(asyncio.Protocol):
    """One connection with one request in flight."""

    _measured: LoadFigures
    _requests: Iterator[bytes]
    _deadline: float
    _interval: float
    _due: float
    done: asyncio.Future[None] = field(factory=_new_future, init=False)
    _sent: float = field(default=0.0, init=False)
    _buffer: bytes = field(default=b"", init=False)
    _transport: asyncio.Transport | None = field(default=None, init=False)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin."""
        # Not isinstance: uvloop's transports are of no class of asyncio's.
        self._transport = cast("asyncio.Transport", transport)
        self._next()

    def data_received(self, data: bytes) -> None:
        """Count an answer when it is whole."""
        self._buffer += data
        end = self._buffer.find(_HEAD_END)
        if end < 0 or len(self._buffer) < end + len(_HEAD_END) + _content_length(self._buffer[:end]):
            return
        self._measured.statuses[int(self._buffer[9:12])] += 1
        self._measured.latencies.append(time.perf_counter() - self._sent)
        self._buffer = b""
        self._next()

    def connection_lost(self, _cut_by: Exception | None) -> None:
        """End; a connection that was cut while it waited for an answer is counted."""
        if not self.done.done():
            self._measured.broken += 1
            self.done.set_result(None)

    def _next(self) -> None:
        now = time.perf_counter()
        if now >= self._deadline:
            self._finish()
        elif self._interval and now < self._due:
            asyncio.get_running_loop().call_later(self._due - now, self._next)
        else:
            self._send(now)

    def _send(self, now: float) -> None:
        self._sent = self._due if self._interval else now
        self._due += self._interval
        if self._transport is not None:
            self._transport.write(next(self._requests))

    def _finish(self) -> None:
        if not self.done.done():
            self.done.set_result(None)
        if self._transport is not None:
            self._transport.close()


def _content_length(head: bytes) -> int:
    lowered = head.lower()
    start = lowered.find(_LENGTH)
    if start < 0:
        return 0
    line = lowered[start + len(_LENGTH) :].split(b"\r\n", 1)[0]
    return int(line)
