"""Funnels by columns: the hits that match a step, and from step to step the first one after."""

from collections.abc import Iterable

from attrs import frozen

from footfall.adapters.columns.reports.report_reading import Columns, Reading
from footfall.adapters.columns.selection.steps import MATCHED, step_hit, taken
from footfall.adapters.columns.sql_files import Kept, compose, over
from footfall.domain.funnel_reports.funnel_report import MOST_PATHS, NextPath, StepProgress
from footfall.domain.funnels.steps import FunnelSteps
from footfall.domain.periods.unix_time import MICROSECOND
from footfall.domain.traffic.report_query import ReportQuery

# Step, whether the row is about those who dropped off, path, count, median in microseconds.
_Row = tuple[int, bool, str | None, int, int | None]


@frozen
class ColumnFunnels:
    """FunnelReports from files and fresh rows."""

    _columns: Columns

    async def progress(self, site_id: int, steps: FunnelSteps, query: ReportQuery) -> list[StepProgress]:
        """Return the progress at each step."""
        return await self._columns.answer(site_id, query, lambda reading: _read(reading, steps))


async def _read(reading: Reading, steps: FunnelSteps) -> list[StepProgress]:
    names = taken(len(steps.rules), steps.within)
    query = over(
        compose("funnels/progress"),
        hits=reading.selection.hits(MATCHED),
        step_hit=step_hit(steps.rules, steps.within, reading.selection.values),
        **names,
        taken=Kept(" union all ".join(f"from {name}" for name in names)),
    )
    rows = await reading.query(query, last=len(steps.rules) - 1, most=MOST_PATHS)
    return [_progress(step, rows) for step in range(len(steps.rules))]


def _progress(step: int, rows: Iterable[_Row]) -> StepProgress:
    own = [row for row in rows if row[0] == step]
    [(count, median)] = [(row[3], row[4]) for row in own if not row[1]]
    paths = [NextPath(row[2], row[3]) for row in own if row[1] and row[2] is not None]
    left = sum(row[3] for row in own if row[1] and row[2] is None)
    between = None if median is None else median * MICROSECOND
    return StepProgress(count, between, tuple(sorted(paths, key=lambda path: (-path.count, path.path))), left)
