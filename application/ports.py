"""What the application needs from the outside, each port with the failures that its callers must expect."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Protocol

from attrs import frozen

from footfall.domain.admission import Admission, Charge, Entry
from footfall.domain.errors import Conflict
from footfall.domain.hit import DeviceType, RecordedHit
from footfall.domain.unguarded import unguarded


class StoreUnavailable(Exception):
    """The store cannot be reached or did not answer; nothing was acknowledged, trying again later is safe."""


class ConcurrencyConflict(Conflict):
    """Somebody else appended to the stream since it was loaded."""

    def __init__(self, stream: str) -> None:
        super().__init__("Somebody else changed this at the same time; please try again")
        self.stream = stream


class Clock(Protocol):
    """Tells the time."""

    def now(self) -> datetime:
        """Return the present as an aware UTC datetime."""


class Identifiers(Protocol):
    """Hands out identifiers, each one once.

    Every method raises StoreUnavailable when the store that counts them cannot be reached.
    """

    async def next_organization(self) -> str:
        """Return the id of an organization to be."""

    async def next_user(self) -> str:
        """Return the id of a user to be."""

    async def next_site(self) -> int:
        """Return the numeric id of a site to be."""

    async def next_goal(self) -> int:
        """Return the id of a goal to be."""

    async def next_api_key(self) -> int:
        """Return the id of an API key to be."""


class Randomness(Protocol):
    """Makes what nobody can guess."""

    def api_key(self) -> str:
        """Return a new API key: `ff_` and 43 base62 characters, 256 bits (decisions, section 5)."""

    def private_link_key(self) -> str:
        """Return a new private link key of at least 128 bits."""

    def public_id(self) -> str:
        """Return 12 lower-case hexadecimal characters."""

    def sign_in_token(self) -> str:
        """Return what nobody can guess and an address can carry, at least 128 bits."""

    def salt(self) -> bytes:
        """Return 32 random bytes."""


@frozen
class Actor:
    """Who causes an event: a user, by which key; or the operator at the command line, who has neither."""

    user_id: str | None = None
    key_prefix: str | None = None


@frozen
class Metadata:
    """The circumstances of an append: who, when, and as part of which request."""

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


class Salts(Protocol):
    """Keeps the random daily salts of visitor hashes, the same for all workers.

    Every method raises StoreUnavailable when the store cannot be reached.
    """

    async def of_day(self, day: str) -> bytes:
        """Return the salt of a UTC day (YYYY-MM-DD), made when it is first asked for."""

    async def destroy_before(self, day: str) -> None:
        """Destroy the salts of all days before this one, for good."""


class EventStore(Protocol):
    """The journal: streams of domain events, append only.

    Every method raises StoreUnavailable when the store cannot be reached.
    """

    async def load(self, stream: str) -> list[RecordedEvent]:
        """Return the events of a stream by version; none for a stream that does not exist."""

    async def append(
        self, stream: str, events: Sequence[Any], *, expected: int, metadata: Metadata
    ) -> list[RecordedEvent]:
        """Append all events or none, if the stream's version is the expected one (0: it does not exist yet).

        Raises:
            ConcurrencyConflict: the stream has another version by now.

        """

    async def read_all(self, *, after: int, limit: int) -> list[RecordedEvent]:
        """Return events of all streams by position, those with a position above `after`.

        What was returned once is complete up to its last position: no event becomes visible before it later.
        """

    async def load_site(self, site_id: int) -> list[RecordedEvent]:
        """Return the events of a site and of every goal that it ever had, by position."""

    async def changed(self, *, within: float) -> None:
        """Return when something was appended since the last call, by anybody, or after `within` seconds.

        Only a hint to read again: it may come late, or without a cause.
        """


class KeyUses(Protocol):
    """Keeps when each API key was last used.

    Every method raises StoreUnavailable when the store cannot be reached.
    """

    async def record(self, uses: Mapping[int, datetime]) -> None:
        """Keep the later one, for each key, of this use and the one that is known."""

    async def of(self, key_ids: Sequence[int]) -> dict[int, datetime]:
        """Return the last use of each of these keys; a key that was never used is not in it."""


class TrafficLog(Protocol):
    """The traffic log as readers see it: hits in the order of their positions, append only.

    Every method raises StoreUnavailable when the store cannot be reached.
    """

    async def horizon(self) -> int:
        """Return the highest position below which everything is committed; 0 for an empty log."""

    async def read(self, *, after: int, up_to: int, limit: int) -> list[RecordedHit]:
        """Return hits with a position above `after` and at most `up_to`, ascending."""


@unguarded
class Submission:
    """One request on its way into the traffic log: its hits, and what it costs its key."""

    entries: tuple[Entry, ...]
    charge: Charge | None = None


class Intake(Protocol):
    """The way into the traffic log."""

    async def submit(self, submission: Submission) -> Admission:
        """Return what became of the request, when that is durable.

        Raises:
            StoreUnavailable: nothing was stored, or nobody can say that it was.

        """

    async def drain(self) -> None:
        """Return when everything that was submitted has its outcome; refuse what comes later."""


@frozen(order=True)
class Counted:
    """What events of a site are counted under; `site_id` 0 is for those that named no site."""

    site_id: int
    outcome: str
    reason: str = ""


class OutcomeLedger(Protocol):
    """Counts what became of every received event, by quarters of an hour.

    Stored hits are counted by the traffic log itself. Every method raises StoreUnavailable when the store cannot
    be reached.
    """

    async def add(self, counts: Mapping[tuple[Counted, datetime], int]) -> None:
        """Add so many events to each count; the times are beginnings of quarters."""

    async def read_counts(self, site_id: int, *, start: datetime, end: datetime) -> dict[Counted, int]:
        """Return the counts of a site for the quarters that begin in [start, end)."""


@frozen(kw_only=True)
class Location:
    """Where an address is, as far as the database knows; codes are ISO 3166, coordinates degrees."""

    country: str | None = None
    region: str | None = None
    city: str | None = None
    latitude: float | None = None
    longitude: float | None = None


class Geolocation(Protocol):
    """Finds out where an address is."""

    def locate(self, address: str) -> Location:
        """Return what is known of a valid IPv4 or IPv6 address; an empty location when nothing is. Never raises."""


@frozen(kw_only=True)
class Device:
    """What a user agent says about its device, and whether it is judged to be a bot."""

    browser: str | None = None
    browser_version: str | None = None
    operating_system: str | None = None
    operating_system_version: str | None = None
    device_type: DeviceType = DeviceType.UNKNOWN
    bot: bool = False


class UserAgents(Protocol):
    """Reads user agent strings."""

    def parse(self, user_agent: str) -> Device:
        """Return what a user agent says; an empty one is a bot. Never raises, whatever the text."""
