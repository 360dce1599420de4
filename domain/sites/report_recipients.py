"""Addresses outside of an organization that get reports on a site by mail.

See docs/alerts/mail-reports.md#addresses-outside.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from enum import StrEnum

from attrs import evolve, field, frozen

from footfall.domain.attempt_limits import AttemptLimit
from footfall.domain.event_stream import without
from footfall.domain.exceptions import RecipientLinkRefused, TooManyRecipients
from footfall.domain.periods.report_schedule import Interval

LIFETIME = timedelta(days=3)
MAX_RECIPIENTS = 50
# Mails that ask an address whether it wants reports, from all organizations, and those of one organization.
REPORT_QUESTIONS_TO_ADDRESS = AttemptLimit("report-questions-to-address", 3, timedelta(days=1))
REPORT_QUESTIONS_TO_ADDRESS_OF_MONTH = AttemptLimit(
    "report-questions-to-address-of-month", 5, timedelta(days=30)
)
REPORT_QUESTIONS_OF_ORGANIZATION = AttemptLimit("report-questions-of-organization", 20, timedelta(days=1))


class EndReason(StrEnum):
    """The reason why an address gets no reports any more."""

    REMOVED = "removed"
    UNSUBSCRIBED = "unsubscribed"
    EXPIRED = "expired"


@frozen(kw_only=True)
class ReportRecipientAdded:
    """An address gets reports as soon as its reader agrees by a link; neither address nor token is in the journal."""

    number: int
    interval: Interval
    digest: str = field(repr=False)
    expires_at: datetime
    added_by: str | None


@frozen(kw_only=True)
class ReportRecipientConfirmed:
    """The reader of the address agreed to get the reports that are due from then on."""

    number: int
    since: datetime


@frozen(kw_only=True)
class ReportRecipientEnded:
    """The address gets no reports any more, and was erased."""

    number: int
    reason: EndReason


RecipientEvent = ReportRecipientAdded | ReportRecipientConfirmed | ReportRecipientEnded


@frozen(kw_only=True)
class Recipient:
    """An address outside: who added it, and since when its reader wants the reports; None until the reader agrees."""

    added: ReportRecipientAdded
    since: datetime | None = None

    @property
    def number(self) -> int:
        """The number of the address, which no other one of the site ever has."""
        return self.added.number

    @property
    def interval(self) -> Interval:
        """How often reports come."""
        return self.added.interval

    @property
    def added_at(self) -> datetime:
        """The time at which it was added."""
        return self.added.expires_at - LIFETIME

    def is_expired(self, now: datetime) -> bool:
        """Whether the reader did not agree in time."""
        return self.since is None and now >= self.added.expires_at


@frozen
class Recipients:
    """The addresses outside of a site by their numbers, and the highest number that was ever given."""

    present: Mapping[int, Recipient] = field(factory=dict)
    last: int = 0


def add(
    state: Recipients, *, interval: Interval, digest: str, by: str | None, now: datetime
) -> list[RecipientEvent]:
    """Decide that the reader of an address is asked whether they want reports, by a link whose token has this digest.

    Raises:
        TooManyRecipients: the site has 50 addresses outside.

    """
    require_room(state)
    added = ReportRecipientAdded(
        number=state.last + 1,
        interval=interval,
        digest=digest,
        expires_at=now + LIFETIME,
        added_by=by,
    )
    return [added]


def require_room(state: Recipients) -> None:
    """Raise TooManyRecipients when a site has as many addresses outside as it may have."""
    if len(state.present) >= MAX_RECIPIENTS:
        raise TooManyRecipients(MAX_RECIPIENTS)


def confirm(state: Recipients, *, digest: str, now: datetime) -> list[RecipientEvent]:
    """Decide that the reader of an address wants the reports; nothing happens the second time.

    Raises:
        RecipientLinkRefused: there is no such link, it is too old, or the address was removed.

    """
    recipient = find(state, digest=digest, now=now)
    return [] if recipient.since else [ReportRecipientConfirmed(number=recipient.number, since=now)]


def find(state: Recipients, *, digest: str, now: datetime) -> Recipient:
    """Return the address whose link has a token with this digest; raise RecipientLinkRefused as `confirm` does."""
    for recipient in state.present.values():
        if recipient.added.digest == digest and not recipient.is_expired(now):
            return recipient
    raise RecipientLinkRefused


def end(state: Recipients, number: int, reason: EndReason) -> list[RecipientEvent]:
    """Decide that an address gets no reports any more; nothing happens the second time."""
    return [ReportRecipientEnded(number=number, reason=reason)] if number in state.present else []


def expire(state: Recipients, now: datetime) -> list[RecipientEvent]:
    """Decide that the addresses whose readers did not agree in time are erased."""
    return [
        ReportRecipientEnded(number=number, reason=EndReason.EXPIRED)
        for number, recipient in state.present.items()
        if recipient.is_expired(now)
    ]


def apply(state: Recipients, event: RecipientEvent) -> Recipients:
    """Return the addresses after an event; accepts every event of the history."""
    match event:
        case ReportRecipientAdded(number=number):
            present = {**state.present, number: Recipient(added=event)}
            return Recipients(present, max(state.last, number))
        case ReportRecipientConfirmed(number=number, since=since) if number in state.present:
            confirmed = evolve(state.present[number], since=since)
            return evolve(state, present={**state.present, number: confirmed})
        case ReportRecipientEnded(number=number):
            return evolve(state, present=without(state.present, number))
        case ReportRecipientConfirmed():
            return state
