"""The way into the traffic log, and the ledger of outcomes."""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import Protocol

from attrs import field, frozen

from footfall.application.ports.journal import StoreUnavailable
from footfall.domain.bots.refused_bot_counts import RefusedBot
from footfall.domain.tracking.admission import Admission, PendingHit, RateLimitCharge
from footfall.domain.tracking.engagement import NamelessPages
from footfall.domain.tracking.hit import hot_value


class CommitUnknown(StoreUnavailable):
    """The store stopped answering during a commit, which may have succeeded.

    `stored` has one value for each hit of the request: whether the commit stores it. `committed` gets its result when
    the store reports the outcome of the commit; it stays pending when the service stops before.
    """

    def __init__(self, stored: Sequence[bool], committed: asyncio.Future[bool]) -> None:
        super().__init__("the outcome of a commit is not known")
        self.stored = stored
        self.committed = committed


@hot_value
class Submission:
    """One request to the traffic log: its hits, and the charge to the rate limit of its key."""

    pending: tuple[PendingHit, ...]
    charge: RateLimitCharge | None = None


class Intake(Protocol):
    """The way into the traffic log."""

    async def submit(self, submission: Submission) -> Admission:
        """Return the outcome of the request as soon as it is durable.

        Raises:
            StoreUnavailable: nothing was stored.
            CommitUnknown: it is not known yet whether the request was stored.

        """

    async def drain(self) -> None:
        """Return when every submitted request has its outcome; later requests are refused."""


class NewestPageviews(Protocol):
    """Finds the pageviews that reports of pages without names are about."""

    async def of_page(
        self, site_id: int, pages: NamelessPages, now: datetime, *, since: datetime
    ) -> int | None:
        """Return the key of the newest pageview of a page that was received from `since` to `now`.

        Raises:
            StoreUnavailable: the store cannot be reached.

        """


@frozen(order=True)
class OutcomeKey:
    """The site, outcome and reason by which events are counted; `site_id` 0 stands for events without a site."""

    site_id: int
    outcome: str
    reason: str = ""


@frozen
class PartialAdmission(Admission):
    """The outcome of a request whose hits are in several cells, some of which are away.

    `in_doubt` holds the places of hits whose commit was under way when their cell stopped answering, each with the
    future of `CommitUnknown`.
    """

    in_doubt: Mapping[int, asyncio.Future[bool]] = field(factory=dict)


NO_BOTS: Mapping[RefusedBot, int] = MappingProxyType({})


class OutcomeLedger(Protocol):
    """Counts the outcomes of received events by quarters of an hour.

    Stored hits are counted by the traffic log itself. Every method raises StoreUnavailable when the store cannot
    be reached.
    """

    async def add(
        self,
        counts: Mapping[tuple[OutcomeKey, datetime], int],
        bots: Mapping[RefusedBot, int] = NO_BOTS,
        *,
        source: str,
        number: int,
    ) -> None:
        """Add a number of events to each count; the times are beginnings of quarters.

        Refused bots are counted by page, too, as `count_apart` says.

        After a failure the caller repeats the call with the same counts until it succeeds; they are added once. The
        store knows a call by its `number`, which begins at 1 and grows with each call of a source; it forgets a source
        that was silent for a day.
        """

    async def read_counts(self, site_id: int, *, start: datetime, end: datetime) -> dict[OutcomeKey, int]:
        """Return the counts of a site for the quarters that begin in [start, end)."""

    async def read_quarters(
        self, site_id: int, *, start: datetime, end: datetime
    ) -> dict[tuple[OutcomeKey, datetime], int]:
        """Return the counts of a site for each quarter that begins in [start, end)."""
