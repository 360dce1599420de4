"""Conversions of goals by columns: hits are matched with the rules."""

from collections.abc import Mapping, Sequence

from attrs import frozen

from footfall.adapters.columns.reports.answers import Columns, Reading
from footfall.adapters.columns.reports.expressions import event_condition, path_condition
from footfall.adapters.columns.sql_files import compose
from footfall.application.ports.reports.reports import GoalReports, SessionPage
from footfall.domain.goals.goal import GoalQuery, PathRule, Rule
from footfall.domain.pagination import Page
from footfall.domain.periods.period import Period
from footfall.domain.row_choice import EVERY_ROW, RowChoice
from footfall.domain.tracking.hit import HitType
from footfall.domain.traffic.conversion import Conversions, SessionCounts
from footfall.domain.traffic.filters import Filter


@frozen
class ColumnGoalReports:
    """GoalReports from files and fresh rows, or from rows alone."""

    _columns: Columns
    _rows: GoalReports

    async def count_conversions(
        self, site_id: int, goals: Sequence[GoalQuery], period: Period, filters: Sequence[Filter] = ()
    ) -> list[Conversions]:
        """Return the conversions of each goal, in the order of the goals."""
        if not filters and all(goal.version is not None for goal in goals):
            # Sums of quarters of an hour.
            return await self._rows.count_conversions(site_id, goals, period)
        return await self._columns.answer(
            site_id,
            period,
            filters,
            lambda reading: _conversions(reading, goals),
            lambda: self._rows.count_conversions(site_id, goals, period, filters),
        )

    async def converted_sessions(
        self,
        site_id: int,
        goal: GoalQuery,
        period: Period,
        page: Page,
        filters: Sequence[Filter] = (),
        *,
        choice: RowChoice = EVERY_ROW,
    ) -> SessionPage:
        """Return a page of the sessions that satisfied the rule, latest end first."""
        return await self._rows.converted_sessions(site_id, goal, period, page, filters, choice=choice)

    async def set_aside(self, site_id: int) -> Mapping[int, str]:
        """Return the goals of the site that the store does not count, with the reasons."""
        return await self._rows.set_aside(site_id)


async def _conversions(reading: Reading, goals: Sequence[GoalQuery]) -> list[Conversions]:
    aside = await reading.store.set_aside(goals)
    [(sessions, viewed)] = await reading.query(compose("goals/sessions", sessions=reading.selection.sessions))
    counted = [index for index, reason in enumerate(aside) if reason is None]
    converted = await _matched(reading, goals, counted)
    every = SessionCounts({}, sessions, viewed)
    return [every.of(converted.get(index, 0), reason) for index, reason in enumerate(aside)]


async def _matched(reading: Reading, goals: Sequence[GoalQuery], indexes: Sequence[int]) -> dict[int, int]:
    if not indexes:
        return {}
    parts = [_matches(reading, index, goals[index].rule) for index in indexes]
    return dict(await reading.query(" union all ".join(parts)))


def _matches(reading: Reading, index: int, rule: Rule) -> str:
    values = reading.selection.values
    if isinstance(rule, PathRule):
        hits = reading.selection.hits(f"type = '{HitType.PAGEVIEW}'")
        condition = path_condition(rule, values)
        return compose("goals/matches_of_path", index=str(index), hits=hits, condition=condition)
    hits = reading.selection.hits(f"type = '{HitType.CUSTOM_EVENT}'")
    condition = event_condition(rule, values)
    return compose("goals/matches_of_event", index=str(index), hits=hits, condition=condition)
