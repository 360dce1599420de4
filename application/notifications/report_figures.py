"""The figures of a report by mail on a site, or on all sites of a user (docs/alerts/mail-reports.md)."""

from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import datetime
from decimal import Decimal
from fractions import Fraction

from attrs import evolve, field, frozen

from footfall.application.access.exclusions import exclusion_filters
from footfall.application.journal.directory import Directory
from footfall.application.journal.directory_records import SiteRecord
from footfall.application.languages.language import DateForm, spoken, tr, tr_plural
from footfall.application.ports.reports.reports import Freshness
from footfall.application.ports.reports.snapshots import ReportSet
from footfall.domain.error_tracking.aggregation import ErrorSummary
from footfall.domain.exceptions import Invalid
from footfall.domain.goals.goal import EventRule, Rule
from footfall.domain.goals.value import money_of
from footfall.domain.pagination import Page
from footfall.domain.periods.buckets import BucketSize
from footfall.domain.periods.report_schedule import FinishedPeriod
from footfall.domain.sites.site import Site
from footfall.domain.text import shown_text
from footfall.domain.traffic.conversion import Conversions
from footfall.domain.traffic.filters import ExpressionCompiler, Filter
from footfall.domain.traffic.overview import Traffic
from footfall.domain.traffic.properties import Numbers
from footfall.domain.traffic.report_query import ReportQuery

ROWS = 5
MAX_SITES = 100
MAX_LABEL = 90
MAX_NAME = 40
# In the place of a rate of nothing.
NO_RATE = "\N{EN DASH}"


@frozen(kw_only=True)
class Row:
    """A line of a section; `share` is its part of the largest value in percent, the length of its bar.

    `worth` is the money below the label.
    """

    label: str
    value: str
    share: int
    note: str = ""
    worth: str = ""


@frozen
class Section:
    """A part of a report; `empty` stands there when it has no rows."""

    title: str
    rows: Sequence[Row]
    empty: str = field(factory=lambda: tr("None"))


@frozen(kw_only=True)
class GoalCount:
    """A goal of a site with its conversions, now and before."""

    name: str
    site: Site
    rule: Rule
    filters: Sequence[Filter]
    now: Conversions
    before: Conversions


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
    reports: ReportSet
    freshness: Freshness
    expressions: ExpressionCompiler

    async def of_site(self, record: SiteRecord, finished: FinishedPeriod, *, details: bool = True) -> Figures:
        """Return the figures of a site; `details` are its errors.

        Raises:
            StoreUnavailable: the store does not answer.
            Invalid: an exclusion rule of the site is refused.

        """
        await self.freshness.catch_up(record.site.site_id)
        asked = self._asked(record.site, finished)
        now, before = await self._totals(asked)
        sections = [
            await self._course(asked),
            await self._goals(asked),
            await self._breakdown(tr("Top pages"), "pathname", asked),
            await self._breakdown(tr("Top sources"), "channel", asked),
            *([await self._new_errors(asked)] if details else []),
        ]
        return Figures(now=now, before=before, sections=sections)

    async def of_sites(self, records: Sequence[SiteRecord], finished: FinishedPeriod) -> Figures:
        """Return the figures of the first hundred of several sites together.

        A site whose exclusion rule is refused is left out.

        Raises:
            Invalid: something that is asked of a site takes too long.
            StoreUnavailable: the store does not answer.

        """
        asked: list[_Asked] = []
        for record in records[:MAX_SITES]:
            with suppress(Invalid):
                asked.append(self._asked(record.site, finished))
        counted = [await self._counted(of_site) for of_site in asked]
        left = len(records) - len(counted)
        pages = [(_of(value, site), count) for site in counted for value, count in site.pages]
        sources: Counter[str] = Counter()
        for site in counted:
            sources.update(dict(site.sources))
        errors = [(at, _of(message, site), count) for site in counted for at, message, count in site.errors]
        return Figures(
            now=_added_up([site.now for site in counted]),
            before=_added_up([site.before for site in counted]),
            sections=[
                _sites(counted, left),
                await self._most_reached(
                    [evolve(goal, name=_of(goal.name, site)) for site in counted for goal in site.goals],
                    finished,
                ),
                Section(tr("Top pages"), _rows(_largest(pages))),
                Section(tr("Top sources"), _rows(_largest(sources.items()))),
                Section(
                    tr("New errors"), _rows([error[1:] for error in sorted(errors, reverse=True)[:ROWS]])
                ),
            ],
        )

    async def _counted(self, asked: "_Asked") -> "_OfSite":
        site_id = asked.site.site_id
        await self.freshness.catch_up(site_id)
        now, before = await self._totals(asked)
        pages = await self.reports.breakdowns.break_down(site_id, "pathname", asked.query, Page(1, ROWS))
        # There are about twenty channels.
        sources = await self.reports.breakdowns.break_down(
            site_id, "channel", asked.query, Page(1, MAX_SITES)
        )
        errors = await self._first_seen(asked)
        return _OfSite(
            name=shown_text(asked.site.name, maximum=MAX_NAME),
            now=now,
            before=before,
            goals=await self._goal_counts(asked) or [],
            pages=[(row.value, row.count) for row in pages.rows],
            sources=[(_named("channel", row.value), row.count) for row in sources.rows],
            errors=[(error.first_seen, error.message, error.count) for error in errors or []],
        )

    def _asked(self, site: Site, finished: FinishedPeriod) -> "_Asked":
        return _Asked(site, finished, exclusion_filters(site.exclusions, self.expressions))

    async def _totals(self, asked: "_Asked") -> tuple[Traffic, Traffic]:
        periods = [asked.finished.period, asked.finished.before]
        now, before = await self.reports.traffic.overviews(asked.site.site_id, periods, asked.filters)
        return now, before

    async def _course(self, asked: "_Asked") -> Section:
        finished = asked.finished
        by_hour = finished.first == finished.last
        size = BucketSize.HOUR if by_hour else BucketSize.DAY
        points = await self.reports.traffic.timeseries(asked.site.site_id, asked.query, size, finished.zone)
        most = max((point.traffic.visitors for point in points), default=0)
        rows = [
            Row(
                label=_time(point.time.astimezone(finished.zone), by_hour=by_hour),
                value=spoken().number(point.traffic.visitors),
                share=_share(point.traffic.visitors, most),
            )
            for point in points
        ]
        return Section(tr("Visitors by hour") if by_hour else tr("Visitors by day"), rows)

    async def _goals(self, asked: "_Asked") -> Section:
        counts = await self._goal_counts(asked)
        if counts is None:
            return Section(tr("Goals"), [], tr("Not counted: the pattern of a goal takes too long"))
        return await self._most_reached(counts, asked.finished)

    async def _most_reached(self, counts: Sequence[GoalCount], finished: FinishedPeriod) -> Section:
        """Return the goals with most conversions, and their money; those with equally many in their order."""
        if not counts:
            return Section(tr("Goals"), [], tr("No goals are defined"))
        most = max(goal.now.conversions for goal in counts)
        shown = sorted(counts, key=lambda goal: -goal.now.conversions)[:ROWS]
        worths = [await self._worth(goal, finished) for goal in shown]
        rows = [
            Row(
                label=shown_text(goal.name, maximum=MAX_LABEL),
                value=f"{spoken().number(goal.now.conversions)} ({_rate(goal.now)})",
                share=_share(goal.now.conversions, most),
                note=tr("not counted")
                if goal.now.set_aside
                else change(goal.now.conversions, goal.before.conversions),
                worth=worth,
            )
            for goal, worth in zip(shown, worths, strict=True)
        ]
        return Section(tr("Goals"), rows)

    async def _worth(self, goal: GoalCount, finished: FinishedPeriod) -> str:
        """Return the money in the events of a goal, with its change, by properties; empty without such properties."""
        if not isinstance(goal.rule, EventRule) or goal.now.set_aside:
            return ""
        money = money_of(goal.rule, goal.site.currencies)
        if not money:
            return ""
        keys = [key for key, _ in money]
        now, before = [
            await self.reports.properties.numbers(
                goal.site.site_id, goal.rule, keys, ReportQuery(period, goal.filters)
            )
            for period in (finished.period, finished.before)
        ]
        worths = [(key, _amounts(now.get(key), before.get(key), currency)) for key, currency in money]
        return "; ".join(f"{shown_text(key, maximum=MAX_NAME)} {amounts}" for key, amounts in worths)

    async def _goal_counts(self, asked: "_Asked") -> list[GoalCount] | None:
        """Return the goals of a site with their conversions; None when the pattern of one takes too long."""
        site_id, goals = asked.site.site_id, self.reports.goals
        records = self.directory.goals_of(site_id)
        queries = [record.query for record in records]
        if not queries:
            return []
        try:
            now = await goals.count_conversions(site_id, queries, asked.query)
            before = await goals.count_conversions(
                site_id, queries, evolve(asked.query, period=asked.finished.before)
            )
        except Invalid:
            return None
        return [
            GoalCount(
                name=record.goal.name,
                site=asked.site,
                rule=record.goal.rule,
                filters=asked.filters,
                now=counted,
                before=past,
            )
            for record, counted, past in zip(records, now, before, strict=True)
        ]

    async def _breakdown(self, title: str, by: str, asked: "_Asked") -> Section:
        page = await self.reports.breakdowns.break_down(asked.site.site_id, by, asked.query, Page(1, ROWS))
        return Section(title, _rows([(_named(by, row.value), row.count) for row in page.rows]))

    async def _new_errors(self, asked: "_Asked") -> Section:
        errors = await self._first_seen(asked)
        if errors is None:
            return Section(
                tr("New errors"), [], tr("Not counted: an exclusion rule of the site takes too long")
            )
        return Section(tr("New errors"), _rows([(error.message, error.count) for error in errors]))

    async def _first_seen(self, asked: "_Asked") -> Sequence[ErrorSummary] | None:
        """Return the errors that are new; None when an exclusion rule of the site takes too long for them."""
        try:
            page = await self.reports.errors.new(asked.site.site_id, asked.query, Page(1, ROWS))
        except Invalid:
            return None
        return page.summaries


@frozen
class _Asked:
    """A site, the periods of its report, and the filter by its exclusion rules."""

    site: Site
    finished: FinishedPeriod
    filters: Sequence[Filter]

    @property
    def query(self) -> ReportQuery:
        """The query of the last period."""
        return ReportQuery(self.finished.period, self.filters)


@frozen(kw_only=True)
class _OfSite:
    """The figures of a site in a report on all sites."""

    name: str
    now: Traffic
    before: Traffic
    goals: Sequence[GoalCount]
    pages: Sequence[tuple[str, int]]
    sources: Sequence[tuple[str, int]]
    errors: Sequence[tuple[datetime, str, int]]


def _sites(counted: Sequence[_OfSite], left: int) -> Section:
    ordered = sorted(counted, key=lambda site: (-site.now.visitors, site.name))
    most = max((site.now.visitors for site in counted), default=0)
    rows = [
        Row(
            label=site.name,
            value=spoken().number(site.now.visitors),
            share=_share(site.now.visitors, most),
            note=change(site.now.visitors, site.before.visitors),
        )
        for site in ordered
    ]
    without = tr_plural(
        "Visitors by site, without {count} more site", "Visitors by site, without {count} more sites", left
    )
    title = without if left else tr("Visitors by site")
    return Section(title, rows, tr("You see no sites"))


def _amounts(now: Numbers | None, before: Numbers | None, currency: str) -> str:
    """Return a sum with its change; a dash without numbers in both periods."""
    if now is None and before is None:
        return NO_RATE
    sums = [Decimal(0) if numbers is None else numbers.sum for numbers in (now, before)]
    return f"{spoken().money(sums[0], currency)}, {change(*sums)}"


def _of(label: str, site: _OfSite) -> str:
    """Return a label with the site that it is of, both of which can be seen."""
    return f"{shown_text(label, maximum=MAX_LABEL - MAX_NAME - 3)} · {site.name}"


def _named(by: str, value: str) -> str:
    """Return the value of a dimension as pages name it: channels are words of this service, paths are not."""
    return tr(value) if value and by == "channel" else value or tr("Unknown")


def _largest(counted: Iterable[tuple[str, int]]) -> list[tuple[str, int]]:
    return sorted(counted, key=lambda row: (-row[1], row[0]))[:ROWS]


def change(now: int | Decimal, before: int | Decimal) -> str:
    """Return by how much a number differs from the one before: +12 %, -5 %, ±0 % for less than half, no change, new."""
    if now == before:
        return tr("no change")
    if before == 0:
        return tr("new")
    # Refunds can be more than what was paid.
    moved = round(100 * Fraction(now - before) / abs(Fraction(before)))
    return f"{'+' if moved > 0 else '-' if moved else '±'}{spoken().number(abs(moved))} %"


def _rate(conversions: Conversions) -> str:
    language = spoken()
    return (
        language.percentage(language.number(conversions.rate * 100, 1)) if conversions.sessions else NO_RATE
    )


def _time(at: datetime, *, by_hour: bool) -> str:
    return spoken().clock(at) if by_hour else spoken().day(at, DateForm.WEEKDAY_OF_YEAR)


def _rows(counted: Sequence[tuple[str, int]]) -> list[Row]:
    most = max((count for _, count in counted), default=0)
    return [
        Row(
            label=shown_text(label, maximum=MAX_LABEL),
            value=spoken().number(count),
            share=_share(count, most),
        )
        for label, count in counted
    ]


def _share(value: int, most: int) -> int:
    """Return a part in percent; a value that is not 0 has a bar that can be seen."""
    return max(1, round(100 * value / most)) if value else 0


def _added_up(totals: Sequence[Traffic]) -> Traffic:
    return Traffic(
        sessions=sum(total.sessions for total in totals),
        visitors=sum(total.visitors for total in totals),
        pageviews=sum(total.pageviews for total in totals),
    )
