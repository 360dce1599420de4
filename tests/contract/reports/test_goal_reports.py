"""Goals: what PostgreSQL answers is what the functions of the domain say of the same log."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.adapters.postgres.reports.session_rows import session_of
from footfall.domain.goals.goal import GoalQuery, path_rule
from footfall.domain.pagination import Page
from footfall.domain.row_choice import RowChoice
from footfall.domain.tracking.hit import DeviceType
from footfall.domain.traffic.filters import Filter, FilterType
from footfall.domain.traffic.session import sessionize
from tests import histories
from tests.generated import examples
from tests.histories import RULES, SITE, after, days, hit, record
from tests.stores.stored import catch_up, project_in_slices

unhurried = examples(60)


@unhurried
@given(log=histories.histories(max_size=60), seed=st.integers())
async def test_sessions_are_those_of_the_domain_however_the_log_is_cut(stored, log, seed):
    await stored.empty()
    await stored.append(log)

    await project_in_slices(stored, seed)

    rows = (await stored.read_models())["session"]
    assert [session_of(row) for row in rows] == sessionize(log)


@unhurried
@given(
    log=histories.histories(max_size=60),
    rules=st.lists(RULES, min_size=1, max_size=4),
    period=histories.periods(),
    filters=st.lists(histories.filters(), max_size=2),
)
async def test_conversions_are_those_of_the_domain(stored, log, rules, period, filters):
    await stored.empty()
    goals = [(await stored.define(rule))[1] for rule in rules]
    await stored.append(log)
    await catch_up(stored.projector)

    counted = await stored.goals.count_conversions(SITE, goals, period, filters)

    assert counted == await stored.oracle.count_conversions(SITE, goals, period, filters)


@unhurried
@given(
    log=histories.histories(max_size=60),
    rule=RULES,
    period=histories.periods(),
    filters=st.lists(histories.filters(), max_size=1),
    page=st.builds(Page, st.integers(1, 3), st.integers(1, 4)),
    known=st.booleans(),
    containing=st.sampled_from(["", "fox", "BLOG", "direct", "%", "nothing such"]),
)
async def test_sessions_of_a_goal_are_those_of_the_domain(
    stored, log, rule, period, filters, page, known, containing
):
    await stored.empty()
    goal = (await stored.define(rule))[1] if known else GoalQuery(rule)
    await stored.append(log)
    await catch_up(stored.projector)

    asked, choice = (SITE, goal, period, page, filters), RowChoice(containing)
    found = await stored.goals.converted_sessions(*asked, choice=choice)

    assert found == await stored.oracle.converted_sessions(*asked, choice=choice)


WEEK = days("2026-03-24", "2026-03-30")
PHONE = Filter("device_type", FilterType.EQUALS, ("mobile",))


@pytest.mark.parametrize("filters", [(), (PHONE,)])
@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize(
    ("containing", "visitors"),
    [
        ("/BLOG/1", [2]),
        ("thanks", [4, 3]),
        ("organic", [3]),
        ("FOX", [4]),
        ("windows", [1]),
        ("%", []),
        ("4", []),
    ],
)
async def test_sessions_of_a_goal_are_searched_in_what_a_list_shows(
    stored, filters, known, containing, visitors
):
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

    asked, choice = (SITE, goal, WEEK, Page(1, 1), filters), RowChoice(containing)
    found = await stored.goals.converted_sessions(*asked, choice=choice)

    assert ([one.visitor_id for one in found.sessions], found.total) == (visitors[:1], len(visitors))
    assert found == await stored.oracle.converted_sessions(*asked, choice=choice)
