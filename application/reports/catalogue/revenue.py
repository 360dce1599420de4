"""The inquiry about revenue by source."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from attrs import evolve, field, frozen

from footfall.application.ports.reports.snapshots import ReportSet
from footfall.application.reports.catalogue.inquiry import ROWS, Inquiry
from footfall.application.reports.tables import Table, table_of
from footfall.domain.exceptions import Invalid
from footfall.domain.goals.goal import Rule
from footfall.domain.goals.value import money_of
from footfall.domain.pagination import Page
from footfall.domain.periods.period import Period
from footfall.domain.periods.report_period import ReportPeriod
from footfall.domain.revenue.revenue import Revenue, RevenuePlan, RevenueRow
from footfall.domain.sites.currencies import Currencies
from footfall.domain.traffic.properties import Sum

# Beside the goal.
PARAMETERS = ("property", "by", "model", "compare_model", "lookback")
_COLUMNS = ("value", "count", "sum")
_COMPARED = ("compared_count", "compared_sum")
_PREVIOUS = ("previous_count", "previous_sum")
_NOTHING = Sum(0, Decimal(0))


@frozen
class RevenueFound:
    """The revenue of a period and, of the same values by the first model, that of the one that it is compared with."""

    now: Revenue
    before: Revenue | None = None

    @property
    def previous(self) -> Mapping[str, Sum]:
        """What each value had in the compared period; those that had nothing are not there."""
        return {} if self.before is None else {row.value: row.sums[0] for row in self.before.rows}


@frozen
class RevenueInquiry(Inquiry[RevenueFound]):
    """The conversions of a goal, and their money, by the values of an attribute, by one model or by two.

    With a `window` they are compared with those of another period. The period of the query is the time of all visits
    that count.
    """

    plan: RevenuePlan
    currency: str | None = field(eq=False)
    page: Page = ROWS
    window: ReportPeriod | None = None
    keys = ("value",)

    @property
    def span(self) -> Period:
        """The time of all visits that count, of both periods."""
        if self.window is None:
            return self.query.period
        return Period(self.window.span.start - self.plan.lookback, self.window.span.end)

    async def ask(self, reports: ReportSet, site_id: int) -> RevenueFound:
        """Return the money."""
        filters, find = self.query.filters, reports.revenue.by_source
        now = await find(site_id, self.plan, self.page, filters)
        if self.window is None:
            return RevenueFound(now)
        named, models = tuple(row.value for row in now.rows), self.plan.models[:1]
        before = evolve(self.plan, period=self.window.before, models=models, named=named)
        return RevenueFound(now, await find(site_id, before, Page(1, self.page.size), filters))

    def table(self, answer: RevenueFound) -> Table:
        """Return a row for each value."""
        columns = (
            *_COLUMNS,
            *(_COMPARED if len(self.plan.models) > 1 else ()),
            *(_PREVIOUS if answer.before else ()),
        )
        previous = answer.previous
        return table_of(
            columns, [self._record(row, previous.get(row.value, _NOTHING)) for row in answer.now.rows]
        )

    def totals(self, answer: RevenueFound) -> dict[str, Any]:
        """Return the figures of all conversions."""
        total = self._figures(_COLUMNS[1:], answer.now.total) | {"signed": answer.now.signed}
        return total | (self._figures(_PREVIOUS, answer.before.total) if answer.before else {})

    def _record(self, row: RevenueRow, before: Sum) -> dict[str, Any]:
        record: dict[str, Any] = {"value": row.value}
        for names, total in zip((_COLUMNS[1:], _COMPARED), row.sums, strict=False):
            record |= self._figures(names, total)
        return record | self._figures(_PREVIOUS, before)

    def _figures(self, names: Sequence[str], total: Sum) -> dict[str, Any]:
        """Return the number of conversions and their money under two names; without money there is no sum."""
        money = None if self.plan.property_key is None else float(total.sum)
        return dict(zip(names, (total.count, money), strict=True))


def money_property(rule: Rule, currencies: Currencies, key: str | None) -> tuple[str | None, str | None]:
    """Return a property of the events of a goal that is money, and its currency; None where there is none.

    Without a key it is the first one by name.

    Raises:
        Invalid: the key is none; the error names `property`.

    """
    money = dict(money_of(rule, currencies))
    if key is None:
        return next(iter(money.items()), (None, None))
    if key not in money:
        among = f": {', '.join(money)}" if money else "; the goal has none"
        raise Invalid({"property": [f"must be a property of the goal's event that is money{among}"]})
    return key, money[key]
