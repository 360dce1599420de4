"""The value of goals: the money in the events that reach them (docs/properties.md)."""

from collections.abc import Mapping, Sequence

from attrs import frozen

from footfall.application.ports.reports.properties import PropertyReports
from footfall.application.reports.report_query import ReportQuery
from footfall.domain.goals.goal import EventRule, Rule
from footfall.domain.pagination import Page
from footfall.domain.traffic.properties import Numbers


@frozen
class GoalValue:
    """The numbers of a property that is money, in the events that satisfy the rule of a goal."""

    property_key: str
    currency: str
    numbers: Numbers


async def goal_values(
    reports: PropertyReports,
    site_id: int,
    rule: Rule,
    currencies: Mapping[tuple[str, str], str],
    query: ReportQuery,
) -> Sequence[GoalValue]:
    """Return the values of a goal by property; none for pages, and for events without properties that are money.

    Raises:
        StoreUnavailable: the store does not answer.
        Invalid: a regular expression among the filters takes too long.

    """
    if not isinstance(rule, EventRule):
        return []
    money = []
    for (event_name, key), currency in sorted(currencies.items()):
        if event_name == rule.event_name:
            values = await reports.values(site_id, rule, key, query.period, Page(1, 1), query.filters)
            money.append(GoalValue(key, currency, values.numbers))
    return money
