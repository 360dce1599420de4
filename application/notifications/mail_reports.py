"""Reports by mail: what a subscription brings, written for its reader (docs/alerts/mail-reports.md)."""

import asyncio
from collections.abc import Mapping
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from attrs import frozen

from footfall.application.journal.directory import Directory
from footfall.application.journal.directory_records import SiteRecord
from footfall.application.languages.language import DateForm, marked, spoken, tr, tr_plural
from footfall.application.notifications.report_figures import Figures, ReportFigures, change
from footfall.application.ports.journal import StoreUnavailable
from footfall.domain.accounts.user import ReportSubscribed
from footfall.domain.periods.report_schedule import FinishedPeriod, Interval, last_finished
from footfall.domain.periods.timezone import zone_or_utc
from footfall.domain.text import shown_text

_COMPARED = marked(
    {
        Interval.DAILY: "compared with the day before",
        Interval.WEEKLY: "compared with the week before",
        Interval.MONTHLY: "compared with the month before",
    }
)
_MAX_NAME = 60


@frozen(kw_only=True)
class MailReports:
    """Writes the values of reports; `origin` is where users reach the service."""

    directory: Directory
    figures: ReportFigures
    origin: str
    # A preview of many sites, or of one whose store does not answer, is given up after so long.
    preview_seconds: float = 30.0

    def sites_of(self, user_id: str) -> list[SiteRecord]:
        """Return the sites that a user may see, by their ids."""
        organizations = self.directory.organizations_of(user_id)
        return [
            record
            for organization in organizations
            for record in self.directory.sites_for(user_id, organization.organization.organization_id)
        ]

    def zone_of(self, subscription: ReportSubscribed) -> ZoneInfo:
        """Return the time zone of the days of a report; UTC where this machine does not know it."""
        name = subscription.time_zone
        if name is None:
            record = self.directory.site(str(subscription.site_id))
            name = "UTC" if record is None else record.site.config.time_zone
        return zone_or_utc(name)

    async def preview(
        self, user_id: str, subscription: ReportSubscribed, now: datetime
    ) -> Mapping[str, Any] | None:
        """Return what `write` returns to a user who waits for it.

        Raises:
            StoreUnavailable: the store does not answer, or the report takes longer than `preview_seconds`.
            Invalid: an exclusion rule of the site is refused.

        """
        try:
            async with asyncio.timeout(self.preview_seconds):
                return await self.write(user_id, subscription, now)
        except TimeoutError:
            raise StoreUnavailable from None

    async def write(
        self, user_id: str, subscription: ReportSubscribed, now: datetime
    ) -> Mapping[str, Any] | None:
        """Return the values of the report's template; None when the user sees no such site.

        Raises:
            StoreUnavailable: the store does not answer.
            Invalid: an exclusion rule of the site is refused.

        """
        finished = last_finished(subscription.interval, now, self.zone_of(subscription))
        sites = self.sites_of(user_id)
        links = {
            "link": self._link(subscription, finished),
            "settings": f"{self.origin}/account/mail-reports",
        }
        if subscription.site_id is None:
            figures = await self.figures.of_sites(sites, finished)
            return links | self._values(tr("All sites"), subscription, finished, figures)
        for record in sites:
            if record.site.site_id == subscription.site_id:
                figures = await self.figures.of_site(record, finished)
                return links | self._values(record.site.name, subscription, finished, figures)
        return None

    async def write_outside(
        self, record: SiteRecord, subscription: ReportSubscribed, now: datetime
    ) -> Mapping[str, Any]:
        """Return the values of a report for a reader outside: what the shared page of the site shows, and no links.

        Raises:
            StoreUnavailable: the store does not answer.
            Invalid: an exclusion rule of the site is refused.

        """
        finished = last_finished(subscription.interval, now, self.zone_of(subscription))
        details = record.site.config.share_details
        figures = await self.figures.of_site(record, finished, details=details)
        name = self.directory.organization_name(record.site.organization_id)
        return {
            "organization": shown_text(name, maximum=_MAX_NAME),
            **self._values(record.site.name, subscription, finished, figures),
        }

    def _values(
        self, name: str, subscription: ReportSubscribed, finished: FinishedPeriod, figures: Figures
    ) -> dict[str, Any]:
        now, before = figures.now, figures.before
        totals = {
            tr("Visitors"): (now.visitors, before.visitors),
            tr("Sessions"): (now.sessions, before.sessions),
            tr("Pageviews"): (now.pageviews, before.pageviews),
        }
        return {
            "name": shown_text(name, maximum=_MAX_NAME),
            "compared": tr(_COMPARED[subscription.interval]),
            "interval": subscription.interval.value,
            "days": _days(finished.first, finished.last),
            "when": _when(subscription.interval, finished),
            "visitors": tr_plural("{count} visitor", "{count} visitors", now.visitors),
            "zone": finished.zone.key,
            "totals": [
                (label, spoken().number(total), change(total, past))
                for label, (total, past) in totals.items()
            ],
            "sections": figures.sections,
        }

    def _link(self, subscription: ReportSubscribed, finished: FinishedPeriod) -> str:
        if subscription.site_id is None:
            return f"{self.origin}/sites"
        days = f"start_date={finished.first}&end_date={finished.last}&time_zone={finished.zone.key}"
        return f"{self.origin}/sites/{subscription.site_id}?{days}"


def _when(interval: Interval, finished: FinishedPeriod) -> str:
    """Return the days of a period as a part of a sentence: on Mon 16 Nov 2026, in the week …, in November 2026."""
    if interval is Interval.MONTHLY:
        return tr("in {month}", month=spoken().day(finished.first, DateForm.WHOLE_MONTH))
    days = _days(finished.first, finished.last)
    return tr("on {day}", day=days) if interval is Interval.DAILY else tr("in the week {days}", days=days)


def _days(first: date, last: date) -> str:
    """Return the days of a period: Mon 16 Nov 2026, 16-22 Nov 2026, 28 Sep - 4 Oct 2026."""
    language = spoken()
    if first == last:
        return language.day(first, DateForm.WEEKDAY_DATE)
    if first.month == last.month:
        return tr("{first}-{last}", first=first.day, last=language.day(last))
    form = DateForm.DAY_OF_YEAR if first.year == last.year else DateForm.DATE
    return f"{language.day(first, form)} - {language.day(last)}"
