"""Filters by groups of pages: what the stores select is what the function of the domain selects."""

from datetime import timedelta
from time import monotonic

from hypothesis import given
from hypothesis import strategies as st

from footfall.domain.examples import NOON, a_hit
from footfall.domain.pagination import Page
from footfall.domain.paths.page_groups import GroupRule, PageGroups
from footfall.domain.periods.period import Period
from footfall.domain.tracking.hit import RecordedHit
from footfall.domain.traffic.filters import PAGE_GROUP, Filter, FilterType
from footfall.domain.traffic.report_query import ReportQuery
from tests import conditions, histories
from tests.generated import examples
from tests.histories import SITE
from tests.stores.stored import catch_up

ALL = Page(1, 100)


@examples(60)
@given(
    log=histories.histories(max_size=60),
    period=histories.periods(),
    filters=st.lists(conditions.group_filters() | conditions.goal_filters(), min_size=1, max_size=2),
)
async def test_selected_sessions_are_those_of_the_domain(stored, log, period, filters):
    await stored.empty()
    await stored.append(log)
    await catch_up(stored.projector)

    overview = await stored.traffic.overview(SITE, ReportQuery(period, filters))
    new = await stored.errors.new(SITE, ReportQuery(period, filters), ALL)

    assert overview == await stored.oracle.overview(SITE, ReportQuery(period, filters))
    assert new == await stored.error_oracle.new(SITE, ReportQuery(period, filters), ALL)


async def test_rules_that_postgresql_does_not_keep_compiled_are_compared_with_many_paths(stored):
    # PostgreSQL keeps 32 expressions compiled, and makes the states of each one anew for each path.
    rules = [GroupRule(f"Area {area}", f"/**{'/*/section' * 7}/area{area}/*/orders") for area in range(50)]
    paths = [f"/shop{'/7/section' * 7}/area{number % 60}/{number}/orders" for number in range(1_000)]
    await stored.append(
        [
            RecordedHit(number, a_hit(site_id=SITE, visitor_id=number, pathname=path))
            for number, path in enumerate(paths, 1)
        ]
    )
    await catch_up(stored.projector)
    selected = Filter(PAGE_GROUP, FilterType.EQUALS, ("Area 1", "Area 49"), groups=PageGroups(tuple(rules)))

    started = monotonic()
    live = await stored.reports.live.live(
        SITE, ReportQuery(Period(NOON - timedelta(minutes=29), NOON + timedelta(minutes=1)), [selected])
    )

    assert monotonic() - started < 5
    assert live.visitors == 33
