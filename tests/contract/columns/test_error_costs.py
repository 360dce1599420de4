"""What errors cost by columns: what files and rows answer together is what the functions of the domain say."""

from hypothesis import given
from hypothesis import strategies as st

from footfall.application.ports.errors.error_groups import CostQuery
from tests import conditions, histories
from tests.conditions import EVERY_RULE
from tests.failing import DECISIONS, FINGERPRINTS, failing
from tests.generated import examples
from tests.histories import INSTANTS, SITE


@examples(80)
@given(
    log=failing(histories.histories(max_size=60)),
    rule=EVERY_RULE,
    period=histories.periods().filter(lambda period: period.length.days >= 1),
    filters=st.lists(conditions.filters(), max_size=1),
    deploys=st.lists(INSTANTS, max_size=2, unique=True).map(sorted),
    decisions=DECISIONS,
    closed=st.integers(0, 60),
    seed=st.integers(0, 1000),
)
async def test_costs_of_errors_are_those_of_the_domain(
    node, log, rule, period, filters, deploys, decisions, closed, seed
):
    await node.stored.empty()
    _, goal = await node.stored.define(rule)
    await node.store(log, closed, seed)
    groups = [one for one in FINGERPRINTS if decisions.group_of(one) == one]
    asked = (SITE, groups, CostQuery(period=period, filters=filters, goal=goal, deploys=deploys), decisions)

    found = await node.reports.error_costs.costs(*asked)

    assert found == await node.stored.error_group_oracle.costs(*asked)
    node.expect_no_failure()
