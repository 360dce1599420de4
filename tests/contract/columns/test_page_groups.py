"""Groups of pages: columns answer what the functions of the domain say of the same log."""

from hypothesis import given
from hypothesis import strategies as st

from footfall.adapters.memory.reports.breakdowns import MemoryBreakdowns
from footfall.domain.goals.goal import EventRule, GoalQuery
from footfall.domain.pagination import Page
from footfall.domain.row_choice import RowChoice
from footfall.domain.traffic.report_query import ReportQuery
from tests import conditions, histories
from tests.conditions import EVERY_RULE
from tests.generated import examples
from tests.histories import SITE

PAGE = Page(1, 100)
situations = st.fixed_dictionaries(
    {"log": histories.histories(max_size=60), "closed": st.integers(0, 60), "seed": st.integers(0, 1000)}
)


@examples(80)
@given(
    situation=situations,
    groups=conditions.page_groups(),
    period=histories.periods(),
    filters=st.lists(conditions.filters() | conditions.group_filters(), max_size=2),
    choice=st.builds(RowChoice, st.sampled_from(["", "", "blog"])),
)
async def test_pages_in_groups_are_those_of_the_domain(node, situation, groups, period, filters, choice):
    await node.stored.empty()
    await node.store(**situation)
    breakdowns = MemoryBreakdowns(node.stored.log)
    expected = await breakdowns.pages(SITE, ReportQuery(period, filters), PAGE, choice=choice, groups=groups)

    found = await node.breakdowns.pages(
        SITE, ReportQuery(period, filters), PAGE, choice=choice, groups=groups
    )

    assert found == expected
    node.expect_no_failure()


@examples(120)
@given(
    situation=situations,
    groups=conditions.page_groups(),
    by=st.sampled_from(["pathname", "entry_page", "exit_page", "entry_page", "exit_page", "country"]),
    period=histories.periods(),
    filters=st.lists(conditions.filters() | conditions.group_filters(), max_size=2),
    wanted=st.fixed_dictionaries({"visitors": st.booleans()})
    | st.fixed_dictionaries({"goal": EVERY_RULE.map(GoalQuery)}),
    choice=st.builds(RowChoice, st.sampled_from(["", "", "blog"]))
    | st.builds(RowChoice, among=st.just(("Blog", "/thanks", "/blog", ""))),
)
async def test_values_in_groups_are_those_of_the_domain(
    node, situation, groups, by, period, filters, wanted, choice
):
    await node.stored.empty()
    await node.store(**situation)
    asked, wanted = (
        (SITE, by, ReportQuery(period, filters), PAGE),
        {**wanted, "choice": choice, "groups": groups},
    )
    expected = await MemoryBreakdowns(node.stored.log).break_down(*asked, **wanted)

    found = await node.breakdowns.break_down(*asked, **wanted)

    assert found == expected
    node.expect_no_failure()


@examples(40)
@given(
    situation=situations,
    groups=conditions.page_groups(),
    by=st.sampled_from(["pathname", "entry_page", "exit_page"]),
    period=histories.periods(),
)
async def test_sums_of_groups_are_those_of_the_domain(node, situation, groups, by, period):
    await node.stored.empty()
    await node.store(**situation)
    asked = (
        SITE,
        EventRule("signup"),
        ["plan", "amount"],
        by,
        ["Blog", "Home", "/", "/blog/*", "/thanks"],
        ReportQuery(period),
    )
    expected = await MemoryBreakdowns(node.stored.log).sums(*asked, groups=groups)

    found = await node.breakdowns.sums(*asked, groups=groups)

    assert found == expected
    node.expect_no_failure()
