"""Funnels: rows and columns answer what the function of the domain says of the same log."""

from hypothesis import given
from hypothesis import strategies as st

from footfall.adapters.memory.reports.reports import MemoryReports
from footfall.domain.funnels.steps import FunnelSteps
from footfall.domain.traffic.report_query import ReportQuery
from tests import conditions, histories
from tests.conditions import EVERY_RULE
from tests.generated import examples
from tests.histories import SITE

unhurried = examples(80)
situations = st.fixed_dictionaries(
    {"log": histories.histories(max_size=60), "closed": st.integers(0, 60), "seed": st.integers(0, 1000)}
)
funnels = st.builds(
    FunnelSteps,
    st.lists(EVERY_RULE, min_size=2, max_size=4).map(tuple),
    st.sampled_from([None, None, 1, 2, 30]),
)


@unhurried
@given(
    situation=situations,
    steps=funnels,
    period=histories.periods(),
    filters=st.lists(conditions.any_filters(), max_size=1),
)
async def test_progress_is_that_of_the_domain(node, situation, steps, period, filters):
    await node.stored.empty()
    await node.store(**situation)
    asked = (SITE, steps, ReportQuery(period, filters))
    expected = await MemoryReports(node.stored.log).progress(*asked)

    assert await node.funnels.progress(*asked) == expected
    node.expect_no_failure()
