"""The inquiry about retention: cohorts of visitors, and how many of them came back."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from attrs import frozen

from footfall.application.journal.directory import Directory
from footfall.application.journal.directory_records import SiteRecord
from footfall.application.ports.reports.snapshots import ReportSet
from footfall.application.reports.catalogue.goals import goal_at
from footfall.application.reports.catalogue.inquiry import Inquiry
from footfall.application.reports.query_parameters import parse_report_period
from footfall.application.reports.tables import Table, table_of
from footfall.domain.cohorts.cohorts import (
    Cohort,
    CohortCell,
    CohortPlan,
    FirstVisits,
    KnownIds,
    average,
    cohort_table,
    cohort_times,
)
from footfall.domain.exceptions import GoalNotFound, Invalid, SiteNotFound, existing, require_valid
from footfall.domain.number import identifier
from footfall.domain.periods.period import Period
from footfall.domain.sites.retention import kept_since
from footfall.domain.sites.visitor_reach import ReachHistory
from footfall.domain.traffic.filters import Filter
from footfall.domain.traffic.report_query import ReportQuery

# The parameters of lists of sessions that name the days of first visits, or of first conversions of a goal.
FIRST = ("first_from", "first_to")
FIRST_GOAL = "first_goal"
COLUMNS = ("time", "after", "visitors", "returned", "rate", "state", "new_ids_at")


@frozen
class RetentionReport:
    """Cohorts with their average, that of the period that they are compared with, and since when there is data."""

    cohorts: Sequence[Cohort]
    average: Sequence[CohortCell]
    before: Sequence[CohortCell] | None
    since: datetime | None
    # Visitors that these brought have other ids after their days.
    imports: Sequence[Period] = ()


@frozen
class CohortsInquiry(Inquiry[RetentionReport]):
    """The cohorts of a plan, and with another plan the average of its cohorts.

    The period of the query is the time of all visits that they depend on.
    """

    plan: CohortPlan
    reaches: ReachHistory
    before: CohortPlan | None = None
    # The beginning of the days that the site keeps; None where nothing was before it, or nothing is erased.
    kept_since: datetime | None = None
    keys = ("time", "after")

    async def ask(self, reports: ReportSet, site_id: int) -> RetentionReport:
        """Return the cohorts, and since when there is data."""
        since = await reports.traffic.data_since(site_id)
        imports = await reports.traffic.imported(site_id)

        async def table(plan: CohortPlan) -> list[Cohort]:
            counts = await reports.cohorts.counts(site_id, plan, self.query.filters)
            return cohort_table(plan, counts, KnownIds(self.reaches, imports), since)

        cohorts = await table(self.plan)
        before = None if self.before is None else average(await table(self.before))
        return RetentionReport(cohorts, average(cohorts), before, since, imports)

    def table(self, answer: RetentionReport) -> Table:
        """Return a row for each cohort and one for each of its cells; those of the average have no time."""
        rows = [row for cohort in answer.cohorts for row in _rows_of(cohort)]
        if answer.before is None:
            return table_of(COLUMNS, [*rows, *map(cell_record, answer.average)])
        rates = {cell.after: cell.rate for cell in answer.before}
        averages = [{**cell_record(cell), "previous": rates.get(cell.after)} for cell in answer.average]
        return table_of((*COLUMNS, "previous"), [*rows, *averages])


def cohorts_inquiry(
    plan: CohortPlan, filters: Sequence[Filter], record: SiteRecord, before: CohortPlan | None = None
) -> CohortsInquiry:
    """Return what is asked about the cohorts of a plan, and of another one, of a site in a state.

    Raises:
        Invalid: there would be more than 300 cohorts; the error names `cohort`.

    """
    ends = [cohort_times(asked).read.end for asked in (plan, before) if asked is not None]
    read = Period(cohort_times(plan).read.start, min(max(ends), plan.until))
    days = record.site.retention_days
    since = None if days is None else kept_since(plan.now, days)
    erased = since is not None and record.created_at < since
    return CohortsInquiry(ReportQuery(read, filters), plan, record.reaches, before, since if erased else None)


def site_in(directory: Directory, site_id: int) -> SiteRecord:
    """Return a site in a state.

    Raises:
        SiteNotFound: it has been deleted.

    """
    return existing(directory.site(str(site_id)), SiteNotFound)


def cell_record(cell: CohortCell) -> dict[str, Any]:
    """Return a cell with its figures."""
    return {name: getattr(cell, name) for name in COLUMNS[1:]}


def cohort_record(cohort: Cohort) -> dict[str, Any]:
    """Return a cohort without its cells."""
    return {
        "time": cohort.time,
        "visitors": cohort.visitors,
        "state": "running" if cohort.running else "over",
        "new_ids_at": cohort.new_ids_at,
    }


def _rows_of(cohort: Cohort) -> list[Mapping[str, Any]]:
    cells = [{"time": cohort.time, **cell_record(cell)} for cell in cohort.cells]
    return [{"after": 0, **cohort_record(cohort)}, *cells]


def listed_first(
    texts: Mapping[str, str], zone: ZoneInfo, now: datetime, directory: Directory, site_id: int
) -> FirstVisits | None:
    """Return the first visits, or those with a first conversion, that a list of sessions asks about; None without.

    They are those of days of a zone, up to now.

    Raises:
        Invalid: a date is none, or without its companion, or the site has no such goal; the errors name the parameters.

    """
    if not asks_first(texts):
        return None
    errors = {} if any(name in texts for name in FIRST) else {name: ["is required"] for name in FIRST}
    dates = dict(zip(("start_date", "end_date"), FIRST, strict=True))
    given = {name: texts[own] for name, own in dates.items() if own in texts}
    goal, days = None, Period(now, now)
    try:
        days = parse_report_period({**given, "time_zone": zone.key}, now=now).period
    except Invalid as refusal:
        errors |= {
            dates[name]: [_with_names(text, dates) for text in errors]
            for name, errors in refusal.field_errors.items()
        }
    try:
        goal = goal_at(directory, site_id, identifier(texts[FIRST_GOAL])) if FIRST_GOAL in texts else None
    except GoalNotFound:
        errors[FIRST_GOAL] = ["must be the id of a goal of this site"]
    require_valid(errors)
    return FirstVisits.of(days, now, None if goal is None else goal.query)


def _with_names(text: str, names: Mapping[str, str]) -> str:
    """Return a text with other names of parameters."""
    for name, own in names.items():
        text = text.replace(name, own)
    return text


def asks_first(texts: Mapping[str, Any]) -> bool:
    """Return whether the parameters of a list of sessions ask about first visits."""
    return any(name in texts for name in (*FIRST, FIRST_GOAL))
