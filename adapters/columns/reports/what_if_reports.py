"""What-ifs by columns: the steps before and after a change are taken in the same hits."""

import json
from collections.abc import Mapping, Sequence

from attrs import frozen

from footfall.adapters.columns.queries import Rows
from footfall.adapters.columns.reports.report_reading import Columns, Reading
from footfall.adapters.columns.selection.steps import MATCHED, limited, step_hit, who_takes
from footfall.adapters.columns.sql_files import Kept, compose, over, select
from footfall.application.ports.reports.sessions import StoredSessions
from footfall.application.ports.reports.what_if_reports import RefusedHitsReports
from footfall.domain.funnel_reports.funnel_change import MOST_EXAMPLES, Counts, Examples, FunnelChange, WhatIf
from footfall.domain.funnels.steps import FunnelSteps
from footfall.domain.periods.period import Period
from footfall.domain.periods.unix_time import microseconds_of
from footfall.domain.traffic.exclusion_what_if import Exclusion, Refusals
from footfall.domain.traffic.report_query import ReportQuery
from footfall.domain.traffic.session import Session

_WHOLE = -1


@frozen
class ColumnWhatIfs:
    """WhatIfReports from files and fresh rows."""

    _columns: Columns
    _stored: RefusedHitsReports
    _sessions: StoredSessions

    async def compare(
        self, site_id: int, change: FunnelChange, query: ReportQuery, days: Sequence[Period]
    ) -> WhatIf:
        """Return what a change would do."""

        async def by_columns(reading: Reading) -> WhatIf:
            rows = await _read(reading, change, days)
            named = [row[4] for row in rows if row[4] is not None]
            return _result(rows, len(days), await self._sessions.named(site_id, named))

        return await self._columns.answer(site_id, query, by_columns)

    async def refused(
        self, site_id: int, exclusion: Exclusion, period: Period, days: Sequence[Period]
    ) -> Refusals:
        """Return what would have been refused; files do not hold when hits arrived."""
        return await self._stored.refused(site_id, exclusion, period, days)


async def _read(reading: Reading, change: FunnelChange, days: Sequence[Period]) -> Rows:
    before, after = change.before, change.after
    rules = [*before.rules, *after.rules]
    taken_before = _completions("before", before, 0)
    taken_after = _completions("after", after, len(before.rules))
    query = over(
        compose("what_if/compare"),
        hits=reading.selection.hits(MATCHED),
        step_hit=step_hit(rules, before.within, reading.selection.values),
        placed=Kept(compose("what_if/placed")),
        **taken_before,
        **taken_after,
        completed_before=f"from {[*taken_before][-1]}",
        completed_after=f"from {[*taken_after][-1]}",
    )
    edges = [microseconds_of(day.start) for day in days]
    return await reading.query(query, edges=json.dumps(edges), most=MOST_EXAMPLES)


def _completions(side: str, steps: FunnelSteps, first: int) -> dict[str, str]:
    """Return the queries of those who took each step, by their names; `first` is the number of its rule among all."""
    columns = f'piece, session_id, {who_takes(steps.within)} as who, key, "at"'
    hits = [select("placed", f"step_{first + step}", columns=columns) for step in range(len(steps.rules))]
    queries: dict[str, str] = {
        f"{side}_0": Kept(limited(over(compose("what_if/first"), matching=hits[0]), steps.within))
    }
    for step, hit in enumerate(hits[1:]):
        queries[f"{side}_{step + 1}"] = Kept(
            over(compose("what_if/next"), before=f"from {side}_{step}", matching=hit)
        )
    return queries


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
