"""Revenue by source: columns answer what the function of the domain says of the same log."""

from decimal import Decimal

from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from footfall.adapters.memory.reports.reports import MemoryReports
from footfall.domain.goals.goal import EventRule, GoalQuery
from footfall.domain.pagination import Page
from footfall.domain.revenue.revenue import DIMENSIONS, Model, RevenuePlan
from footfall.domain.tracking.hit import HitType
from tests import conditions, histories
from tests.conditions import EVERY_RULE
from tests.generated import examples
from tests.histories import NAMES, SITE, after, event, hit, record

AMOUNTS = [0, 0.1, "0.20", 19.99, "-5", "1e2", 123456789012345678, "1234567890123456789", "x", None, True]
SOURCES = [
    ("Direct", None),
    (None, None),
    ("Email", "spring"),
    ("Paid Search", "spring"),
    ("Direct", "autumn"),
]
situations = st.fixed_dictionaries(
    {
        "log": histories.histories(max_size=60),
        "closed": st.integers(0, 60),
        "seed": st.integers(0, 1000),
        "amounts": st.lists(st.sampled_from(AMOUNTS), min_size=60, max_size=60),
        "sources": st.lists(st.sampled_from(SOURCES), min_size=60, max_size=60),
    }
)
plans = st.builds(
    RevenuePlan,
    st.one_of(st.builds(EventRule, st.sampled_from(NAMES)), EVERY_RULE).map(GoalQuery),
    st.sampled_from(["amount", "amount", "plan", None]),
    histories.periods(),
    st.sampled_from(DIMENSIONS),
    st.lists(st.sampled_from(Model), min_size=1, max_size=2).map(tuple),
    st.sampled_from([1, 2, 30, 90]),
    st.none() | st.sampled_from([(), ("Direct",), ("", "Email", "spring", "nothing")]),
)


def sold(situation):
    """Return a log whose events have amounts, and whose visits have sources."""
    told = zip(situation["log"], situation["amounts"], situation["sources"], strict=False)
    for one, amount, (channel, campaign) in told:
        known = {"channel": channel, "utm_campaign": campaign}
        if one.hit.type is HitType.CUSTOM_EVENT:
            known["properties"] = (one.hit.properties or {}) | {"amount": amount}
        yield evolve(one, hit=evolve(one.hit, **known))


@examples(120)
@given(
    situation=situations,
    plan=plans,
    page=st.builds(Page, st.integers(1, 2), st.sampled_from([1, 3, 50])),
    filters=st.lists(conditions.any_filters(), max_size=1),
)
async def test_money_is_given_to_the_visits_of_the_domain(node, situation, plan, page, filters):
    await node.stored.empty()
    await node.store(list(sold(situation)), situation["closed"], situation["seed"])

    expected = await MemoryReports(node.stored.log).by_source(SITE, plan, page, filters)
    found = await node.reports.revenue.by_source(SITE, plan, page, filters)

    assert found == expected
    node.expect_no_failure()


async def test_each_model_adds_up_to_the_same_total_to_the_last_digit(node):
    amounts = ["999999999999999999.999999999", "0.000000001", -0.1, "19.99"]
    log = record(
        hit(channel="Email"),
        *(
            event("order", after(days=number), properties={"amount": amount}, channel="Direct")
            for number, amount in enumerate(amounts, start=1)
        ),
    )
    plan = RevenuePlan(
        GoalQuery(EventRule("order")),
        "amount",
        histories.days("2026-03-28", "2026-04-30"),
        "channel",
        tuple(Model),
        2,
    )
    await node.stored.empty()
    await node.store(log, 3, 1)

    found = await node.reports.revenue.by_source(SITE, plan, Page(1, 50))

    assert found == await MemoryReports(node.stored.log).by_source(SITE, plan, Page(1, 50))
    assert found.total.sum == sum(map(Decimal, map(str, amounts)))
    assert {sum(row.sums[number].sum for row in found.rows) for number in range(3)} == {found.total.sum}
