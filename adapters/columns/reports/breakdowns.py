"""Breakdowns and web vitals by columns."""

import json
from collections.abc import Mapping, Sequence
from datetime import timedelta
from decimal import Decimal
from typing import Any

from attrs import frozen

from footfall.adapters.columns.queries import Rows
from footfall.adapters.columns.reports.engagement import engaged, sessions_with_engagement
from footfall.adapters.columns.reports.report_reading import Columns, Reading
from footfall.adapters.columns.selection.expressions import (
    column_of,
    computed,
    of_types,
    query_parameter,
    rule_condition,
)
from footfall.adapters.columns.selection.row_choice import choice_parameters, containing
from footfall.adapters.columns.sql_files import compose
from footfall.application.ports.reports.breakdowns import BreakdownPage, PagesPage
from footfall.domain.goals.goal import EventRule, GoalQuery
from footfall.domain.pagination import Page
from footfall.domain.paths.page_groups import UNGROUPED, PageGroups
from footfall.domain.periods.period import Period
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
from footfall.domain.traffic.dimensions import Keyed, keyed
from footfall.domain.traffic.filters import COMPUTED_OF, Filter
from footfall.domain.traffic.pages import PageTraffic
from footfall.domain.traffic.properties import Sum
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
        period: Period,
        page: Page,
        filters: Sequence[Filter] = (),
        *,
        visitors: bool = False,
        goal: GoalQuery | None = None,
        choice: RowChoice = EVERY_ROW,
        groups: PageGroups = UNGROUPED,
    ) -> BreakdownPage:
        """Return a page of the values, the largest first."""

        async def by_columns(reading: Reading) -> BreakdownPage:
            chosen, counted = _Rows(page, choice), _counted(reading, by, groups)
            if goal is not None:
                return await _converted(reading, by, chosen, goal, counted)
            find = _values_and_visitors if visitors else _values
            rows = await find(reading, by, chosen, counted)
            shares = [
                BreakdownRow(value, count, visitors=visitors, rank=rank)
                for _, _, value, count, visitors, rank in rows
                if value is not None
            ]
            return BreakdownPage(shares, rows[0][0], rows[0][1])

        return await self._columns.answer(site_id, period, filters, by_columns)

    async def sums(
        self,
        site_id: int,
        event: EventRule,
        keys: Sequence[str],
        by: str,
        among: Sequence[str],
        period: Period,
        filters: Sequence[Filter] = (),
        *,
        groups: PageGroups = UNGROUPED,
    ) -> Mapping[tuple[str, str], Sum]:
        """Return the sums of properties by values of an attribute."""

        async def by_columns(reading: Reading) -> Mapping[tuple[str, str], Sum]:
            events = reading.selection.hits(rule_condition(event, reading.selection.values))
            query = compose("breakdowns/sums", events=events, **_counted(reading, by, groups))
            rows = await reading.query(query, keys=json.dumps(list(keys)), among=json.dumps(list(among)))
            return {(value, key): Sum(count, Decimal(total)) for value, key, count, total in rows}

        return await self._columns.answer(site_id, period, filters, by_columns)

    async def pages(
        self,
        site_id: int,
        period: Period,
        page: Page,
        filters: Sequence[Filter] = (),
        *,
        choice: RowChoice = EVERY_ROW,
        groups: PageGroups = UNGROUPED,
    ) -> PagesPage:
        """Return a page of the pages, the most viewed first."""
        return await self._columns.answer(
            site_id, period, filters, lambda reading: _pages(reading, _Rows(page, choice), groups)
        )

    async def web_vitals(
        self,
        site_id: int,
        period: Period,
        page: Page,
        filters: Sequence[Filter] = (),
        *,
        choice: RowChoice = EVERY_ROW,
    ) -> list[PageVitals]:
        """Return the vitals of all pages, and a page of the pages."""

        async def by_columns(reading: Reading) -> list[PageVitals]:
            vitals = [_vitals(row) for row in await _measured(reading, _Rows(page, choice))]
            return sorted(
                vitals, key=lambda of_page: (of_page.pathname is not None, -of_page.samples, of_page.pathname)
            )

        return await self._columns.answer(site_id, period, filters, by_columns)


@frozen
class _Rows:
    """A page of the chosen rows."""

    page: Page
    choice: RowChoice

    def pieces(self, order: str) -> dict[str, str]:
        """Return the condition on chosen values and their rank, as pieces of a query."""
        if self.choice.among is not None:
            return {
                "chosen": compose("breakdowns/values_among"),
                "rank": compose(f"breakdowns/rank_by_{order}"),
            }
        return {"chosen": containing(self.choice, "value"), "rank": compose("breakdowns/no_rank")}

    @property
    def parameters(self) -> dict[str, Any]:
        """The values of page and choice."""
        return {"limit": self.page.size, "offset": self.page.offset, **choice_parameters(self.choice)}


async def _values(reading: Reading, by: str, chosen: _Rows, counted: Mapping[str, str]) -> Rows:
    pieces = {"visitors": "null", "shown": "value", "counts": "true"}
    dimension = keyed(by)
    if by in COMPUTED_OF:
        pieces |= {"column": COMPUTED_OF[by], "shown": computed(by, "value")}
    elif dimension is not None and not dimension.family.has_properties:
        # Joining hits with what was found in their query strings takes half as long again as grouping by these.
        text = query_parameter(dimension.key, reading.selection.values, "value")
        hits = reading.selection.hits(of_types(dimension.family.of))
        pieces |= {"source": hits, "column": "querystring", "shown": text, "counts": f"{text} is not null"}
    return await _page(reading, "counts", chosen, **{**counted, **pieces})


async def _values_and_visitors(reading: Reading, _by: str, chosen: _Rows, counted: Mapping[str, str]) -> Rows:
    return await _page(reading, "counts_and_visitors", chosen, **counted, visitors="page.visitors")


async def _converted(
    reading: Reading, by: str, chosen: _Rows, goal: GoalQuery, counted: Mapping[str, str]
) -> BreakdownPage:
    converted = reading.selection.converted([goal])
    unit = "sessions" if by in OF_SESSIONS else "hits"
    query = compose(
        f"breakdowns/{unit}_and_conversions", converted=converted, **counted, **chosen.pieces("conversions")
    )
    rows = await reading.query(query, **chosen.parameters)
    shares = [
        BreakdownRow(row[2], row[3], row[4], Conversions(row[5], row[6]), row[7])
        for row in rows
        if row[2] is not None
    ]
    return BreakdownPage(shares, rows[0][0], rows[0][1])


async def _page(reading: Reading, name: str, chosen: _Rows, **pieces: str) -> Rows:
    query = compose(f"breakdowns/{name}", **chosen.pieces("count"), **pieces)
    return await reading.query(query, **chosen.parameters)


async def _pages(reading: Reading, chosen: _Rows, groups: PageGroups) -> PagesPage:
    selection = reading.selection
    query = compose(
        "breakdowns/pages",
        source=selection.grouped(selection.hits(_of_type("pathname")), "pathname", groups),
        sessions=selection.grouped(sessions_with_engagement(reading), "entry_page", groups),
        chosen=containing(chosen.choice, "value"),
        **{value: engaged(reading, value) for value in ("engaged_ms", "scroll_percent")},
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


def _counted(reading: Reading, by: str, groups: PageGroups) -> dict[str, str]:
    """Return what is counted and the column of its values, as pieces of a query."""
    dimension = keyed(by)
    if dimension is not None:
        return _counted_by_key(reading, dimension)
    selection = reading.selection
    source = selection.sessions if by in OF_SESSIONS else selection.hits(_of_type(by))
    column = "url" if by == OUTBOUND else column_of(by)
    return {"source": selection.grouped(source, column, groups_of(by, groups)), "column": column}


def _counted_by_key(reading: Reading, dimension: Keyed) -> dict[str, str]:
    hits, values = reading.selection.hits(of_types(dimension.family.of)), reading.selection.values
    if dimension.family.has_properties:
        text, key = compose("selection/property_text"), values.add(dimension.key)
        return {
            "source": compose("breakdowns/with_property", hits=hits, key=key, text=text),
            "column": "text",
        }
    text = query_parameter(dimension.key, values)
    return {"source": compose("breakdowns/with_parameter", hits=hits, text=text), "column": "text"}


async def _measured(reading: Reading, chosen: _Rows) -> Rows:
    hits = reading.selection.hits(of_types([HitType.PERFORMANCE]))
    query = compose("breakdowns/vitals", hits=hits, chosen=containing(chosen.choice, "pathname"))
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
