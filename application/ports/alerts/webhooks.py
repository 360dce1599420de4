"""Ports of requests to targets of alerts: their addresses, the queue, and the way out."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Protocol

from attrs import field, frozen

from footfall.application.ports.accounts.registrations import StreamAppend
from footfall.application.ports.journal import Metadata


class WebhookFailed(Exception):
    """A request was not accepted; a `final` failure is not tried again. The reason names no secret."""

    def __init__(self, reason: str, *, final: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.final = final


@frozen
class TargetAddress:
    """The address of a target and the secret that signs requests to it; both are secrets."""

    url: str = field(repr=False)
    secret: str | None = field(default=None, repr=False)


class TargetAddresses(Protocol):
    """Keeps the addresses of targets outside of the journal, each stored and forgotten together with its event.

    Every method raises ConcurrencyConflict when the stream has another version by now, and StoreUnavailable when the
    store cannot be reached; then neither the address nor the event has changed.
    """

    async def add(
        self, site_id: int, target: int, address: TargetAddress, added: StreamAppend, metadata: Metadata
    ) -> None:
        """Store the address of a new target."""

    async def remove(self, site_id: int, target: int, removed: StreamAppend, metadata: Metadata) -> None:
        """Forget the address of a target and the requests to it that wait."""


@frozen
class StoredAddress:
    """The address of a target of a site, as it is stored."""

    site_id: int
    target: int
    address: TargetAddress


class StoredAddresses(Protocol):
    """The addresses of all targets. Every method raises StoreUnavailable when the store cannot be reached."""

    async def read(self) -> Sequence[StoredAddress]:
        """Return all addresses."""


@frozen(kw_only=True)
class WebhookRequest:
    """A request that is told to a target; the same one always has the same key, which makes it idempotent.

    It is sent when the one with the key `after` has arrived, and given up when that was given up.
    """

    key: str
    site_id: int
    target: int
    content_type: str
    body: str = field(repr=False)
    signed: bool
    after: str | None = None


@frozen(kw_only=True)
class DueRequest:
    """A request whose delivery is due, with the address of its target and the number of attempts that failed.

    `former_failure` is the reason for which the request that it comes after was given up; None if it was not.
    """

    request: WebhookRequest
    address: TargetAddress
    queued_at: datetime
    attempts: int
    former_failure: str | None = None


@frozen(kw_only=True)
class RequestState:
    """The outcome of the latest request to a target: waiting, delivered or given up, and why it failed last."""

    outcome: str
    queued_at: datetime
    attempts: int
    reason: str | None = None
    finished_at: datetime | None = None


class WebhookQueue(Protocol):
    """The queue of requests to targets.

    A request is not due while the one that it comes after waits, however that fares.
    Every method raises StoreUnavailable when the store cannot be reached.
    """

    async def enqueue(self, request: WebhookRequest, *, at: datetime) -> None:
        """Store a request unless one with its key is there."""

    async def is_waiting(self, now: datetime) -> bool:
        """Return whether a request is due."""

    async def claim(
        self, now: datetime, *, until: datetime, limit: int, without: Collection[int] = ()
    ) -> Sequence[DueRequest]:
        """Return due requests, the longest due of each site first and at most one of each site, none of some sites.

        Until a time no other caller gets them; after it they are due again, unless their outcome is recorded.
        """

    async def record_delivered(self, key: str, *, at: datetime) -> None:
        """Store that the target accepted a request; its content is erased."""

    async def postpone(self, key: str, *, until: datetime, reason: str) -> None:
        """Store a failed attempt, and when the next one is due."""

    async def give_up(self, key: str, *, at: datetime, reason: str) -> None:
        """Store that a request is not tried any more; its content is erased."""

    async def latest(self, site_id: int) -> Mapping[int, RequestState]:
        """Return the latest request to each target of a site, by the numbers of the targets."""

    async def forget_finished(self, *, delivered_before: datetime, given_up_before: datetime) -> None:
        """Forget the requests that were delivered, and those that were given up, before a time.

        A request that was delivered stays as long as it is the latest to its target.
        """


class WebhookTransport(Protocol):
    """Sends requests."""

    async def send(self, due: DueRequest, *, now: datetime) -> None:
        """Return when the target has accepted the request, within a bounded time.

        Raises:
            WebhookFailed: it was not accepted.

        """
