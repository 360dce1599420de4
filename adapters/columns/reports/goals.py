"""Conversions of goals by columns: stored with the sessions of a file, else found by matching its hits."""

import json
from collections.abc import Mapping, Sequence

from attrs import evolve, frozen

from footfall.adapters.columns.reports.answers import Columns, Reading
from footfall.adapters.columns.reports.expressions import event_condition, path_condition
from footfall.adapters.columns.sql_files import compose
from footfall.application.ports.reports.reports import GoalReports, SessionPage
from footfall.application.ports.reports.uncovered import GoalStanding
from footfall.domain.goals.goal import GoalQuery, PathRule, Rule
from footfall.domain.pagination import Page
from footfall.domain.periods.period import Period
from footfall.domain.row_choice import EVERY_ROW, RowChoice
from footfall.domain.tracking.hit import HitType
from footfall.domain.traffic.conversion import Conversions, SessionCounts
from footfall.domain.traffic.filters import Filter


@frozen
class ColumnGoalReports:
    """GoalReports from files and the rows that they do not cover, or from rows alone."""

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
    standings = await reading.uncovered.standings(goals)
    rest = await _uncovered(reading, goals, standings)
    held = frozenset.intersection(*(one.goals for one in reading.selection.coverage.files))
    numbers = [one.number for one in standings if one.number in held]
    stored = await _stored(reading, numbers)
    unheld = [
        index for index, one in enumerate(standings) if one.number not in held and one.set_aside is None
    ]
    matched = await _matched(reading, goals, unheld)
    covered = {
        **matched,
        **{
            index: stored.converted.get(one.number, 0)
            for index, one in enumerate(standings)
            if one.number in held
        },
    }
    every = SessionCounts({}, rest.sessions + stored.sessions, rest.with_pageviews + stored.with_pageviews)
    return [
        every.of(covered.get(index, 0) + rest.converted.get(index, 0), one.set_aside)
        for index, one in enumerate(standings)
    ]


async def _uncovered(
    reading: Reading, goals: Sequence[GoalQuery], standings: Sequence[GoalStanding]
) -> SessionCounts:
    """Return the sessions that no file covers, by the index of the goal that they reached."""
    numbers = {index: one.number for index, one in enumerate(standings) if one.number is not None}
    counts = await reading.uncovered.conversions(list(numbers.values()))
    found = {index: counts.converted.get(number, 0) for index, number in numbers.items()}
    unknown = [index for index, one in enumerate(standings) if one == GoalStanding()]
    if unknown:
        matched = await reading.uncovered.matched([goals[index] for index in unknown])
        found |= {index: matched.get(place, 0) for place, index in enumerate(unknown)}
    return evolve(counts, converted=found)


async def _stored(reading: Reading, numbers: Sequence[int | None]) -> SessionCounts:
    query = compose("goals/conversions", sessions=reading.selection.sessions)
    rows = await reading.query(query, goals=json.dumps(numbers))
    [(sessions, viewed)] = [counts for goal, *counts in rows if goal is None]
    return SessionCounts({goal: count for goal, count, _ in rows if goal is not None}, sessions, viewed)


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
