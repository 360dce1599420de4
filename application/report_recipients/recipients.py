"""Addresses outside: asked, confirmed, ended and erased (docs/alerts/mail-reports.md#addresses-outside)."""

import logging
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from attrs import evolve, field, frozen

from footfall.application.commands.context import CommandContext
from footfall.application.commands.decide_and_append import Append
from footfall.application.commands.sites.report_recipients import ReportRecipientCommands
from footfall.application.journal.directory import Directory
from footfall.application.journal.directory_records import SiteRecord
from footfall.application.journal.stream_names import site_stream
from footfall.application.maintenance.background_loop import HOUR, repeat
from footfall.application.notifications.mailer import Letter, Mailer
from footfall.application.ports.accounts.people import People
from footfall.application.ports.accounts.registrations import StreamAppend
from footfall.application.ports.journal import ConcurrencyConflict, Metadata, StreamSetAside
from footfall.application.ports.report_recipients import RecipientAddresses
from footfall.application.ports.system import Clock, Randomness
from footfall.application.sign_in.attempts import AttemptLimiter
from footfall.domain.accounts.api_key import digest_of
from footfall.domain.accounts.person import Person, mailbox_of, parse_address, same_address
from footfall.domain.exceptions import (
    ChangedByNewer,
    DomainError,
    Invalid,
    RecipientLinkRefused,
    SiteNotFound,
    existing,
)
from footfall.domain.mail.mail import Mail, MailKind, RecipientKey
from footfall.domain.periods.report_schedule import Interval
from footfall.domain.sites import report_recipients
from footfall.domain.sites.report_recipients import (
    REPORT_QUESTIONS_OF_ORGANIZATION,
    REPORT_QUESTIONS_TO_ADDRESS,
    REPORT_QUESTIONS_TO_ADDRESS_OF_MONTH,
    EndReason,
    Recipient,
    ReportRecipientEnded,
)
from footfall.domain.text import shown_text

_MAX_NAME = 60

_log = logging.getLogger(__name__)


@frozen(kw_only=True)
class OutsideAddress:
    """An address outside as members see it; the address itself is None while it is being erased."""

    record: SiteRecord
    recipient: Recipient
    address: str | None = field(repr=False)
    is_expired: bool
    # The latest mail to it was given up at this time.
    undelivered_at: datetime | None


@frozen(kw_only=True)
class PresentedQuestion:
    """What the link of a mail asks its reader."""

    recipient: Recipient
    site_name: str
    organization_name: str


@frozen(kw_only=True)
class ReportRecipients:
    """Asks the readers of addresses, takes their answers, and erases addresses; `origin` is where readers reach it."""

    commands: ReportRecipientCommands
    directory: Directory
    addresses: RecipientAddresses
    people: People
    mailer: Mailer
    attempts: AttemptLimiter
    randomness: Randomness
    clock: Clock
    origin: str

    async def add(self, site_id: int, address: str, interval: Interval, context: CommandContext) -> None:
        """Add an address, and ask its reader by a mail whether they want the reports.

        Raises:
            SiteNotFound: there is no such site.
            Invalid: mail is off, the text is not an address, it gets these reports or was asked, or it wants no such
                questions; the error names `address`.
            TooManyRecipients: the site has 50 addresses outside.
            TooManyAttempts: the address was asked, or the organization has asked, as often as the limits allow.
            StoreUnavailable: the store does not answer; nothing has changed.

        """
        record = await self.directory.present_site(site_id)
        address = parse_address(address)
        await self._require_new(record, address, interval)
        report_recipients.require_room(record.site.recipients)
        await self._take_attempts(record, address)
        token = self.randomness.sign_in_token()
        question = await self._question(record, address, interval, token, context)
        append = self._with_address(site_id, question, interval)
        await self.commands.add(site_id, interval, token, context, append)

    async def find(self, site_id: int, token: str) -> PresentedQuestion:
        """Return what the link with this token asks.

        Raises:
            RecipientLinkRefused: there is no such link, it is too old, or the address was removed.
            StreamSetAside: an event of the site cannot be read.

        """
        await self.directory.catch_up()
        record = existing(self.directory.readable_site(str(site_id)), RecipientLinkRefused)
        recipient = report_recipients.find(
            record.site.recipients, digest=digest_of(token), now=self.clock.now()
        )
        return PresentedQuestion(
            recipient=recipient,
            site_name=record.site.name,
            organization_name=self.directory.organization_name(record.site.organization_id),
        )

    async def confirm(self, site_id: int, token: str, context: CommandContext) -> None:
        """Record that the reader agrees; nothing happens the second time.

        Raises:
            RecipientLinkRefused, StreamSetAside: as `find` does.

        """
        await self.find(site_id, token)
        try:
            await self.commands.confirm(site_id, token, context)
        except SiteNotFound:
            raise RecipientLinkRefused from None

    async def remove(self, site_id: int, number: int, context: CommandContext) -> None:
        """End the reports to an address as an owner asks for it, and erase it; nothing happens the second time."""
        await self._end(RecipientKey(site_id, number), EndReason.REMOVED, context)

    async def unsubscribe(self, outside: RecipientKey, token: str, context: CommandContext) -> None:
        """End the reports to an address by the link in each of them, and erase it; nothing happens the second time.

        When the journal takes no event about the site, the address is erased all the same.

        Raises:
            UnsubscribeLinkNotFound: the link was not made by this service.
            StoreUnavailable: the store does not answer; nothing has changed.

        """
        self.mailer.unsubscribing.require_end_token(outside, token)
        await self._unsubscribe(outside, context)

    async def forbid_questions(self, outside: RecipientKey, token: str, context: CommandContext) -> None:
        """Forbid all questions to the address of a report's link, as long as it is stored.

        Raises:
            UnsubscribeLinkNotFound: the link was not made by this service.
            StoreUnavailable: the store does not answer.

        """
        self.mailer.unsubscribing.require_end_token(outside, token)
        address = (await self.addresses.of_sites([outside.site_id])).get(outside)
        if address is not None:
            digest = await self.mailer.unsubscribing.forbid(address, MailKind.REPORT_QUESTION)
            await self.end_unanswered(digest, context)

    async def end_unanswered(self, digest: str, context: CommandContext) -> None:
        """Erase the addresses whose readers were asked, and then forbade questions by a link with this digest.

        Raises:
            StoreUnavailable: the store does not answer; some may be erased.

        """
        await self.directory.catch_up()
        asked = [
            RecipientKey(record.site.site_id, number)
            for record in self.directory.sites()
            for number, recipient in record.site.recipients.present.items()
            if recipient.since is None
        ]
        addresses = await self.addresses.of_sites({outside.site_id for outside in asked})
        for outside in asked:
            address = addresses.get(outside)
            if address and self.mailer.unsubscribing.is_link_of(address, digest, MailKind.REPORT_QUESTION):
                await self._unsubscribe(outside, context)

    async def is_kept(self, outside: RecipientKey, token: str) -> bool:
        """Return whether the address is stored, by the link in each report to it.

        Raises:
            UnsubscribeLinkNotFound: the link was not made by this service.
            StoreUnavailable: the store does not answer.

        """
        self.mailer.unsubscribing.require_end_token(outside, token)
        return outside in await self.addresses.of_sites([outside.site_id])

    async def of_sites(self, records: Collection[SiteRecord]) -> list[OutsideAddress]:
        """Return the addresses outside of sites, in the order of the sites and of their addition."""
        site_ids, now = [record.site.site_id for record in records], self.clock.now()
        addresses = await self.addresses.of_sites(site_ids)
        undelivered = await self.addresses.undelivered(site_ids)
        return [
            OutsideAddress(
                record=record,
                recipient=recipient,
                address=addresses.get(RecipientKey(record.site.site_id, number)),
                is_expired=recipient.is_expired(now),
                undelivered_at=undelivered.get(RecipientKey(record.site.site_id, number)),
            )
            for record in records
            for number, recipient in sorted(record.site.recipients.present.items())
        ]

    async def erase_expired(self) -> None:
        """Erase the addresses whose readers did not agree in time.

        Raises:
            StoreUnavailable: the store does not answer; the next call does the rest.

        """
        await self.directory.catch_up()
        for record in self.directory.sites():
            site_id = record.site.site_id
            if not report_recipients.expire(record.site.recipients, self.clock.now()):
                continue
            try:
                await self.commands.expire(site_id, CommandContext(), self._without_addresses(site_id))
            except DomainError as failure:
                # The site was deleted meanwhile, or cannot be changed now; the addresses of others do not wait for it.
                _log.warning(
                    "addresses outside are not erased yet",
                    extra={"site": site_id, "failure": type(failure).__name__},
                )

    async def run(self) -> None:
        """Erase every hour until cancelled."""
        await repeat(
            self.erase_expired,
            seconds=HOUR,
            delayed="addresses outside cannot be erased yet; trying again in an hour",
        )

    async def _take_attempts(self, record: SiteRecord, address: str) -> None:
        """Count a question; the limit that refuses it spends nothing of the others."""
        limits = (
            (REPORT_QUESTIONS_TO_ADDRESS, mailbox_of(address)),
            (REPORT_QUESTIONS_TO_ADDRESS_OF_MONTH, mailbox_of(address)),
            (REPORT_QUESTIONS_OF_ORGANIZATION, record.site.organization_id),
        )
        for limit, subject in limits:
            await self.attempts.require(limit, subject)
        for limit, subject in limits:
            await self.attempts.take(limit, subject)

    async def _require_new(self, record: SiteRecord, address: str, interval: Interval) -> None:
        if not self.mailer.enabled:
            raise Invalid({"address": ["cannot be asked: this service sends no mail"]})
        site_id, now = record.site.site_id, self.clock.now()
        addresses = await self.addresses.of_sites([site_id])
        for number, recipient in record.site.recipients.present.items():
            stored = addresses.get(RecipientKey(site_id, number))
            is_same = recipient.interval is interval and same_address(stored, address)
            if is_same and not recipient.is_expired(now):
                raise Invalid(
                    {"address": ["gets these reports already, or was asked and has not answered yet"]}
                )
        if await self.mailer.unsubscribing.is_unsubscribed(address, MailKind.REPORT_QUESTION):
            raise Invalid({"address": ["wants no mails that ask for reports"]})

    async def _question(
        self, record: SiteRecord, address: str, interval: Interval, token: str, context: CommandContext
    ) -> Mail:
        site = record.site
        asked_by = context.actor.user_id
        people = await self.people.of([asked_by]) if asked_by else {}
        person = people.get(asked_by or "", Person(user_id=asked_by or ""))
        values = {
            "asked_by": shown_text(person.shown_name if asked_by else "The operator", maximum=_MAX_NAME),
            "organization": shown_text(
                self.directory.organization_name(record.site.organization_id), maximum=_MAX_NAME
            ),
            "name": shown_text(site.name, maximum=_MAX_NAME),
            "domain": site.domain,
            "interval": interval.value,
            "link": f"{self.origin}/reports/confirmation/{site.site_id}/{token}",
        }
        expires_at = self.clock.now() + report_recipients.LIFETIME
        return self.mailer.written(
            Letter(
                kind=MailKind.REPORT_QUESTION,
                recipient=address,
                values=values,
                useless_after=expires_at,
                organization_id=site.organization_id,
            )
        )

    async def _unsubscribe(self, outside: RecipientKey, context: CommandContext) -> None:
        try:
            await self._end(outside, EndReason.UNSUBSCRIBED, context)
        except (SiteNotFound, StreamSetAside, ChangedByNewer, ConcurrencyConflict):
            # Mail programs ask only once, and an address that is not there gets no reports.
            await self.addresses.erase(outside)

    async def _end(self, outside: RecipientKey, reason: EndReason, context: CommandContext) -> None:
        append = self._without_addresses(outside.site_id)
        await self.commands.end(outside.site_id, outside.number, reason, context, append)

    def _with_address(self, site_id: int, question: Mail, interval: Interval) -> Append:
        """Return what appends the event about a new address together with the address and the mail to it."""

        async def append(events: Sequence[Any], expected: int, metadata: Metadata) -> None:
            # Once more after the stream was read: nothing is appended when another address comes after that.
            record = await self.directory.present_site(site_id)
            await self._require_new(record, question.recipient, interval)
            [added] = events
            mail = evolve(question, outside=RecipientKey(site_id, added.number))
            await self.addresses.add(mail, _appended(site_id, events, expected), metadata)

        return append

    def _without_addresses(self, site_id: int) -> Append:
        """Return what appends the events about addresses that ended, and erases these."""

        async def append(events: Sequence[Any], expected: int, metadata: Metadata) -> None:
            ended = [
                RecipientKey(site_id, event.number)
                for event in events
                if isinstance(event, ReportRecipientEnded)
            ]
            await self.addresses.remove(ended, _appended(site_id, events, expected), metadata)

        return append


def _appended(site_id: int, events: Sequence[Any], expected: int) -> StreamAppend:
    return StreamAppend(stream=site_stream(site_id), events=events, expected=expected)
