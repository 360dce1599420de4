"""What reports on goals and funnels are asked."""

from collections.abc import Mapping, Sequence

from attrs import field, frozen

from footfall.application.access.disclosure import Reader
from footfall.application.journal.directory import Directory
from footfall.application.journal.directory_records import FunnelRecord, GoalRecord
from footfall.application.ports.reports.reports import SessionPage
from footfall.application.ports.reports.snapshots import ReportSet
from footfall.application.reports.catalogue.inquiry import ROWS, Inquiry
from footfall.application.reports.exploration_tables import funnel_table
from footfall.application.reports.goal_values import GoalValue, goal_values
from footfall.application.reports.report_query import ReportQuery
from footfall.application.reports.tables import Table, goals_table, sessions_table
from footfall.domain.exceptions import FunnelNotFound, GoalNotFound
from footfall.domain.funnels.checking import countable_steps, step_names
from footfall.domain.funnels.funnel import FunnelPlan
from footfall.domain.funnels.progress import FunnelSteps, StepProgress
from footfall.domain.goals.goal import GoalQuery, Rule
from footfall.domain.pagination import Page
from footfall.domain.periods.period import Period
from footfall.domain.periods.report_period import ReportPeriod
from footfall.domain.row_choice import EVERY_ROW, RowChoice
from footfall.domain.traffic.conversion import Conversions, GoalOrder, GoalReport, GoalSort, sort_goals

NEWEST_FIRST = GoalOrder()
_BY_METRIC = (GoalSort.TOTAL_CONVERSIONS, GoalSort.CONVERSION_RATE)


def _counted(goals: Sequence[GoalRecord]) -> Sequence[tuple[int, GoalQuery]]:
    """Return what is counted of goals: their names change no figure."""
    return [(one.goal.goal_id, one.query) for one in goals]


@frozen
class GoalList:
    """A page of goals with their conversions, and the money in the events of each."""

    reports: Sequence[GoalReport]
    values: Sequence[Sequence[GoalValue]]


@frozen
class GoalsInquiry(Inquiry[GoalList]):
    """A page of some goals with their conversions, and with their values where properties are money.

    Only the goals on the page are counted, unless the list is sorted by a count.
    """

    goals: Sequence[GoalRecord] = field(eq=_counted)
    order: GoalOrder = NEWEST_FIRST
    page: Page = ROWS
    currencies: Mapping[tuple[str, str], str] = field(factory=dict)
    keys = ("goalId",)

    async def is_cheap(self, reports: ReportSet, site_id: int) -> bool:
        """Return whether the store has counted everything that the list says."""
        # The values of goals are read from the properties of events.
        if self.query.filters or self.currencies:
            return False
        return await reports.goals.are_counted(site_id, [one.query for one in self.goals], self.query.period)

    async def ask(self, reports: ReportSet, site_id: int) -> GoalList:
        """Return the page."""
        found = await self._listed(reports, site_id)
        values = [
            await goal_values(reports.properties, site_id, one.goal.rule, self.currencies, self.query)
            for one in found
        ]
        return GoalList(found, values)

    def table(self, found: GoalList) -> Table:
        """Return a row for each goal."""
        return goals_table(found.reports)

    async def _listed(self, reports: ReportSet, site_id: int) -> Sequence[GoalReport]:
        if self.order.sort in _BY_METRIC:
            return self.page.of(sort_goals(await self._count(reports, site_id, self.goals), self.order))
        uncounted = [GoalReport(one.goal, one.created_at, Conversions(0, 0)) for one in self.goals]
        by_id = {one.goal.goal_id: one for one in self.goals}
        chosen = [by_id[one.goal.goal_id] for one in self.page.of(sort_goals(uncounted, self.order))]
        return await self._count(reports, site_id, chosen)

    async def _count(
        self, reports: ReportSet, site_id: int, goals: Sequence[GoalRecord]
    ) -> Sequence[GoalReport]:
        if not goals:
            return []
        queries, query = [one.query for one in goals], self.query
        counts = await reports.goals.count_conversions(site_id, queries, query.period, query.filters)
        return [GoalReport(one.goal, one.created_at, count) for one, count in zip(goals, counts, strict=True)]


@frozen
class GoalSessionsInquiry(Inquiry[SessionPage]):
    """The sessions that completed a goal, as a reader may see them."""

    goal: GoalQuery
    reader: Reader
    choice: RowChoice = EVERY_ROW
    page: Page = ROWS

    async def ask(self, reports: ReportSet, site_id: int) -> SessionPage:
        """Return the sessions, the latest end first."""
        period, filters = self.query.period, self.query.filters
        return await reports.goals.converted_sessions(
            site_id, self.goal, period, self.page, filters, choice=self.choice
        )

    def table(self, found: SessionPage) -> Table:
        """Return a row for each session."""
        return sessions_table(found.sessions, self.reader)


@frozen
class FunnelProgress:
    """The progress in the steps of a funnel, and in the period that it is compared with."""

    now: Sequence[StepProgress]
    before: Sequence[StepProgress] | None = None


@frozen
class FunnelInquiry(Inquiry[FunnelProgress]):
    """The progress in the steps of a funnel, and with a `window` in the period that this is compared with."""

    steps: FunnelSteps
    names: Sequence[str] = field(default=(), eq=False)
    window: ReportPeriod | None = None
    keys = ("step",)

    @property
    def span(self) -> Period:
        """The time around both periods."""
        return self.query.period if self.window is None else self.window.span

    async def ask(self, reports: ReportSet, site_id: int) -> FunnelProgress:
        """Return the progress in each step."""
        periods = [self.query.period, *([] if self.window is None else [self.window.before])]
        found = [
            await reports.funnels.progress(site_id, self.steps, period, self.query.filters)
            for period in periods
        ]
        return FunnelProgress(*found)

    def table(self, found: FunnelProgress) -> Table:
        """Return a row for each step."""
        return funnel_table(self.names, found.now, found.before)


def goal_at(directory: Directory, site_id: int, goal_id: int | None) -> GoalRecord:
    """Return a goal of a site in a state.

    Raises:
        GoalNotFound: the site has no such goal in this state.

    """
    record = None if goal_id is None else directory.goal(goal_id)
    if record is None or record.goal.site_id != site_id:
        raise GoalNotFound
    return record


def funnel_at(directory: Directory, site_id: int, funnel_id: int | None) -> FunnelRecord:
    """Return a funnel of a site in a state.

    Raises:
        FunnelNotFound: the site has no such funnel in this state.

    """
    record = None if funnel_id is None else directory.funnel(funnel_id)
    if record is None or record.funnel.site_id != site_id:
        raise FunnelNotFound
    return record


def rules_of(directory: Directory, site_id: int) -> tuple[Mapping[int, Rule], bool]:
    """Return the rules of the goals of a site in a state, and whether its visitors have another id every day."""
    site = directory.site(str(site_id))
    rotating = site is not None and site.site.config.salt_user_ids
    return {one.goal.goal_id: one.goal.rule for one in directory.goals_of(site_id)}, rotating


def funnel_inquiry(
    query: ReportQuery,
    directory: Directory,
    site_id: int,
    plan: FunnelPlan,
    window: ReportPeriod | None = None,
) -> FunnelInquiry:
    """Return what is asked about a funnel with the goals of a state.

    Raises:
        FunnelNotCountable: a goal of the funnel was deleted, or visitors cannot be followed over days.

    """
    rules, rotating = rules_of(directory, site_id)
    names = step_names(plan, {one.goal.goal_id: one.goal.name for one in directory.goals_of(site_id)})
    return FunnelInquiry(query, countable_steps(plan, rules, rotating=rotating), names, window)
