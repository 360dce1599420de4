"""Revenue by source by columns: conversions, joined with the visits of their visitors."""

import json
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any

from attrs import frozen

from footfall.adapters.columns.queries import Rows
from footfall.adapters.columns.reports.report_reading import Columns, Reading
from footfall.adapters.columns.selection.expressions import column_of, rule_condition
from footfall.adapters.columns.selection.selection import Selection
from footfall.adapters.columns.sql_files import compose, over, select
from footfall.domain.pagination import Page
from footfall.domain.revenue.revenue import Model, Revenue, RevenuePlan, RevenueRow
from footfall.domain.tracking.acquisition.channel import Channel
from footfall.domain.traffic.filters import Filter, exclusions_of
from footfall.domain.traffic.properties import Sum
from footfall.domain.traffic.report_query import ReportQuery

# In the order of the values that the query computes.
_MODELS = (Model.FIRST, Model.LAST, Model.LAST_NOT_DIRECT)


@frozen
class ColumnRevenue:
    """RevenueReports from files and fresh rows."""

    _columns: Columns

    async def by_source(
        self, site_id: int, plan: RevenuePlan, page: Page, filters: Sequence[Filter] = ()
    ) -> Revenue:
        """Return the money by a page of the values of the attribute."""
        # Exclusions hold for every visit, the other filters for conversions.
        return await self._columns.answer(
            site_id,
            ReportQuery(plan.around, exclusions_of(filters)),
            lambda reading: _by_source(reading, plan, page, filters),
        )


async def _by_source(reading: Reading, plan: RevenuePlan, page: Page, filters: Sequence[Filter]) -> Revenue:
    await reading.expect_counted(plan.goal)
    selection = reading.selection
    money = "without_money" if plan.property_key is None else "with_money"
    events = Selection(plan.period, filters, selection.values)
    hits = events.hits(rule_condition(plan.goal.rule, selection.values))
    valued = select("source", columns=f"*, {column_of(plan.by)} as value")
    text = over(
        compose("revenue/by_source"),
        conversions=over(compose(f"revenue/{money}"), hits=hits),
        sessions=over(valued, source=selection.sessions_of_all_time),
    )
    rows = await reading.query(
        text,
        start=plan.period.start,
        end=plan.period.end,
        since=plan.around.start,
        lookback=f"{plan.days * 24} hours",
        property=plan.property_key,
        direct=Channel.DIRECT,
        models=[_MODELS.index(model) + 1 for model in plan.models],
        among=json.dumps(plan.named),
        limit=page.size,
        offset=page.offset,
    )
    return _revenue(rows, len(plan.models))


def _revenue(rows: Rows, models: int) -> Revenue:
    values, conversions, money, signed = rows[0][:4]
    sources = [RevenueRow(row[4], tuple(_sums(row[5:], models))) for row in rows if row[4] is not None]
    return Revenue(sources, values, Sum(conversions, Decimal(money)), signed)


def _sums(columns: Sequence[Sequence[Any]], models: int) -> Iterator[Sum]:
    of_model = {model: Sum(count, Decimal(total)) for model, count, total in zip(*columns, strict=True)}
    return (of_model.get(model, Sum()) for model in range(models))
