"""What reports on goals and funnels are asked."""

from collections.abc import Iterable, Sequence

from attrs import frozen

from footfall.application.journal.directory import Directory
from footfall.application.journal.directory_records import GoalRecord
from footfall.application.ports.reports.snapshots import ReportSet
from footfall.application.reports.catalogue.inquiry import Inquiry
from footfall.application.reports.exploration_tables import funnel_table
from footfall.application.reports.goal_list import ReportQuery
from footfall.application.reports.tables import Table, table_of
from footfall.domain.exceptions import FunnelNotFound
from footfall.domain.funnels.checking import countable_steps
from footfall.domain.funnels.progress import FunnelSteps, StepProgress
from footfall.domain.goals.goal import GoalQuery
from footfall.domain.traffic.conversion import Conversions


@frozen
class GoalsInquiry(Inquiry[list[Conversions]]):
    """The conversions of some goals, by their ids."""

    goals: Sequence[tuple[int, GoalQuery]]
    keys = ("goalId",)

    async def ask(self, reports: ReportSet, site_id: int) -> list[Conversions]:
        """Return the conversions of each goal."""
        queries = [goal for _, goal in self.goals]
        if not queries:
            return []
        return await reports.goals.count_conversions(site_id, queries, self.query.period, self.query.filters)

    def table(self, found: list[Conversions]) -> Table:
        """Return a row for each goal."""
        rows = [
            {
                "goalId": goal_id,
                "total_conversions": one.conversions,
                "total_sessions": one.sessions,
                "conversion_rate": one.rate,
                "total_sessions_with_pageviews": one.sessions_with_pageviews,
            }
            for (goal_id, _), one in zip(self.goals, found, strict=True)
        ]
        return table_of(tuple(rows[0]) if rows else self.keys, rows)


def goals_inquiry(query: ReportQuery, goals: Iterable[GoalRecord]) -> GoalsInquiry:
    """Return what is asked about the goals of a state."""
    return GoalsInquiry(query, tuple((one.goal.goal_id, one.query) for one in goals))


@frozen
class FunnelInquiry(Inquiry[list[StepProgress]]):
    """The progress in a funnel."""

    steps: FunnelSteps
    keys = ("step",)

    async def ask(self, reports: ReportSet, site_id: int) -> list[StepProgress]:
        """Return the progress in each step."""
        return await reports.funnels.progress(site_id, self.steps, self.query.period, self.query.filters)

    def table(self, found: list[StepProgress]) -> Table:
        """Return a row for each step."""
        return funnel_table(["" for _ in found], found)


def funnel_inquiry(
    query: ReportQuery, directory: Directory, site_id: int, funnel_id: int | None
) -> FunnelInquiry:
    """Return what is asked about a funnel of a site in a state.

    Raises:
        FunnelNotFound: the site has no such funnel in this state.
        FunnelNotCountable: a goal of the funnel was deleted, or visitors cannot be followed over days.

    """
    record = None if funnel_id is None else directory.funnel(funnel_id)
    site = directory.site(str(site_id))
    if record is None or site is None or record.funnel.site_id != site_id:
        raise FunnelNotFound
    rules = {one.goal.goal_id: one.goal.rule for one in directory.goals_of(site_id)}
    rotating = site.site.config.salt_user_ids
    return FunnelInquiry(query, countable_steps(record.funnel.plan, rules, rotating=rotating))
