"""The figures of a report by mail on a site, or on all sites of a user (docs/mail-reports.md)."""

from collections.abc import Sequence

from attrs import frozen

from footfall.application.journal.directory import Directory
from footfall.application.journal.directory_records import SiteRecord
from footfall.application.ports.errors.error_reports import ErrorReports
from footfall.application.ports.reports.breakdowns import BreakdownReports
from footfall.application.ports.reports.reports import Freshness, GoalReports, TrafficReports
from footfall.domain.exceptions import Invalid
from footfall.domain.goals.goal import GoalQuery
from footfall.domain.pagination import Page
from footfall.domain.periods.buckets import BucketSize
from footfall.domain.periods.recurrence import FinishedPeriod
from footfall.domain.text import shown_text
from footfall.domain.traffic.overview import Traffic

ROWS = 5
MAX_SITES = 100
MAX_LABEL = 90


@frozen(kw_only=True)
class Row:
    """A line of a section; `share` is its part of the largest value in percent, the length of its bar."""

    label: str
    value: str
    share: int
    note: str = ""


@frozen
class Section:
    """A part of a report; `empty` stands there when it has no rows."""

    title: str
    rows: Sequence[Row]
    empty: str = "None"


@frozen(kw_only=True)
class Figures:
    """The totals of a period and of the one before, and the sections below them."""

    now: Traffic
    before: Traffic
    sections: Sequence[Section]


@frozen(kw_only=True)
class ReportFigures:
    """Reads the figures from the reports."""

    directory: Directory
    traffic: TrafficReports
    goals: GoalReports
    breakdowns: BreakdownReports
    errors: ErrorReports
    freshness: Freshness

    async def of_site(self, record: SiteRecord, finished: FinishedPeriod) -> Figures:
        """Return the figures of a site.

        Raises:
            StoreUnavailable: the store does not answer.

        """
        site_id = record.site.site_id
        await self.freshness.catch_up(site_id)
        now, before = await self._totals(site_id, finished)
        sections = [
            await self._days(site_id, finished),
            await self._goals(site_id, finished),
            await self._breakdown("Top pages", "pathname", site_id, finished),
            await self._breakdown("Top sources", "channel", site_id, finished),
            await self._new_errors(site_id, finished),
        ]
        return Figures(now=now, before=before, sections=sections)

    async def of_sites(self, records: Sequence[SiteRecord], finished: FinishedPeriod) -> Figures:
        """Return the sums over several sites, and the figures of the first hundred of them, most visitors first.

        Raises:
            StoreUnavailable: the store does not answer.

        """
        counted = []
        for record in records[:MAX_SITES]:
            await self.freshness.catch_up(record.site.site_id)
            counted.append((record.site.name, *await self._totals(record.site.site_id, finished)))
        counted.sort(key=lambda one: (-one[1].visitors, one[0]))
        most = max((now.visitors for _, now, _ in counted), default=0)
        rows = [
            Row(
                label=shown_text(name, maximum=MAX_LABEL),
                value=f"{now.visitors:,}",
                share=_share(now.visitors, most),
                note=change(now.visitors, before.visitors),
            )
            for name, now, before in counted
        ]
        left = len(records) - len(counted)
        title = f"Visitors by site, without {left} more sites" if left else "Visitors by site"
        return Figures(
            now=_added_up([now for _, now, _ in counted]),
            before=_added_up([before for _, _, before in counted]),
            sections=[Section(title, rows, "You see no sites")],
        )

    async def _totals(self, site_id: int, finished: FinishedPeriod) -> tuple[Traffic, Traffic]:
        now = await self.traffic.overview(site_id, finished.period)
        return now, await self.traffic.overview(site_id, finished.before)

    async def _days(self, site_id: int, finished: FinishedPeriod) -> Section:
        points = await self.traffic.timeseries(site_id, finished.period, BucketSize.DAY, finished.zone)
        most = max((point.traffic.visitors for point in points), default=0)
        rows = [
            Row(
                label=f"{point.time.astimezone(finished.zone):%a %-d %b}",
                value=f"{point.traffic.visitors:,}",
                share=_share(point.traffic.visitors, most),
            )
            for point in points
        ]
        return Section("Visitors by day", rows)

    async def _goals(self, site_id: int, finished: FinishedPeriod) -> Section:
        records = self.directory.goals_of(site_id)
        queries = [GoalQuery(record.goal.rule, record.defined_at_position) for record in records]
        if not queries:
            return Section("Goals", [], "No goals are defined")
        try:
            now = await self.goals.count_conversions(site_id, queries, finished.period)
            before = await self.goals.count_conversions(site_id, queries, finished.before)
        except Invalid:
            return Section("Goals", [], "Not counted: the pattern of a goal takes too long")
        counted = sorted(
            zip(records, now, before, strict=True), key=lambda one: (-one[1].conversions, one[0].goal.goal_id)
        )
        most = max(one.conversions for one in now)
        rows = [
            Row(
                label=shown_text(record.goal.name, maximum=MAX_LABEL),
                value=f"{found.conversions:,} ({found.rate:.1%})",
                share=_share(found.conversions, most),
                note="not counted" if found.set_aside else change(found.conversions, past.conversions),
            )
            for record, found, past in counted[:ROWS]
        ]
        return Section("Goals", rows)

    async def _breakdown(self, title: str, by: str, site_id: int, finished: FinishedPeriod) -> Section:
        found = await self.breakdowns.break_down(site_id, by, finished.period, Page(1, ROWS))
        return Section(title, _rows([(row.value or "Unknown", row.count) for row in found.rows]))

    async def _new_errors(self, site_id: int, finished: FinishedPeriod) -> Section:
        found = await self.errors.new(site_id, finished.period, Page(1, ROWS))
        return Section("New errors", _rows([(one.message, one.count) for one in found.summaries]))


def change(now: int, before: int) -> str:
    """Return by how much a number differs from the one before: +12 %, -5 %, no change, new."""
    if now == before:
        return "no change"
    if before == 0:
        return "new"
    return f"{round(100 * (now - before) / before):+,} %"


def _rows(counted: Sequence[tuple[str, int]]) -> list[Row]:
    most = max((count for _, count in counted), default=0)
    return [
        Row(label=shown_text(label, maximum=MAX_LABEL), value=f"{count:,}", share=_share(count, most))
        for label, count in counted
    ]


def _share(value: int, most: int) -> int:
    """Return a part in percent; a value that is not 0 has a bar that can be seen."""
    return max(1, round(100 * value / most)) if value else 0


def _added_up(totals: Sequence[Traffic]) -> Traffic:
    return Traffic(
        sessions=sum(one.sessions for one in totals),
        visitors=sum(one.visitors for one in totals),
        pageviews=sum(one.pageviews for one in totals),
    )
