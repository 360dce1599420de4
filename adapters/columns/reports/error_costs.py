"""Costs of errors by columns; the store knows where sessions met errors first."""

import json
from collections.abc import Sequence

from attrs import frozen

from footfall.adapters.columns.reports.report_reading import Columns, Reading
from footfall.adapters.columns.selection.expressions import rule_condition
from footfall.adapters.columns.sql_files import compose, over, select
from footfall.application.ports.errors.error_groups import CostQuery
from footfall.domain.error_tracking.comparable_sessions import CountedStratum, ErrorCost, Tally, costs_of
from footfall.domain.error_tracking.decisions import ErrorDecisions
from footfall.domain.error_tracking.lost_conversions import Stratum
from footfall.domain.periods.unix_time import microseconds_of


@frozen
class ColumnErrorCosts:
    """ErrorCostReports from files and fresh rows."""

    _columns: Columns

    async def costs(
        self, site_id: int, groups: Sequence[str], query: CostQuery, decisions: ErrorDecisions
    ) -> list[ErrorCost]:
        """Return what each group cost the goal."""
        return await self._columns.answer(
            site_id, query, lambda reading: _costs(reading, groups, query, decisions)
        )


async def _costs(
    reading: Reading, groups: Sequence[str], query: CostQuery, decisions: ErrorDecisions
) -> list[ErrorCost]:
    await reading.expect_counted(query.goal)
    sightings = await reading.store.sightings(groups, decisions)
    selection = reading.selection
    matched = select("hit", rule_condition(query.goal.rule, selection.values))
    text = over(compose("errors/costs"), sessions=selection.sessions, matched=matched)
    marks = [microseconds_of(at) for at in query.deploys]
    rows = await reading.query(text, sightings=sightings, deploys=json.dumps(marks))
    met = {groups[owner]: Tally(*counts[:2]) for owner, _, *counts, times in rows if times is None}
    strata = [
        CountedStratum(groups[owner], stretch, Stratum(*counts), times)
        for owner, stretch, *counts, times in rows
        if times is not None
    ]
    return costs_of({group: met.get(group, Tally()) for group in groups}, strata, len(query.deploys))
