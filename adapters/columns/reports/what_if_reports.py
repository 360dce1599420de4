"""What-ifs by columns: the steps before and after a change are taken in the same hits."""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import pairwise

from attrs import frozen

from footfall.adapters.columns.queries import Rows
from footfall.adapters.columns.reports.funnels import MATCHED
from footfall.adapters.columns.reports.report_reading import Columns, Reading
from footfall.adapters.columns.selection.expressions import rule_condition
from footfall.adapters.columns.sql_files import compose
from footfall.application.ports.reports.sessions import StoredSessions
from footfall.application.ports.reports.what_if_reports import StoredVisits
from footfall.domain.funnel_reports.funnel_change import MOST_EXAMPLES, Counts, Examples, FunnelChange, WhatIf
from footfall.domain.funnels.steps import FunnelSteps
from footfall.domain.periods.period import Period
from footfall.domain.traffic.filters import Filter
from footfall.domain.traffic.refusals import Exclusion, Refusals
from footfall.domain.traffic.session import Session

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_WHOLE = -1


@frozen
class ColumnWhatIfs:
    """WhatIfReports from files and fresh rows."""

    _columns: Columns
    _stored: StoredVisits
    _sessions: StoredSessions

    async def compare(
        self,
        site_id: int,
        change: FunnelChange,
        period: Period,
        days: Sequence[Period],
        filters: Sequence[Filter] = (),
    ) -> WhatIf:
        """Return what a change would do."""

        async def by_columns(reading: Reading) -> WhatIf:
            rows = await _read(reading, change, days)
            named = [row[4] for row in rows if row[4] is not None]
            return _result(rows, len(days), await self._sessions.named(site_id, named))

        return await self._columns.answer(site_id, period, filters, by_columns)

    async def refused(
        self, site_id: int, exclusion: Exclusion, period: Period, days: Sequence[Period]
    ) -> Refusals:
        """Return what would have been refused; files do not hold when hits arrived."""
        return await self._stored.refused(site_id, exclusion, period, days)


async def _read(reading: Reading, change: FunnelChange, days: Sequence[Period]) -> Rows:
    rules = [*change.before.rules, *change.after.rules]
    conditions = [rule_condition(rule, reading.selection.values) for rule in rules]
    numbers = range(len(rules))
    query = compose(
        "what_if/compare",
        hits=reading.selection.hits(MATCHED),
        flags=", ".join(f"({condition}) as step_{step}" for step, condition in enumerate(conditions)),
        any_flag=" or ".join(f"step_{step}" for step in numbers),
        most=str(MOST_EXAMPLES),
        **_pieces(change),
    )
    edges = [(day.start - _EPOCH) // _MICROSECOND for day in days]
    return await reading.query(query, edges=json.dumps(edges))


def _pieces(change: FunnelChange) -> dict[str, str]:
    before, after = len(change.before.rules), len(change.after.rules)
    queries = [*_step_queries("before", change.before, 0), *_step_queries("after", change.after, before)]
    return {
        "taken": ",\n".join(queries),
        "last_before": f"before_{before - 1}",
        "last_after": f"after_{after - 1}",
    }


def _step_queries(side: str, steps: FunnelSteps, first: int) -> Iterable[str]:
    """Return the queries of those who took each step; `first` is the number of its first rule among all."""
    names = [f"{side}_{step}" for step in range(len(steps.rules))]
    who, in_time = "session_id", "true"
    if steps.within is not None:
        within = str(steps.within // _MICROSECOND)
        who, in_time = "counted_visitor", compose("what_if/in_time", within=within)
    yield compose("what_if/entry", here=names[0], who=who, flag=f"step_{first}")
    for step, (before, step_name) in enumerate(pairwise(names), start=first + 1):
        places = {"here": step_name, "before": before, "flag": f"step_{step}"}
        yield compose("what_if/taken", who=who, in_time=in_time, **places)


def _result(rows: Rows, days: int, sessions: Sequence[Session]) -> WhatIf:
    counts = {row[0]: Counts(row[1], row[2]) for row in rows if row[0] is not None}
    visits = {session.session_id: session for session in sessions}
    return WhatIf(
        counts=counts.get(_WHOLE, Counts(0, 0)),
        days=tuple(counts.get(piece, Counts(0, 0)) for piece in range(days)),
        gained=_examples([row for row in rows if row[3] is True], visits),
        lost=_examples([row for row in rows if row[3] is False], visits),
    )


def _examples(rows: Rows, visits: Mapping[int, Session]) -> Examples:
    total = rows[0][5] if rows else 0
    return Examples(total, tuple(visits[row[4]] for row in rows if row[4] in visits))
