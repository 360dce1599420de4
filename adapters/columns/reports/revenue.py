"""Revenue by source by columns: conversions, joined with the visits of their visitors."""

import json
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from types import MappingProxyType

from attrs import frozen

from footfall.adapters.columns.queries import Rows
from footfall.adapters.columns.reports.report_reading import Columns, Reading
from footfall.adapters.columns.selection.expressions import column_of, rule_condition
from footfall.adapters.columns.selection.selection import Selection
from footfall.adapters.columns.sql_files import compose
from footfall.domain.pagination import Page
from footfall.domain.revenue.revenue import Model, Revenue, RevenuePlan, RevenueRow
from footfall.domain.tracking.acquisition.channel import Channel
from footfall.domain.traffic.filters import Filter, exclusions_of
from footfall.domain.traffic.properties import Sum

_VISITS: Mapping[Model, str] = MappingProxyType(
    {
        Model.FIRST: "revenue/first",
        Model.LAST: "revenue/last",
        Model.LAST_NOT_DIRECT: "revenue/last_not_direct",
    }
)


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
            plan.around,
            exclusions_of(filters),
            lambda reading: _by_source(reading, plan, page, filters),
        )


async def _by_source(reading: Reading, plan: RevenuePlan, page: Page, filters: Sequence[Filter]) -> Revenue:
    await reading.expect_counted(plan.goal)
    values, numbers = reading.selection.values, range(len(plan.models))
    money = "without_money" if plan.property_key is None else "with_money"
    events = Selection(plan.period, filters, values)
    text = compose(
        "revenue/by_source",
        conversions=compose(f"revenue/{money}", hits=events.hits(rule_condition(plan.goal.rule, values))),
        sessions=reading.selection.sessions_of_all_time,
        value=column_of(plan.by),
        values=", ".join(
            f"{compose(_VISITS[model])} as value_{number}" for number, model in enumerate(plan.models)
        ),
        counted=_each(numbers, "counted_by", "\nunion all\n"),
        sums=_each(numbers, "sum_of", ", "),
        named="true" if plan.named is None else compose("breakdowns/values_among"),
        columns=", ".join(f"page.count_{number}, page.sum_{number}::varchar" for number in numbers),
    )
    rows = await reading.query(
        text,
        start=plan.period.start,
        end=plan.period.end,
        since=plan.around.start,
        lookback=f"{plan.days * 24} hours",
        property=plan.property_key,
        direct=Channel.DIRECT,
        among=json.dumps(plan.named),
        limit=page.size,
        offset=page.offset,
    )
    return _revenue(rows)


def _each(numbers: Sequence[int], section: str, between: str) -> str:
    return between.join(compose(f"revenue/{section}", model=str(number)) for number in numbers)


def _revenue(rows: Rows) -> Revenue:
    values, conversions, money, signed = rows[0][:4]
    found = [RevenueRow(row[4], tuple(_sums(row[5:]))) for row in rows if row[4] is not None]
    return Revenue(found, values, Sum(conversions, Decimal(money)), signed)


def _sums(columns: Sequence[int | str]) -> Iterator[Sum]:
    for place in range(0, len(columns), 2):
        yield Sum(int(columns[place]), Decimal(columns[place + 1]))
