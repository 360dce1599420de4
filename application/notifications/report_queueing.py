"""Reports by mail that are due, and their way into the queue (docs/alerts/mail-reports.md#when-they-come)."""

import asyncio
import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from attrs import define, field, frozen

from footfall.application.journal.directory import Directory
from footfall.application.languages.language import speaking
from footfall.application.notifications.mail_reports import MailReports
from footfall.application.notifications.mailer import Letter, Mailer
from footfall.application.ports.accounts.people import People
from footfall.application.ports.journal import StoreUnavailable
from footfall.application.ports.mail import Outbox
from footfall.application.ports.report_recipients import RecipientAddresses
from footfall.application.ports.reports.reports import Freshness
from footfall.application.ports.system import Clock
from footfall.domain.accounts.user import ReportSubscribed
from footfall.domain.exceptions import DomainError
from footfall.domain.mail.mail import MailKind, RecipientKey
from footfall.domain.periods.report_schedule import GIVEN_UP_AFTER, last_finished

POLL_SECONDS = 60.0
# Read models that are further behind would show too little.
MAX_LAG_SECONDS = 600.0
# A store that does not say by then how far its read models are is away.
STORE_SECONDS = 3.0
# A report takes no longer than this; one that would is tried again in the next round.
LIMIT_SECONDS = 60.0
# The erasure of a visitor takes reports from the queue, which are made anew.
LOOK_AGAIN = timedelta(hours=1)

_log = logging.getLogger(__name__)

# Lends something while this process is the one that queues reports, or keeps others from it, and None otherwise.
Lock = Callable[[], AbstractAsyncContextManager[object | None]]


@frozen
class DueReport:
    """A report that is due to a user, or to an address outside; the same one always has the same mail id."""

    mail_id: str
    reader: str | RecipientKey
    subscription: ReportSubscribed


@define(kw_only=True)
class DueReports:
    """Queues due reports, each once; any number of workers may run it, the lock lets one work."""

    directory: Directory
    people: People
    addresses: RecipientAddresses
    outbox: Outbox
    mailer: Mailer
    reports: MailReports
    freshness: Freshness
    lock: Lock
    clock: Clock
    limit_seconds: float = LIMIT_SECONDS
    store_seconds: float = STORE_SECONDS
    poll_seconds: float = POLL_SECONDS
    _done: set[str] = field(factory=set, init=False)
    _done_until: datetime | None = field(default=None, init=False)

    async def run(self) -> None:
        """Queue due reports every minute until cancelled."""
        while True:
            try:
                await self.work()
            except StoreUnavailable:
                _log.warning("reports cannot be queued yet, the store is unavailable")
            await asyncio.sleep(self.poll_seconds)

    async def work(self) -> int:
        """Queue what is due, and return the number of reports that were looked at.

        Raises:
            StoreUnavailable: the store cannot be reached; the rest stays due.

        """
        now = self.clock.now()
        if self._done_until is None or now >= self._done_until:
            self._done.clear()
            self._done_until = now + LOOK_AGAIN
        due = self.due(now)
        self._done &= {report.mail_id for report in due}
        waiting = [report for report in due if report.mail_id not in self._done]
        if not waiting:
            return 0
        async with self.lock() as lent:
            if lent is None:
                return 0
            # Each cell is asked once a round, and again after a report on it that failed.
            current: dict[str | None, bool] = {}
            for report in waiting:
                if await self._post(report, current):
                    self._done.add(report.mail_id)
        return len(waiting)

    def due(self, now: datetime) -> list[DueReport]:
        """Return the reports that are due since at most two days, and that were subscribed to before."""
        # Many readers share few time zones.
        latest = cache(lambda interval, zone: last_finished(interval, now, zone))
        reports = []
        for name, reader, subscription in self._subscriptions():
            finished = latest(subscription.interval, self.reports.zone_of(subscription))
            if subscription.since <= finished.due_at and now - finished.due_at <= GIVEN_UP_AFTER:
                mail_id = f"report-{name}-{subscription.interval}-{finished.first}"
                reports.append(DueReport(mail_id, reader, subscription))
        return reports

    def _subscriptions(self) -> Iterator[tuple[str, str | RecipientKey, ReportSubscribed]]:
        """Yield all subscriptions, each with a name and its reader."""
        for user_id, user in self.directory.state.users.items():
            for subscription in user.reports.values():
                scope = "all" if subscription.site_id is None else subscription.site_id
                yield f"{user_id}-{scope}", user_id, subscription
        for record in self.directory.state.sites.values():
            site_id = record.site.site_id
            for number, recipient in record.site.recipients.present.items():
                if recipient.since is not None:
                    subscribed = ReportSubscribed(
                        site_id=site_id,
                        interval=recipient.interval,
                        time_zone=None,
                        since=recipient.since,
                    )
                    yield f"outside-{site_id}-{number}", RecipientKey(site_id, number), subscribed

    async def _post(self, due: DueReport, current: dict[str | None, bool]) -> bool:
        """Queue a report, or leave it out; False when its figures are not to be had now."""
        address = await self._address(due)
        if address is None:
            return True
        one_of_each_cell = self._one_of_each_cell(due)
        for cell, site_id in one_of_each_cell.items():
            if cell not in current:
                current[cell] = await self._is_current(site_id)
        if not all(current[cell] for cell in one_of_each_cell):
            return False
        organization_id = self._organization(due)
        reader = None if isinstance(due.reader, RecipientKey) else due.reader
        try:
            with speaking(self.mailer.languages.of_mail(reader, organization_id)):
                async with asyncio.timeout(self.limit_seconds):
                    values = await self._values(due)
        except (StoreUnavailable, TimeoutError) as failure:
            # A cell that is away, or a site whose figures take long, keeps no reports of others waiting.
            _say("a report by mail waits", due, failure)
            for cell in one_of_each_cell:
                del current[cell]
            return False
        except DomainError as failure:
            _say("a report by mail is left out", due, failure)
            return True
        if values is not None:
            await self.mailer.post(self._letter(due, address, values, organization_id))
        return True

    async def _values(self, due: DueReport) -> Mapping[str, Any] | None:
        """Return the values of a report; None when its reader sees no such site."""
        now = self.clock.now()
        if not isinstance(due.reader, RecipientKey):
            return await self.reports.write(due.reader, due.subscription, now)
        record = self.directory.site(str(due.reader.site_id))
        return None if record is None else await self.reports.write_outside(record, due.subscription, now)

    def _organization(self, due: DueReport) -> str:
        """Return the organization of the site of a report; empty for one on all sites."""
        record = self.directory.site(str(due.subscription.site_id))
        return "" if record is None else record.site.organization_id

    def _letter(
        self, due: DueReport, address: str, values: Mapping[str, Any], organization_id: str
    ) -> Letter:
        if not isinstance(due.reader, RecipientKey):
            return Letter.of_member(
                kind=MailKind.REPORT,
                recipient=address,
                user_id=due.reader,
                organization_id=organization_id,
                mail_id=due.mail_id,
                values=values,
            )
        return Letter(
            kind=MailKind.OUTSIDE_REPORT,
            recipient=address,
            outside=due.reader,
            organization_id=organization_id,
            mail_id=due.mail_id,
            values=values,
            unsubscribe_url=self.mailer.unsubscribing.end_link(due.reader),
        )

    async def _address(self, due: DueReport) -> str | None:
        """Return where a report goes; None when it goes nowhere or was queued before."""
        if isinstance(due.reader, RecipientKey):
            address = (await self.addresses.of_sites([due.reader.site_id])).get(due.reader)
            return None if address is None or await self.outbox.knows(due.mail_id) else address
        person = (await self.people.of([due.reader])).get(due.reader)
        address = person.verified_address if person else None
        if address is None or await self.outbox.knows(due.mail_id):
            return None
        if await self.mailer.unsubscribing.is_unsubscribed(address, MailKind.REPORT):
            return None
        return address

    async def _is_current(self, site_id: int) -> bool:
        """Whether the store of a site answers and its figures are complete."""
        try:
            async with asyncio.timeout(self.store_seconds):
                lag = await self.freshness.lag(site_id)
        except (StoreUnavailable, TimeoutError):
            _log.warning("reports by mail wait for a store that does not answer", extra={"site": site_id})
            return False
        return lag.seconds <= MAX_LAG_SECONDS

    def _one_of_each_cell(self, due: DueReport) -> dict[str | None, int]:
        """Return one of the sites of a report for each cell that they are in."""
        chosen = due.subscription.site_id
        if isinstance(due.reader, RecipientKey):
            return {self.directory.cell_of(due.reader.site_id): due.reader.site_id}
        sites = [record.site.site_id for record in self.reports.sites_of(due.reader)]
        return {
            self.directory.cell_of(site_id): site_id
            for site_id in sites
            if chosen is None or site_id == chosen
        }


def _say(text: str, due: DueReport, failure: Exception) -> None:
    _log.warning(text, extra={"report": due.mail_id, "failure": type(failure).__name__})
