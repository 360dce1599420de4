"""The inquiry about revenue by source."""

from typing import Any

from attrs import field, frozen

from footfall.application.ports.reports.snapshots import ReportSet
from footfall.application.reports.catalogue.inquiry import ROWS, Inquiry
from footfall.application.reports.tables import Table, table_of
from footfall.domain.exceptions import Invalid
from footfall.domain.goals.goal import Rule
from footfall.domain.goals.value import money_of
from footfall.domain.pagination import Page
from footfall.domain.revenue.revenue import Revenue, RevenuePlan, RevenueRow
from footfall.domain.sites.currencies import Currencies

# Beside the goal.
PARAMETERS = ("property", "by", "model", "compare_model", "lookback")
_COLUMNS = ("value", "count", "sum")
_COMPARED = ("compared_count", "compared_sum")


@frozen
class RevenueInquiry(Inquiry[Revenue]):
    """The conversions of a goal, and their money, by the values of an attribute, by one model or by two.

    The period of the query is the time of all visits that count.
    """

    plan: RevenuePlan
    currency: str | None = field(eq=False)
    page: Page = ROWS
    keys = ("value",)

    async def ask(self, reports: ReportSet, site_id: int) -> Revenue:
        """Return the money."""
        return await reports.revenue.by_source(site_id, self.plan, self.page, self.query.filters)

    def table(self, answer: Revenue) -> Table:
        """Return a row for each value."""
        columns = _COLUMNS if len(self.plan.models) == 1 else (*_COLUMNS, *_COMPARED)
        return table_of(columns, [self.record(row) for row in answer.rows])

    def record(self, row: RevenueRow) -> dict[str, Any]:
        """Return a value with its figures by each model; without money there is no sum."""
        has_money = self.plan.property_key is not None
        figures = [
            number for one in row.sums for number in (one.count, float(one.sum) if has_money else None)
        ]
        return {"value": row.value, **dict(zip((*_COLUMNS[1:], *_COMPARED), figures, strict=False))}


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
