"""Groups of pages: columns answer what the functions of the domain say of the same log."""

from hypothesis import given
from hypothesis import strategies as st

from footfall.adapters.memory.reports.breakdowns import MemoryBreakdowns
from footfall.domain.pagination import Page
from footfall.domain.row_choice import RowChoice
from tests import histories
from tests.generated import examples
from tests.histories import SITE

PAGE = Page(1, 100)
situations = st.fixed_dictionaries(
    {"log": histories.histories(max_size=60), "closed": st.integers(0, 60), "seed": st.integers(0, 1000)}
)


@examples(80)
@given(
    situation=situations,
    groups=histories.page_groups(),
    period=histories.periods(),
    filters=st.lists(histories.filters() | histories.group_filters(), max_size=2),
    choice=st.builds(RowChoice, st.sampled_from(["", "", "blog"]))
    | st.builds(RowChoice, among=st.just(("Blog", "/thanks", "/blog"))),
)
async def test_pages_in_groups_are_those_of_the_domain(node, situation, groups, period, filters, choice):
    await node.stored.empty()
    await node.store(**situation)
    breakdowns = MemoryBreakdowns(node.stored.log)
    expected = await breakdowns.pages(SITE, period, PAGE, filters, choice=choice, groups=groups)

    found = await node.breakdowns.pages(SITE, period, PAGE, filters, choice=choice, groups=groups)

    assert found == expected
    node.expect_no_failure()
