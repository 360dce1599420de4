"""Breakdowns, from the sessions, and from the log for what single hits carry."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from psycopg.rows import DictRow

from footfall.adapters.postgres.connections import Connections
from footfall.adapters.postgres.report_selection import SESSION_OF_HIT, WITHIN, Selection
from footfall.adapters.postgres.reporting import reporting
from footfall.adapters.postgres.statements import statement
from footfall.application.breakdowns import ONLINE, Realtime, SharePage
from footfall.domain.breakdown import OF_HITS, OF_SESSIONS, OUTBOUND, Share
from footfall.domain.filter import Filter
from footfall.domain.hit import HitType
from footfall.domain.page import Page
from footfall.domain.period import Period
from footfall.domain.vitals import METRICS, PageVitals, Percentiles

# A hit of a visitor whom the filters do not select at all needs no look at its session.
_OF_SELECTED = f"""
    {SESSION_OF_HIT}
    where hit.visitor_id in (select visitor_id from selected)
        and its.session_id in (select session_id from selected) and"""

# First by value and visitor, then by value: hashing twice is several times faster than count(distinct).
_SHARES = """
    each as (select {value} as value, visitor_id, count(*) as count from {source} group by 1, 2),
    share as materialized (
        select value, sum(count)::bigint as count, count(*) as visitors from each group by value
    ),
    page as (select * from share order by count desc, value collate "C" limit %(limit)s offset %(offset)s),
    everything as (select count(*) as "values", coalesce(sum(count), 0)::bigint as total from share)
    select * from everything left join page on true order by count desc, value collate "C"
"""
_PERCENTILES = ", ".join(
    f"percentile_disc(array[0.5, 0.75, 0.9]) within group (order by {name}) as {name}" for name in METRICS
)
_VITALS = """
    measured as (
        select coalesce(pathname, '') as pathname, lcp, cls, inp, fcp, ttfb
        from {source}
    ),
    counted as (
        select pathname, count(*) as samples from measured group by pathname
        order by samples desc, pathname collate "C" limit %(limit)s offset %(offset)s
    )
    select null as pathname, count(*) as samples, {percentiles} from measured having count(*) > 0
    union all
    select pathname, count(*) as samples, {percentiles}
    from measured
    where pathname in (select pathname from counted)
    group by pathname
"""


class PostgresBreakdowns:
    """BreakdownReports over sessions and the log."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    async def break_down(
        self, site_id: int, by: str, period: Period, page: Page, filters: Sequence[Filter] = ()
    ) -> SharePage:
        """Return a page of the values, the largest first."""
        value, source = _value_and_source(by, filtered=bool(filters))
        query = _SHARES.format(value=value, source=source)
        rows = await self._rows(Selection(site_id, period, filters), query, page)
        shares = [
            Share(row["value"], row["count"], row["visitors"]) for row in rows if row["value"] is not None
        ]
        return SharePage(shares, rows[0]["values"], rows[0]["total"])

    async def web_vitals(
        self, site_id: int, period: Period, page: Page, filters: Sequence[Filter] = ()
    ) -> list[PageVitals]:
        """Return the vitals of all pages, and a page of the pages."""
        source = _hits(HitType.PERFORMANCE, filtered=bool(filters))
        query = _VITALS.format(source=source, percentiles=_PERCENTILES)
        rows = await self._rows(Selection(site_id, period, filters), query, page)
        vitals = [_vitals(row) for row in rows]
        return sorted(vitals, key=lambda one: (one.pathname is not None, -one.samples, one.pathname))

    async def realtime(self, site_id: int, now: datetime) -> Realtime:
        """Return who was there in the last five minutes."""
        parameters = {"site_id": site_id, "after": now - ONLINE, "now": now}
        async with self._connections.connection() as connection:
            row = await (await connection.execute(statement("report/realtime"), parameters)).fetchone()
        return Realtime(**row) if row else Realtime()

    async def latest_hit(self, site_id: int) -> datetime | None:
        """Return when the latest hit happened."""
        async with self._connections.connection() as connection:
            cursor = await connection.execute(statement("report/latest_hit"), {"site_id": site_id})
            row = await cursor.fetchone()
        return row["occurred_at"] if row else None

    async def _rows(self, selection: Selection, query: str, page: Page) -> list[DictRow]:
        parameters: dict[str, Any] = {
            **selection.parameters,
            "limit": page.size,
            "offset": page.offset,
        }
        async with reporting(self._connections, impatient=selection.impatient) as connection:
            # Asked once, the sessions are read in place: whole rows of them need not be put aside.
            expression = (
                selection.expression if "selected)" in query else f"selected as ({selection.sessions})"
            )
            cursor = await connection.execute(f"with {expression}, {query}".encode(), parameters)
            return await cursor.fetchall()


def _value_and_source(by: str, *, filtered: bool) -> tuple[str, str]:
    if by in OF_SESSIONS:
        return f"coalesce({by}, '')", "selected"
    if by == OUTBOUND:
        return "coalesce(properties ->> 'url', '')", _hits(HitType.OUTBOUND, filtered=filtered)
    return f"coalesce({by}, '')", _hits(OF_HITS[by], filtered=filtered)


def _hits(kind: HitType, *, filtered: bool) -> str:
    # Without filters every hit of the period is in a session of it: nobody has to ask which one.
    where = _OF_SELECTED if filtered else " where"
    return f"(select hit.* from hit {where} {WITHIN} and hit.type = '{kind}') as those"


def _vitals(row: DictRow) -> PageVitals:
    metrics = {name: Percentiles(*row[name]) for name in METRICS if row[name] and row[name][0] is not None}
    return PageVitals(row["pathname"], row["samples"], metrics)
