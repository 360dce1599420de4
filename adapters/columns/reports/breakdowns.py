"""Breakdowns and web vitals by columns."""

import json
from collections.abc import Mapping, Sequence
from datetime import timedelta
from decimal import Decimal
from typing import Any

from attrs import frozen

from footfall.adapters.columns.queries import Rows
from footfall.adapters.columns.reports.engagement import hits_with_engagement, sessions_with_engagement
from footfall.adapters.columns.reports.report_reading import Columns, Reading
from footfall.adapters.columns.selection.expressions import (
    column_of,
    computed,
    of_types,
    rule_condition,
)
from footfall.adapters.columns.selection.row_choice import choice_parameters, listed
from footfall.adapters.columns.sql_files import Kept, compose, over, select
from footfall.application.ports.reports.breakdowns import BreakdownPage, PagesPage
from footfall.domain.goals.goal import EventRule, GoalQuery
from footfall.domain.pagination import Page
from footfall.domain.paths.page_groups import UNGROUPED, PageGroups
from footfall.domain.row_choice import EVERY_ROW, RowChoice
from footfall.domain.tracking.hit import HitType
from footfall.domain.traffic.breakdown import (
    OF_SESSIONS,
    OUTBOUND,
    BreakdownRow,
    groups_of,
    types_counted,
)
from footfall.domain.traffic.conversion import Conversions
from footfall.domain.traffic.dimensions import keyed
from footfall.domain.traffic.filters import COMPUTED_OF
from footfall.domain.traffic.pages import PageTraffic
from footfall.domain.traffic.properties import Sum
from footfall.domain.traffic.report_query import ReportQuery
from footfall.domain.traffic.web_vitals import METRICS, PageVitals, Percentiles, largest_of

# As the query has them.
_OF_PAGES = (
    *("pageviews", "visitors", "entries", "bounces", "engaged_entries", "entry_engaged_ms", "timed"),
    *("engaged_pageviews", "engaged_ms", "scrolled_pageviews", "scroll_percent"),
)


@frozen
class ColumnBreakdowns:
    """BreakdownReports from files and fresh rows."""

    _columns: Columns

    async def break_down(
        self,
        site_id: int,
        by: str,
        query: ReportQuery,
        page: Page,
        *,
        visitors: bool = False,
        goal: GoalQuery | None = None,
        choice: RowChoice = EVERY_ROW,
        groups: PageGroups = UNGROUPED,
    ) -> BreakdownPage:
        """Return a page of the values, the largest first."""

        async def by_columns(reading: Reading) -> BreakdownPage:
            valued = _valued(reading, by, groups)
            chosen = _Rows(page, choice, _key(by))
            if goal is not None:
                return await _converted(reading, by, chosen, goal, valued)
            if visitors:
                counted = over(compose("breakdowns/counts_and_visitors"), valued=valued)
            else:
                counted = _counts(reading, by, valued)
            rows = await chosen.read(reading, compose("breakdowns/page"), counted)
            shares = [
                BreakdownRow(value, count, visitors=visitors, rank=rank)
                for _, _, value, count, visitors, rank in rows
                if value is not None
            ]
            return BreakdownPage(shares, rows[0][0], rows[0][1])

        return await self._columns.answer(site_id, query, by_columns)

    async def sums(
        self,
        site_id: int,
        event: EventRule,
        keys: Sequence[str],
        by: str,
        among: Sequence[str],
        query: ReportQuery,
        *,
        groups: PageGroups = UNGROUPED,
    ) -> Mapping[tuple[str, str], Sum]:
        """Return the sums of properties by values of an attribute."""

        async def by_columns(reading: Reading) -> Mapping[tuple[str, str], Sum]:
            events = reading.selection.hits(rule_condition(event, reading.selection.values))
            statement = over(compose("breakdowns/sums"), events=events, valued=_valued(reading, by, groups))
            rows = await reading.query(
                statement, key=_key(by), keys=json.dumps(list(keys)), among=json.dumps(list(among))
            )
            return {(value, key): Sum(count, Decimal(total)) for value, key, count, total in rows}

        return await self._columns.answer(site_id, query, by_columns)

    async def pages(
        self,
        site_id: int,
        query: ReportQuery,
        page: Page,
        *,
        choice: RowChoice = EVERY_ROW,
        groups: PageGroups = UNGROUPED,
    ) -> PagesPage:
        """Return a page of the pages, the most viewed first."""
        return await self._columns.answer(
            site_id, query, lambda reading: _pages(reading, _Rows(page, choice), groups)
        )

    async def web_vitals(
        self, site_id: int, query: ReportQuery, page: Page, *, choice: RowChoice = EVERY_ROW
    ) -> list[PageVitals]:
        """Return the vitals of all pages, and a page of the pages."""

        async def by_columns(reading: Reading) -> list[PageVitals]:
            vitals = [_vitals(row) for row in await _measured(reading, _Rows(page, choice))]
            return sorted(
                vitals, key=lambda of_page: (of_page.pathname is not None, -of_page.samples, of_page.pathname)
            )

        return await self._columns.answer(site_id, query, by_columns)


@frozen
class _Rows:
    """A page of the chosen rows, of values of a property or query parameter with its key."""

    page: Page
    choice: RowChoice
    key: str | None = None

    async def read(self, reading: Reading, page: str, counted: str, **relations: str) -> Rows:
        """Return the rows of a page of counted values."""
        order = "conversions" if "converted" in relations else "count"
        if self.choice.among is None:
            ranked = compose("breakdowns/unranked")
        else:
            ranked = compose(f"breakdowns/ranked_by_{order}")
        query = over(page, **relations, counted=Kept(counted), **listed(ranked, self.choice))
        return await reading.query(query, **self.parameters)

    @property
    def parameters(self) -> dict[str, Any]:
        """The values of page and choice."""
        page = {"limit": self.page.size, "offset": self.page.offset}
        return {**page, "key": self.key, **choice_parameters(self.choice)}


def _counts(reading: Reading, by: str, valued: str) -> str:
    """Return the query of the values with their counts."""
    dimension, counts = keyed(by), compose("breakdowns/value_counts")
    if by in COMPUTED_OF:
        stored = _with_value(_source(reading, by), COMPUTED_OF[by])
        shown = select("value_counts", columns=f"{computed(by, 'value')} as value, count")
        return over(compose("breakdowns/counts"), valued=stored, value_counts=counts, shown=shown)
    if dimension is not None and not dimension.family.has_properties:
        # Joining hits with what was found in their query strings takes half as long again as grouping by these.
        stored = _with_value(_source(reading, by), "querystring")
        return over(compose("breakdowns/counts_of_parameter"), valued=stored, value_counts=counts)
    return over(compose("breakdowns/counts"), valued=valued, shown=counts)


async def _converted(reading: Reading, by: str, chosen: _Rows, goal: GoalQuery, valued: str) -> BreakdownPage:
    unit = "sessions" if by in OF_SESSIONS else "hits"
    reached = over(compose("breakdowns/converted"), reached=reading.selection.converted([goal]))
    rows = await chosen.read(
        reading,
        compose(f"breakdowns/page_of_{unit}"),
        compose(f"breakdowns/{unit}_and_conversions"),
        converted=Kept(reached),
        valued=valued,
    )
    shares = [
        BreakdownRow(row[2], row[3], row[4], Conversions(row[5], row[6]), row[7])
        for row in rows
        if row[2] is not None
    ]
    return BreakdownPage(shares, rows[0][0], rows[0][1])


async def _pages(reading: Reading, chosen: _Rows, groups: PageGroups) -> PagesPage:
    selection = reading.selection
    hits = selection.grouped(hits_with_engagement(reading, _of_type("pathname")), "pathname", groups)
    query = over(
        compose("breakdowns/pages"),
        hits=hits,
        sessions=selection.grouped(sessions_with_engagement(reading), "entry_page", groups),
        **listed(compose("breakdowns/views"), chosen.choice),
    )
    rows = await reading.query(query, **chosen.parameters)
    traffic = [
        PageTraffic(
            pathname=value,
            time=timedelta(microseconds=microseconds),
            **dict(zip(_OF_PAGES, counted, strict=True)),
        )
        for _, _, value, microseconds, *counted in rows
        if value is not None
    ]
    return PagesPage(traffic, rows[0][0], rows[0][1])


def _valued(reading: Reading, by: str, groups: PageGroups) -> str:
    """Return the query of what is counted, with its values."""
    source, dimension = _source(reading, by), keyed(by)
    if dimension is not None:
        kind = "property" if dimension.family.has_properties else "parameter"
        return over(compose(f"breakdowns/with_{kind}"), hits=source)
    column = "url" if by == OUTBOUND else column_of(by)
    return _with_value(reading.selection.grouped(source, column, groups_of(by, groups)), column)


def _with_value(source: str, column: str) -> str:
    # Few columns: the planning of all takes longer than most reports.
    return over(select("source", columns=f"session_id, counted_visitor, {column} as value"), source=source)


def _source(reading: Reading, by: str) -> str:
    """Return the query of the sessions or hits that are counted."""
    if by in OF_SESSIONS:
        return reading.selection.sessions
    dimension = keyed(by)
    return reading.selection.hits(_of_type(by) if dimension is None else of_types(dimension.family.of))


def _key(by: str) -> str | None:
    """Return the key of a property or query parameter."""
    dimension = keyed(by)
    return None if dimension is None else dimension.key


async def _measured(reading: Reading, chosen: _Rows) -> Rows:
    measured = over(
        compose("breakdowns/measured"), hits=reading.selection.hits(of_types([HitType.PERFORMANCE]))
    )
    query = over(compose("breakdowns/vitals"), **listed(measured, chosen.choice))
    return await reading.query(query, **chosen.parameters)


def _of_type(by: str) -> str:
    return of_types(types_counted(by))


def _vitals(row: Sequence[Any]) -> PageVitals:
    pathname, samples, *by_metric = row
    measured = {
        name: classes for name, classes in zip(METRICS, by_metric, strict=True) if classes is not None
    }
    metrics = {name: Percentiles(*map(largest_of, classes)) for name, classes in measured.items()}
    return PageVitals(pathname, samples, metrics)
