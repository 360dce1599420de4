"""Ports of imports: the source that rows come from, and the store that keeps their hits, marks and ledgers."""

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from datetime import date, datetime
from enum import StrEnum
from typing import Protocol

from attrs import field, frozen

from footfall.application.ports.traffic_log import NO_BOTS
from footfall.domain.bots.refused_bot_counts import RefusedBot
from footfall.domain.exceptions import DomainError
from footfall.domain.goals.goal import Rule
from footfall.domain.tracking.acquisition.campaign import Utm
from footfall.domain.tracking.hit import DeviceType, Hit, HitType, Sent, hot_value

# Projects the next piece of the traffic log, and says whether there was one.
Projects = Callable[[], Awaitable[bool]]

# In the place of a hit's type: a request of an access log that shows no page.
REQUEST = "request"


class LeftOut(StrEnum):
    """Why a row of a source is not stored (docs/track/imports/README.md)."""

    BOT = "bot"
    EARLY = "before 1990"
    ERASED = "erased with its visitor"
    EXISTS = "goal exists already"
    EXCLUDED_ADDRESS = "excluded address"
    EXCLUDED_COUNTRY = "excluded country"
    EXCLUDED_HOST = "excluded host"
    EXCLUDED_PATH = "excluded path"
    EXCLUDED_USER_AGENT = "excluded user agent"
    FUTURE = "in the future"
    NO_NAME = "event without a name"
    NO_PAGE = "not a page"
    NOT_CARRIED = "type is not carried"
    OLD = "older than the retention"
    OTHER_RULE = "rule is not carried"
    OTHER_HOST = "other host"
    TOO_MANY = "too many goals"
    TOO_LONG = "a text is too long"
    UNREADABLE = "unreadable"
    UNSTORABLE = "a value cannot be stored"


class UnreadableSource(DomainError):
    """A source cannot be read, or not as what it was called; the message names the place, not the content."""


class ImportNotFound(DomainError):
    """No import with this number."""

    message = "Import not found: footfall import list shows all imports"


class ImportUnderWay(DomainError):
    """Another process imports the same source into the same site, or takes the import back."""

    message = "another process imports this source into this site, or takes the import back"


class StoreBeingMoved(DomainError):
    """The hits of an import cannot be removed while the store keeps others from removing hits."""

    message = (
        "the store of the site is being moved, its projections are rebuilt, or a visitor is being erased:"
        " take the import back when that has ended"
    )


@hot_value(kw_only=True)
class SourceRow(Sent):
    """One row of a source in the terms of a hit; a value that the source does not have is None.

    `visitor` is the source's own id of the visitor or the session, or the address and user agent of an access log: only
    its keyed hash is stored. A row with a `user_agent` gets its browser, system and device from it, and one
    with an `address` its location. `utm` stands for campaign parameters that the source keeps beside the query string,
    `click_id` for the name of an advertising network's parameter.
    """

    type: HitType
    occurred_at: datetime
    visitor: str = field(repr=False)
    user_id: str | None = field(default=None, repr=False)
    user_agent: str | None = field(default=None, repr=False)
    address: str | None = field(default=None, repr=False)
    browser: str | None = None
    browser_version: str | None = None
    operating_system: str | None = None
    operating_system_version: str | None = None
    device_type: DeviceType = DeviceType.UNKNOWN
    country: str | None = None
    region: str | None = None
    city: str | None = None
    latitude: float | None = None
    longitude: float | None = None
    utm: Utm | None = None
    click_id: str | None = None


@hot_value
class LeftOutRow:
    """A row that the source itself leaves out: its time, the type in the ledger, and the reason."""

    occurred_at: datetime
    type: str
    reason: LeftOut


@frozen
class UnreadableRow:
    """A row that cannot be read: its place, such as `access.log, line 17`, and the fault without its content."""

    place: str
    fault: str


Row = SourceRow | LeftOutRow | UnreadableRow


@frozen
class Piece:
    """Consecutive rows, the mark behind them, and by how much of `Source.total` they move the progress."""

    rows: Sequence[Row]
    mark: str
    done: int


@frozen
class Halves:
    """Rows of a source that is read again: those up to a mark, those behind it, and how far they move the progress."""

    known: Sequence[Row]
    new: Sequence[Row]
    done: int


class NamedSource(Protocol):
    """The identity of an import."""

    @property
    def format(self) -> str:
        """The name of the format, as `--from` takes it."""

    @property
    def key(self) -> str:
        """The same text for the same source, grown or not."""

    @property
    def description(self) -> str:
        """The source as people know it, without secrets."""


class Source(NamedSource, Protocol):
    """Rows of another service, in a stable order that is the order of time for each visitor.

    Every method raises UnreadableSource when the source is not there, is not of its format, or has sums in the place of
    rows.
    """

    def total(self) -> int:
        """Return the length of the source, in bytes or rows, as `Piece.done` counts it."""

    def pieces(self, mark: str | None) -> Iterator[Piece]:
        """Yield the rows behind a mark, all of them for None; equal marks give equal rows."""

    def halves(self, mark: str | None) -> Iterator[Halves]:
        """Yield all rows, those behind the mark apart; a source that has changed is not refused."""


@frozen
class SourceGoal:
    """A goal of a source by its number there, with its rule here, or the reason why it has none.

    A name of None is derived from the rule.
    """

    number: int
    name: str | None
    rule: Rule | LeftOut


class GoalSource(NamedSource, Protocol):
    """Goals that another service keeps beside its rows, under a format that no source of rows has."""

    def goals(self, after: int) -> Iterator[SourceGoal]:
        """Yield the goals behind a number, by their numbers.

        Raises:
            UnreadableSource: the goals cannot be told apart.

        """


@frozen(order=True)
class LedgerKey:
    """Groups of counted rows of a source; `day` is a UTC day or empty, `reason` is empty for stored rows."""

    day: str
    type: str
    reason: str


@frozen(kw_only=True)
class ImportRecord:
    """One import: what it reads, how far it has come, and how often it has stored something."""

    import_id: int
    site_id: int
    format: str
    source_key: str
    source: str
    state: str
    started_at: datetime
    changed_at: datetime
    mark: str | None
    steps: int


class Imports(Protocol):
    """Imports with their hits, marks and ledgers.

    Every method raises StoreUnavailable when the store cannot be reached.
    """

    async def find(self, site_id: int, source: NamedSource) -> ImportRecord | None:
        """Return the import of a source into a site; None when it has never begun."""

    async def begin(self, site_id: int, source: NamedSource, *, now: datetime) -> ImportRecord:
        """Return the import of a source into a site, begun or continued.

        Raises:
            ImportUnderWay: the import is being taken back.

        """

    async def store(
        self,
        record: ImportRecord,
        hits: Sequence[Hit],
        *,
        mark: str,
        counts: Mapping[LedgerKey, int],
        bots: Mapping[RefusedBot, int] = NO_BOTS,
        now: datetime,
    ) -> ImportRecord:
        """Store hits, add to the ledger and move the mark, all or nothing; return the import as it is then.

        Requests of bots that the site refuses are counted by page, as those of tracked events.

        Raises:
            ImportUnderWay: the import has moved meanwhile, or is being taken back.
            UnreadableSource: one of the hits cannot be stored; none of them was stored.

        """

    async def complete(self, record: ImportRecord, *, now: datetime) -> None:
        """Remember that the source has been read to its end."""

    async def stop(self, record: ImportRecord, *, now: datetime) -> None:
        """Remember that a run has ended before the end of the source; the next one goes on."""

    async def all(self) -> list[ImportRecord]:
        """Return all imports of all sites, by number."""

    async def ledger(self, import_id: int) -> dict[LedgerKey, int]:
        """Return how many rows were stored or left out."""

    async def pageviews(self, record: ImportRecord, day: date) -> dict[str, int]:
        """Return the stored pageviews of an import on a UTC day by path; "" stands for none."""

    async def undo(self, record: ImportRecord, *, project: Projects, advance: Callable[[int], None]) -> None:
        """Remove the hits of an import, count what they were part of again, and forget the import.

        Reports of the import's days can show a part of it meanwhile. After an interruption the next call goes on.
        `advance` is called with 1 for each day of the ledger.

        Raises:
            StoreBeingMoved: the store is being copied, its projections are rebuilt, or a visitor is erased; nothing was
                changed.

        """
