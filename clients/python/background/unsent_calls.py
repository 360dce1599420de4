"""The calls of a queue that are not sent yet."""

from collections import deque

from attrs import define, field

from footfall.client.delivery.pending_call import PendingCall
from footfall.client.options import QueueSettings

# The service takes 128 KiB for one event. A batch keeps to the same, so that a proxy that allows an event allows it.
MAX_BYTES = 128 * 1024 - 1024


@define(eq=False)
class UnsentCalls:
    """A bounded queue in memory; the calls under way count too."""

    _settings: QueueSettings
    _calls: deque[PendingCall] = field(factory=deque, init=False)
    _under_way: list[PendingCall] = field(factory=list, init=False)
    _bytes: int = field(default=0, init=False)

    def __len__(self) -> int:
        return len(self._calls)

    @property
    def full(self) -> bool:
        """Whether no call can be added."""
        count = len(self._calls) + len(self._under_way)
        return count >= self._settings.queue_size or self._bytes >= self._settings.queue_bytes

    @property
    def due(self) -> bool:
        """Whether the calls fill a batch."""
        return len(self._calls) >= self._settings.batch_size

    def add(self, call: PendingCall) -> None:
        """Put a call at the end."""
        self._calls.append(call)
        self._bytes += len(call.content)

    def take(self) -> list[PendingCall]:
        """Return the next batch in order; it stays under way until the next call."""
        batch: list[PendingCall] = []
        size = 0
        while self._calls and len(batch) < self._settings.batch_size:
            size += len(self._calls[0].content) + 1
            if batch and size > MAX_BYTES:
                break
            batch.append(self._calls.popleft())
        self._under_way = batch
        return batch

    def done(self) -> None:
        """Note that the last batch is settled."""
        self._bytes -= sum(len(call.content) for call in self._under_way)
        self._under_way = []

    def clear(self) -> None:
        """Drop the calls that are not sent."""
        self._bytes -= sum(len(call.content) for call in self._calls)
        self._calls.clear()
