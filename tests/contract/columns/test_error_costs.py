"""What errors cost by columns: what files and rows answer together is what the functions of the domain say."""

from hypothesis import given
from hypothesis import strategies as st

from footfall.application.ports.errors.error_groups import CostQuery
from footfall.domain.error_tracking.decisions import ErrorDecisions
from footfall.domain.error_tracking.fingerprint import fingerprint
from footfall.domain.error_tracking.occurrence import ErrorDetails
from tests import histories
from tests.generated import examples
from tests.histories import MESSAGES, NAMES, RULES, SITE

GROUPS = sorted({fingerprint(name, ErrorDetails(message=message)) for name in NAMES for message in MESSAGES})


@examples(80)
@given(
    log=histories.histories(max_size=60),
    rule=RULES,
    period=histories.periods().filter(lambda period: period.length.days >= 1),
    filters=st.lists(histories.filters(), max_size=1),
    deploys=st.lists(st.sampled_from(histories.STEPS), max_size=2, unique=True),
    closed=st.integers(0, 60),
    seed=st.integers(0, 1000),
)
async def test_costs_of_errors_are_those_of_the_domain(
    node, log, rule, period, filters, deploys, closed, seed
):
    await node.stored.empty()
    _, goal = await node.stored.define(rule)
    await node.store(log, closed, seed)
    marks = sorted(histories.START + step for step in deploys)
    asked = (SITE, GROUPS, CostQuery(goal, period, filters, marks), ErrorDecisions())

    found = await node.error_groups.costs(*asked)

    assert found == await node.stored.error_group_oracle.costs(*asked)
    node.expect_no_failure()
