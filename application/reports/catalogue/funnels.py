"""Inquiries about funnels."""

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from types import MappingProxyType
from typing import Any

from attrs import evolve, field, frozen

from footfall.application.journal.directory import Directory
from footfall.application.journal.directory_records import FunnelRecord
from footfall.application.ports.reports.snapshots import ReportSet
from footfall.application.reports.catalogue.inquiry import Inquiry
from footfall.application.reports.goal_values import GoalValue, goal_values
from footfall.application.reports.tables import Table, table_of
from footfall.domain.exceptions import FunnelNotFound
from footfall.domain.funnel_reports.funnel_report import StepProgress
from footfall.domain.funnels.checking import countable_steps, step_names
from footfall.domain.funnels.funnel import FunnelPlan
from footfall.domain.funnels.steps import FunnelSteps, reaching
from footfall.domain.goals.goal import Rule
from footfall.domain.goals.value import money_of
from footfall.domain.periods.period import Period
from footfall.domain.periods.report_period import ReportPeriod
from footfall.domain.sites.currencies import Currencies
from footfall.domain.sites.visitor_reach import VisitorReach
from footfall.domain.traffic.filters import FUNNEL, Filter, FilterType
from footfall.domain.traffic.report_query import ReportQuery


@frozen
class FunnelProgress:
    """The progress in the steps of a funnel, in the period that it is compared with, and the money of each step."""

    now: Sequence[StepProgress]
    before: Sequence[StepProgress] | None = None
    values: Sequence[Sequence[GoalValue]] = ()


@frozen
class FunnelInquiry(Inquiry[FunnelProgress]):
    """The progress in the steps of a funnel, and with a `window` in the period that this is compared with."""

    steps: FunnelSteps
    names: Sequence[str] = field(default=(), eq=False)
    window: ReportPeriod | None = None
    currencies: Currencies = field(factory=dict, eq=False)
    keys = ("step",)

    @property
    def span(self) -> Period:
        """The time around both periods."""
        return self.query.period if self.window is None else self.window.span

    async def ask(self, reports: ReportSet, site_id: int) -> FunnelProgress:
        """Return the progress in each step."""
        now = await self._progress(reports, site_id, self.query.period)
        before = None if self.window is None else await self._progress(reports, site_id, self.window.before)
        values = [await self._values(reports, site_id, step) for step in range(1, len(now) + 1)]
        return FunnelProgress(now, before, values)

    async def _progress(self, reports: ReportSet, site_id: int, period: Period) -> Sequence[StepProgress]:
        return await reports.funnels.progress(site_id, self.steps, ReportQuery(period, self.query.filters))

    async def _values(self, reports: ReportSet, site_id: int, number: int) -> Sequence[GoalValue]:
        """Return the money in the events of a step, in the sessions that took it; none for funnels of visitors."""
        rule = self.steps.rules[number - 1]
        if self.steps.within_days is not None or not money_of(rule, self.currencies):
            return ()
        query = evolve(self.query, filters=[*self.query.filters, reached(self.steps, number)])
        return await goal_values(reports.properties, site_id, rule, self.currencies, query)

    def table(self, answer: FunnelProgress) -> Table:
        """Return a row for each step."""
        columns = ("step", "name", "reached", "rate", "went_on", "dropped_off", "median_seconds", "left")
        now, before = answer.now, answer.before or ()
        steps = enumerate(zip_longest(self.names, now, now[1:], before), start=1)
        rows = [
            {
                "step": number,
                "name": name,
                "reached": step.reached,
                "rate": step.reached / now[0].reached if now[0].reached else 0.0,
                **_departures(step, later),
                "previous": None if earlier is None else earlier.reached,
            }
            for number, (name, step, later, earlier) in steps
        ]
        return table_of((*columns, *(["previous"] if before else [])), rows)


def reached(steps: FunnelSteps, number: int) -> Filter:
    """Return the filter of the sessions that took a step, and perhaps later ones, of a funnel of sessions."""
    last_step = reaching(steps.rules, number)
    return Filter(FUNNEL, FilterType.EQUALS, (f"0.{number}-",), last_steps=(last_step,))


def funnel_at(directory: Directory, site_id: int, funnel_id: int | None) -> FunnelRecord:
    """Return a funnel of a site in a state.

    Raises:
        FunnelNotFound: the site has no such funnel in this state.

    """
    record = None if funnel_id is None else directory.funnel(funnel_id)
    if record is None or record.funnel.site_id != site_id:
        raise FunnelNotFound
    return record


def rules_of(directory: Directory, site_id: int) -> tuple[Mapping[int, Rule], VisitorReach]:
    """Return the rules of the goals of a site in a state, and how far its visitors are recognized."""
    site = directory.site(str(site_id))
    reach = VisitorReach.FOREVER if site is None else site.site.config.visitor_reach
    return {record.goal.goal_id: record.goal.rule for record in directory.goals_of(site_id)}, reach


def funnel_inquiry(
    query: ReportQuery,
    directory: Directory,
    site_id: int,
    plan: FunnelPlan,
    window: ReportPeriod | None = None,
    currencies: Currencies = MappingProxyType({}),
) -> FunnelInquiry:
    """Return what is asked about a funnel with the goals of a state, and about the money in the events of its steps.

    Raises:
        FunnelNotCountable: a goal of the funnel was deleted, or visitors cannot be followed over days.

    """
    rules, reach = rules_of(directory, site_id)
    names = step_names(
        plan, {record.goal.goal_id: record.goal.name for record in directory.goals_of(site_id)}
    )
    return FunnelInquiry(query, countable_steps(plan, rules, reach=reach), names, window, currencies)


def _departures(step: StepProgress, later: StepProgress | None) -> dict[str, Any]:
    if later is None:
        return {}
    return {
        "went_on": later.reached,
        "dropped_off": step.reached - later.reached,
        "median_seconds": None if step.median is None else step.median.total_seconds(),
        "left": step.left,
    }
