"""The value of goals: the money in the events that reach them (docs/read/properties.md#money)."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import product

from attrs import frozen

from footfall.application.ports.reports.breakdowns import BreakdownReports
from footfall.application.ports.reports.properties import PropertyReports
from footfall.domain.goals.goal import EventRule, Rule
from footfall.domain.goals.value import money_of
from footfall.domain.paths.page_groups import UNGROUPED, PageGroups
from footfall.domain.sites.currencies import Currencies
from footfall.domain.traffic.properties import Numbers, Sum
from footfall.domain.traffic.report_query import ReportQuery


@frozen
class GoalValue:
    """The numbers of a property that is money, in events that satisfy the rule of a goal."""

    property_key: str
    currency: str
    numbers: Sum


async def goal_values(
    reports: PropertyReports, site_id: int, rule: Rule, currencies: Currencies, query: ReportQuery
) -> Sequence[GoalValue]:
    """Return the values of a goal by property, with medians; none without properties that are money.

    Raises:
        StoreUnavailable: the store does not answer.
        Invalid: a regular expression among the filters takes too long.

    """
    money = money_of(rule, currencies)
    if not isinstance(rule, EventRule) or not money:
        return []
    keys = [key for key, _ in money]
    numbers = await reports.numbers(site_id, rule, keys, query)
    return [GoalValue(key, currency, numbers.get(key, Numbers())) for key, currency in money]


async def values_by_row(
    reports: BreakdownReports,
    site_id: int,
    rule: Rule,
    by: str,
    among: Iterable[str],
    currencies: Currencies,
    query: ReportQuery,
    *,
    groups: PageGroups = UNGROUPED,
) -> Mapping[str, Sequence[GoalValue]]:
    """Return the values of a goal in the sessions with each value of an attribute; one without numbers is absent.

    Raises:
        StoreUnavailable: the store does not answer.

    """
    money, rows = money_of(rule, currencies), list(among)
    values: dict[str, list[GoalValue]] = {}
    if not isinstance(rule, EventRule) or not money or not rows:
        return values
    keys = [key for key, _ in money]
    sums = await reports.sums(site_id, rule, keys, by, rows, query, groups=groups)
    for value, (key, currency) in product(rows, money):
        if (value, key) in sums:
            values.setdefault(value, []).append(GoalValue(key, currency, sums[value, key]))
    return values
