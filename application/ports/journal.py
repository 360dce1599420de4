"""The journal: recorded events, the event store and its failures, and the last uses of keys and links."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any, Protocol

from attrs import frozen

from footfall.domain.exceptions import Conflict, Invalid


class StoreUnavailable(Exception):
    """The store cannot be reached or did not answer; nothing was acknowledged, trying again later is safe."""


class StoreMoved(StoreUnavailable):
    """The store is being moved, or is at another node; nothing was stored."""


class StreamSetAside(StoreUnavailable):
    """An event of the stream cannot be read: its aggregate cannot be shown or changed until an operator repairs it."""

    def __init__(self, stream: str) -> None:
        super().__init__(f"{stream} is set aside, because one of its events cannot be read")
        self.stream = stream


class Unstorable(Invalid):
    """An event would not be read back as it is written; nothing was appended."""

    def __init__(self) -> None:
        super().__init__({}, form_errors=["The journal cannot hold this"])


class ConcurrencyConflict(Conflict):
    """Another writer appended to the stream since it was loaded."""

    def __init__(self, stream: str) -> None:
        super().__init__("Another request changed this at the same time; please try again")
        self.stream = stream


@frozen
class Actor:
    """The author of an event: a user and the key that was used; without both, the operator at the command line."""

    user_id: str | None = None
    key_prefix: str | None = None


@frozen
class Metadata:
    """The circumstances of an append: the actor, the time and the request."""

    actor: Actor
    recorded_at: datetime
    request_id: str | None = None


@frozen
class RecordedEvent:
    """A domain event with its place in its stream (`version`, from 1) and among all events (`position`)."""

    position: int
    stream: str
    version: int
    event: Any
    metadata: Metadata


class EventStore(Protocol):
    """The journal: streams of domain events, append only.

    Every method raises StoreUnavailable when the store cannot be reached.
    """

    async def load(self, stream: str) -> list[RecordedEvent]:
        """Return the events of a stream by version; none for a stream that does not exist.

        Here and wherever events are returned, one whose content cannot be read comes as `Unreadable`.
        """

    async def append(
        self, stream: str, events: Sequence[Any], *, expected: int, metadata: Metadata
    ) -> list[RecordedEvent]:
        """Append all events or none, if the stream's version is the expected one (0: it does not exist yet).

        Raises:
            ConcurrencyConflict: the stream has another version by now.
            Unstorable: an event would not be read back as it is.

        """

    async def read_all(self, *, after: int, limit: int) -> list[RecordedEvent]:
        """Return events of all streams by position, those with a position above `after`.

        What was returned once is complete up to its last position: no event becomes visible before it later.
        """

    async def load_site(self, site_id: int) -> list[RecordedEvent]:
        """Return the events of a site and of every goal that it ever had, by position."""

    async def changed(self, *, within: float) -> None:
        """Return when any process has appended since the last call, or after `within` seconds.

        Only a hint to read again: it may come late, or without a new event.
        """


class LinkUses(Protocol):
    """Keeps the day on which each link of a site was last used; a link is known by a part of the digest of its key.

    Every method raises StoreUnavailable when the store cannot be reached.
    """

    async def record(self, uses: Mapping[tuple[int, str], date]) -> None:
        """Store the day of each link, by its site, unless a later one is stored."""

    async def of_site(self, site_id: int) -> dict[str, date]:
        """Return the day of the last use of each link of a site; a link that was never used is not in it."""


class KeyUses(Protocol):
    """Keeps when each API key was last used.

    Every method raises StoreUnavailable when the store cannot be reached.
    """

    async def record(self, uses: Mapping[int, datetime]) -> None:
        """Store the use of each key unless a later one is stored."""

    async def of(self, key_ids: Sequence[int]) -> dict[int, datetime]:
        """Return the last use of each of these keys; a key that was never used is not in it."""
