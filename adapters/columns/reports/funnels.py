"""Funnels by columns: the hits that match a step, and from step to step the first one after."""

from collections.abc import Iterable, Sequence
from datetime import timedelta
from itertools import pairwise

from attrs import frozen

from footfall.adapters.columns.reports.report_reading import Columns, Reading
from footfall.adapters.columns.selection.expressions import rule_condition
from footfall.adapters.columns.sql_files import compose
from footfall.domain.funnel_reports.funnel_report import MOST_PATHS, NextPath, StepProgress
from footfall.domain.funnels.steps import FunnelSteps
from footfall.domain.periods.period import Period
from footfall.domain.tracking.hit import HitType
from footfall.domain.traffic.filters import Filter

_MICROSECOND = timedelta(microseconds=1)
MATCHED = f"type in ('{HitType.PAGEVIEW}', '{HitType.CUSTOM_EVENT}')"

# Step, whether the row is about those who dropped off, path, count, median in microseconds.
_Row = tuple[int, bool, str | None, int, int | None]


@frozen
class ColumnFunnels:
    """FunnelReports from files and fresh rows."""

    _columns: Columns

    async def progress(
        self, site_id: int, steps: FunnelSteps, period: Period, filters: Sequence[Filter] = ()
    ) -> list[StepProgress]:
        """Return the progress at each step."""
        return await self._columns.answer(site_id, period, filters, lambda reading: _read(reading, steps))


async def _read(reading: Reading, steps: FunnelSteps) -> list[StepProgress]:
    query = compose("funnels/progress", hits=reading.selection.hits(MATCHED), **_pieces(reading, steps))
    within = None if steps.within is None else steps.within // _MICROSECOND
    rows = await reading.query(query, within=within)
    return [_progress(step, rows) for step in range(len(steps.rules))]


def _pieces(reading: Reading, steps: FunnelSteps) -> dict[str, str]:
    numbers = range(len(steps.rules))
    conditions = [rule_condition(rule, reading.selection.values) for rule in steps.rules]
    who = "session_id" if steps.within is None else "counted_visitor"
    in_time = "true" if steps.within is None else compose("funnels/in_time")
    takers, dropped, reached = [compose("funnels/entry", who=who)], [], []
    for before, step in pairwise(numbers):
        places = {"here": f"taken_{before}", "later": f"taken_{step}", "step": str(before)}
        dropped.append(compose("funnels/dropped", **places))
        reached.append(compose("funnels/reached", **places))
        after = {"here": f"taken_{step}", "before": f"taken_{before}", "flag": f"step_{step}"}
        takers.append(compose("funnels/taken", who=who, in_time=in_time, **after))
    last = numbers[-1]
    reached.append(compose("funnels/reached_last", here=f"taken_{last}", step=str(last)))
    return {
        "flags": ", ".join(f"({condition}) as step_{step}" for step, condition in enumerate(conditions)),
        "any_flag": " or ".join(f"step_{step}" for step in numbers),
        "taken": ",\n".join(takers),
        "dropped": "\nunion all\n".join(dropped),
        "reached": "\nunion all\n".join(reached),
        "most": str(MOST_PATHS),
    }


def _progress(step: int, rows: Iterable[_Row]) -> StepProgress:
    own = [row for row in rows if row[0] == step]
    [(count, median)] = [(row[3], row[4]) for row in own if not row[1]]
    paths = [NextPath(row[2], row[3]) for row in own if row[1] and row[2] is not None]
    left = sum(row[3] for row in own if row[1] and row[2] is None)
    between = None if median is None else median * _MICROSECOND
    return StepProgress(count, between, tuple(sorted(paths, key=lambda path: (-path.count, path.path))), left)
