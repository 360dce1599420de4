"""The value of goals: the money in the events that reach them (docs/properties.md#money)."""

from collections.abc import Iterable, Mapping, Sequence

from attrs import frozen

from footfall.application.ports.reports.breakdowns import BreakdownReports
from footfall.application.ports.reports.properties import PropertyReports
from footfall.application.reports.report_query import ReportQuery
from footfall.domain.goals.goal import EventRule, Rule
from footfall.domain.goals.value import money_of
from footfall.domain.pagination import Page
from footfall.domain.sites.currencies import Currencies
from footfall.domain.traffic.properties import Sum


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
    if not isinstance(rule, EventRule):
        return []
    money = []
    for key, currency in money_of(rule, currencies):
        values = await reports.values(site_id, rule, key, query.period, Page(1, 1), query.filters)
        money.append(GoalValue(key, currency, values.numbers))
    return money


async def values_by_row(
    reports: BreakdownReports,
    site_id: int,
    rule: Rule,
    by: str,
    among: Iterable[str],
    currencies: Currencies,
    query: ReportQuery,
) -> Mapping[str, Sequence[GoalValue]]:
    """Return the values of a goal in the sessions with each value of an attribute; one without numbers is absent.

    Raises:
        StoreUnavailable: the store does not answer.

    """
    rows = list(among)
    found: dict[str, list[GoalValue]] = {}
    if not isinstance(rule, EventRule) or not rows:
        return found
    for key, currency in money_of(rule, currencies):
        sums = await reports.sums(site_id, rule, key, by, rows, query.period, query.filters)
        for value, numbers in sums.items():
            found.setdefault(value, []).append(GoalValue(key, currency, numbers))
    return found
