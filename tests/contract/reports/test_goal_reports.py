"""Goals: the search in their sessions, and series of one whose past is still being counted."""

from itertools import product
from zoneinfo import ZoneInfo

import pytest

from footfall.adapters.postgres.reports.window_reports import PostgresWindowReports
from footfall.adapters.regular_expressions import compile_patterns
from footfall.application.ports.journal import StoreUnavailable
from footfall.domain.goals.goal import GoalQuery, PathRule, path_rule
from footfall.domain.pagination import Page
from footfall.domain.periods.buckets import BucketSize
from footfall.domain.row_choice import RowChoice
from footfall.domain.tracking.hit import DeviceType
from footfall.domain.traffic.filters import Filter, FilterType
from footfall.domain.traffic.report_query import ReportQuery
from tests.histories import SITE, after, days, hit, record
from tests.stores.stored import catch_up

WEEK = days("2026-03-24", "2026-03-30")
PHONE = Filter("device_type", FilterType.EQUALS, ("mobile",))


# Each with the visitors whose sessions contain it.
SEARCHES = {
    "/BLOG/1": [2],
    "thanks": [4, 3],
    "organic": [3],
    "FOX": [4],
    "windows": [1],
    "%": [],
    "4": [],
}


@pytest.mark.parametrize("known", [True, False])
async def test_sessions_of_a_goal_are_searched_in_what_a_list_shows(stored, known):
    await stored.empty()
    rule = path_rule("/**")
    goal = (await stored.define(rule))[1] if known else GoalQuery(rule)
    mobile = {"device_type": DeviceType.MOBILE, "channel": "Direct"}
    await stored.append(
        record(
            hit(visitor_id=1, operating_system="Windows", **mobile),
            hit(after(minutes=1), visitor_id=2, pathname="/blog/1", **mobile),
            hit(after(minutes=2), visitor_id=3, **mobile | {"channel": "Organic Search"}),
            hit(after(minutes=3), visitor_id=3, pathname="/thanks"),
            hit(after(minutes=4), visitor_id=4, pathname="/thanks", browser="Firefox", **mobile),
            # Another site, and a visitor who is not seen in the period.
            hit(after(minutes=4), site_id=2, pathname="/thanks", browser="Firefox", **mobile),
            hit(after(days=9), visitor_id=5, pathname="/thanks", browser="Firefox", **mobile),
        )
    )
    await catch_up(stored.projector)

    for (containing, visitors), filters in product(SEARCHES.items(), [(), (PHONE,)]):
        asked, choice = (SITE, goal, ReportQuery(WEEK, filters), Page(1, 1)), RowChoice(containing)
        found = await stored.goals.converted_sessions(*asked, choice=choice)

        assert ([one.visitor_id for one in found.sessions], found.total) == (visitors[:1], len(visitors)), (
            containing,
            filters,
        )
        assert found == await stored.oracle.converted_sessions(*asked, choice=choice), (containing, filters)


async def test_a_goal_that_is_not_counted_yet_is_asked_later(stored):
    with pytest.raises(StoreUnavailable, match="still being counted"):
        await PostgresWindowReports(stored.reading, compile_patterns).first_conversions(
            SITE, GoalQuery(PathRule("/a"), 9_999), ReportQuery(WEEK), BucketSize.HOUR, ZoneInfo("UTC")
        )
