"""Journeys: columns answer what the function of the domain says of the same log."""

from hypothesis import given
from hypothesis import strategies as st

from footfall.adapters.memory.reports.journeys import MemoryJourneys
from tests import histories
from tests.generated import examples
from tests.histories import SITE

situations = st.fixed_dictionaries(
    {"log": histories.histories(max_size=60), "closed": st.integers(0, 60), "seed": st.integers(0, 1000)}
)


@examples(120)
@given(
    situation=situations,
    query=histories.journey_queries(),
    period=histories.periods(),
    filters=st.lists(histories.filters() | histories.goal_filters(), max_size=1),
)
async def test_journeys_are_those_of_the_domain(node, situation, query, period, filters):
    await node.stored.empty()
    await node.store(**situation)
    asked = (SITE, query, period, filters)
    expected = await MemoryJourneys(node.stored.log).journeys(*asked)

    assert await node.journeys.journeys(*asked) == expected
    node.expect_no_failure()
