"""Goals: what PostgreSQL answers is what the functions of the domain say of the same log."""

from hypothesis import given
from hypothesis import strategies as st

from footfall.adapters.postgres.reports.session_rows import session_of
from footfall.domain.goals.goal import GoalQuery
from footfall.domain.pagination import Page
from footfall.domain.traffic.session import sessionize
from tests import histories
from tests.generated import examples
from tests.histories import RULES, SITE
from tests.stored import catch_up, project_in_slices

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
)
async def test_sessions_of_a_goal_are_those_of_the_domain(stored, log, rule, period, filters, page, known):
    await stored.empty()
    goal = (await stored.define(rule))[1] if known else GoalQuery(rule)
    await stored.append(log)
    await catch_up(stored.projector)

    found = await stored.goals.converted_sessions(SITE, goal, period, page, filters)

    assert found == await stored.oracle.converted_sessions(SITE, goal, period, page, filters)
