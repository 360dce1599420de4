"""The entries of a queue that have not been sent yet."""

from collections import deque

from footfall.client.entry import Entry
from footfall.client.options import QueueSettings

# The service takes 128 KiB for one event; a batch is held to the same, whatever a proxy before it allows.
MAX_BYTES = 128 * 1024 - 1024


class Waiting:
    """A bounded queue in memory; the entries under way count too."""

    def __init__(self, settings: QueueSettings) -> None:
        self._limit = settings.queue_size
        self._batch_size = settings.batch_size
        self._entries: deque[Entry] = deque()
        self._under_way = 0

    def __len__(self) -> int:
        return len(self._entries)

    @property
    def full(self) -> bool:
        """Whether no entry can be added."""
        return len(self._entries) + self._under_way >= self._limit

    @property
    def due(self) -> bool:
        """Whether there is enough for a whole batch."""
        return len(self._entries) >= self._batch_size

    def add(self, entry: Entry) -> None:
        """Put an entry at the end."""
        self._entries.append(entry)

    def take(self) -> list[Entry]:
        """Return the next batch in order; it stays under way until the next call."""
        batch: list[Entry] = []
        size = 0
        while self._entries and len(batch) < self._batch_size:
            size += len(self._entries[0].content) + 1
            if batch and size > MAX_BYTES:
                break
            batch.append(self._entries.popleft())
        self._under_way = len(batch)
        return batch

    def done(self) -> None:
        """Note that the last batch is settled."""
        self._under_way = 0

    def clear(self) -> None:
        """Forget what waits."""
        self._entries.clear()
