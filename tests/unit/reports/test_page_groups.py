"""The effect of groups of pages: the paths of each rule, in a time that hostile patterns do not prolong."""

from datetime import timedelta
from time import monotonic

import pytest
from attrs import frozen

from footfall.adapters.regular_expressions import compile_patterns
from footfall.application.ports.reports.breakdowns import BreakdownPage
from footfall.application.reports.page_groups import grouping_effect
from footfall.domain.examples import NOON
from footfall.domain.exceptions import Invalid
from footfall.domain.paths.group_proposals import GroupProposal
from footfall.domain.paths.page_groups import GroupRule, PageGroups
from footfall.domain.periods.period import Period
from footfall.domain.traffic.breakdown import BreakdownRow
from footfall.domain.traffic.report_query import ReportQuery

DAY = ReportQuery(Period(NOON, NOON + timedelta(days=1)))
ORDERS, USERS = GroupRule("Orders", "/user/*/orders"), GroupRule("Users", "/user/*")
# Python's own expressions take hours for it.
HOSTILE = GroupRule("A", "/" + "**a" * 8 + "b")
LONG = [f"/{'a' * 1000}{number}" for number in range(100)]


@frozen
class Viewed:
    """Breakdowns that list paths with one view each."""

    _paths: list[str]

    async def break_down(self, _site_id, by, _query, _page):
        assert by == "pathname"
        rows = [BreakdownRow(path, 1) for path in self._paths]
        return BreakdownPage(rows, len(rows), len(rows))


async def effect_on(paths, *rules, **limits):
    return await grouping_effect(Viewed(paths), 1, PageGroups(rules), DAY, compile_patterns, **limits)


@pytest.mark.parametrize(
    ("rules", "found"),
    [
        ((ORDERS, USERS), [["/user/1/orders"], ["/user/1", "/user/2"], ["/"]]),
        ((USERS, ORDERS), [["/user/1/orders", "/user/1", "/user/2"], [], ["/"]]),
        ((ORDERS, ORDERS), [["/user/1/orders"], [], ["/user/1", "/user/2", "/"]]),
    ],
)
async def test_paths_belong_to_the_first_rule_that_they_match(rules, found):
    effect = await effect_on(["/user/1/orders", "/user/1", "/user/2", "/"], *rules)

    assert [[row.value for row in of.examples] for of in (*effect.rules, effect.others)] == found


async def test_paths_that_have_a_group_are_not_proposed():
    paths = [f"/user/{number}{rest}" for number in range(3) for rest in ("", "/orders")]

    effect = await effect_on(paths, ORDERS)

    assert effect.proposals == [GroupProposal(pattern="/user/*", paths=3, pageviews=3)]


async def test_a_hostile_pattern_takes_a_time_that_grows_with_the_lengths_of_paths_alone():
    started = monotonic()

    effect = await effect_on(LONG, HOSTILE)

    assert effect.rules[0].paths == 0
    assert monotonic() - started < 5


async def test_patterns_that_take_too_long_are_refused():
    with pytest.raises(Invalid) as refused:
        await effect_on(LONG, HOSTILE, seconds=0.0)

    assert [*refused.value.field_errors] == ["groups"]
