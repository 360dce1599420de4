"""Properties of events: rows and columns answer what the functions of the domain say of the same log."""

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from footfall.adapters.memory.reports.breakdowns import MemoryBreakdowns
from footfall.adapters.memory.reports.properties import MemoryProperties
from footfall.domain.goals.goal import EventRule
from footfall.domain.pagination import Page
from footfall.domain.periods.buckets import BucketSize
from footfall.domain.periods.period import Period
from footfall.domain.periods.timezone import parse_zone
from footfall.domain.row_choice import RowChoice
from footfall.domain.tracking.hit import HitType
from footfall.domain.traffic.breakdown import DIMENSIONS, OUTBOUND
from footfall.domain.traffic.dimensions import FAMILIES, PROPERTY_OF_EVENTS
from footfall.domain.traffic.report_query import ReportQuery
from tests import conditions, histories
from tests.generated import examples
from tests.histories import KEYED, SITE, START, after, event, record
from tests.zones import ZONES

unhurried = examples(80)
VALUES = [
    *(0, -7, 12, 12.0, "12", "1.20e1", 19.99, "0.0000000005", -0.0000000005, 1e300, 10**18, 10**18 - 1),
    *(
        -(10**18) + 1,
        999999999999999999.5,
        "999999999999999999.9999999999",
        5e-324,
        True,
        "true",
        None,
        [1],
        {},
    ),
    *("", "Ünï", "'\"\\\n", "a" * 300, "1e999"),
    # Beyond whole doubles, at the end of doubles, and without a sign: one value each.
    *(2**53 + 1, 2**53, 1e308, -1.7976931348623157e308, -0.0, 0.0, "-0", 2**63, -(2**63)),
    # Many digits on both sides of the point: the sum of a few has more than 28.
    *("999999999999999999.123456789", "999999999999999998.987654321"),
    *("\u202eright to left\u202c", "שלם", "$1 %s {key} \\x00", "x" * 65_536),
]
KEYS = ["plan", "amount", "", "ö\n", "a" * 90, "'\"$1%s{}.\\", "\u202eשלם", "k" * 65_536]
PROPERTIES = st.none() | st.dictionaries(st.sampled_from(KEYS), st.sampled_from(VALUES), max_size=4)
EVENTS = st.sampled_from(
    [
        EventRule("signup"),
        EventRule("order"),
        EventRule("signup", "plan", 12),
        EventRule("signup", "plan", True),  # noqa: FBT003 - the value
    ]
)
situations = st.fixed_dictionaries(
    {
        "log": histories.histories(max_size=40),
        "properties": st.lists(PROPERTIES, min_size=40, max_size=40),
        "closed": st.integers(0, 40),
        "seed": st.integers(0, 1000),
    }
)
filters = st.lists(conditions.filters(), max_size=1)
pages = st.builds(Page, st.integers(1, 3), st.integers(1, 5))


@unhurried
@given(
    situation=situations,
    event=EVENTS,
    key=st.sampled_from(KEYS),
    period=histories.periods(),
    page=pages,
    filters=filters,
    containing=st.sampled_from(
        ["", "A", "1", "12", "TRUE", "ünï", "ö\n", "x" * 256, "'\"\\", "%", "nothing such"]
    ),
)
async def test_properties_and_their_values_are_those_of_the_domain(
    node, situation, event, key, period, page, filters, containing
):
    oracle = await _stored(node, situation)
    choice = RowChoice(containing)

    async def asked(reports):
        return (
            await reports.properties(SITE, event, ReportQuery(period, filters), page, choice=choice),
            await reports.values(SITE, event, key, ReportQuery(period, filters), page, choice=choice),
        )

    expected = await asked(oracle)
    assert await asked(node.properties) == expected
    node.expect_no_failure()


@unhurried
@given(
    situation=situations,
    family=st.sampled_from([*FAMILIES.values(), PROPERTY_OF_EVENTS]),
    period=histories.periods(),
    page=pages,
    filters=filters,
    containing=st.sampled_from(["", "A", "ref", "ö\n", "'\"\\", "%", "nothing such"]),
)
async def test_keys_of_families_are_those_of_the_domain(
    node, situation, family, period, page, filters, containing
):
    oracle = await _stored(node, situation)
    asked, choice = (SITE, family, ReportQuery(period, filters), page), RowChoice(containing)

    found = await node.properties.keys(*asked, choice=choice)

    assert found == await oracle.keys(*asked, choice=choice)
    node.expect_no_failure()


@unhurried
@given(
    situation=situations,
    event=EVENTS,
    period=histories.periods().filter(lambda period: period.length.days < 70),
    size=st.sampled_from([BucketSize.HOUR, BucketSize.DAY, BucketSize.MONTH]),
    zone=st.sampled_from(ZONES).map(parse_zone),
    filters=filters,
)
async def test_numbers_over_time_are_those_of_the_domain(node, situation, event, period, size, zone, filters):
    oracle = await _stored(node, situation)
    asked = (SITE, event, "amount", ReportQuery(period, filters), size, zone)
    expected = await oracle.series(*asked)

    assert await node.properties.series(*asked) == expected
    node.expect_no_failure()


@unhurried
@given(
    situation=situations,
    event=EVENTS,
    keys=st.lists(st.sampled_from(KEYS), max_size=3, unique=True),
    by=st.sampled_from([*DIMENSIONS, OUTBOUND, *KEYED]),
    period=histories.periods(),
    filters=filters,
    few=st.booleans(),
)
async def test_numbers_and_their_sums_by_values_are_those_of_the_domain(
    node, situation, event, keys, by, period, filters, few
):
    of_properties = await _stored(node, situation)
    oracle = MemoryBreakdowns(node.stored.log)
    rows = (await oracle.break_down(SITE, by, ReportQuery(period, filters), Page(1, 1000))).rows
    among = ["never", *(row.value for row in rows)][: 2 if few else None]
    asked = (SITE, event, keys, by, among, ReportQuery(period, filters))
    expected = (
        await oracle.sums(*asked),
        await of_properties.numbers(SITE, event, keys, ReportQuery(period, filters)),
    )

    assert await node.breakdowns.sums(*asked) == expected[0]
    assert await node.properties.numbers(SITE, event, keys, ReportQuery(period, filters)) == expected[1]
    node.expect_no_failure()


@pytest.mark.parametrize(
    ("containing", "chosen", "first"),
    [
        ("", 1006, "Plan 0"),
        ("PLAN 1003", 1, "Plan 1003"),
        ("9.9", 1, "19.9"),
        ("%", 0, None),
        ("plan", 1004, "Plan 0"),
    ],
)
async def test_values_are_searched_also_beyond_those_that_are_named(node, containing, chosen, first):
    values = ["Plan 0", *(f"Plan {number:04}" for number in range(1, 1004)), 19.9, None]
    log = record(
        *(event("order", after(seconds=number // 40), visitor_id=number) for number in range(len(values) + 1))
    )
    properties = [{"plan": "Plan 0"}, *({"plan": value, f"key {value}": 1} for value in values)]
    situation = {"log": log, "properties": properties, "closed": 500, "seed": 1}
    oracle = await _stored(node, situation)
    choice, whole = RowChoice(containing), Period(START, after(days=1))

    async def asked(reports, page):
        return (
            await reports.values(SITE, EventRule("order"), "plan", ReportQuery(whole), page, choice=choice),
            await reports.properties(SITE, EventRule("order"), ReportQuery(whole), page, choice=choice),
        )

    for page in (Page(1, 3), Page(500, 2), Page(501, 2)):
        expected = await asked(oracle, page)
        assert await asked(node.properties, page) == expected
    found, keys = await asked(node.properties, Page(1, 1))
    assert set(node.metrics.reports) == {""}
    assert (found.chosen, found.distinct, found.count, found.other) == (chosen, 1006, 1007, 6)
    assert [one.value for one in found.values] == [first] * bool(chosen)
    assert keys.total == (1007 if not containing else chosen + (containing == "plan"))


async def _stored(node, situation):
    """Store a log whose custom events have some properties."""
    await node.stored.empty()
    paired = zip(situation["log"], situation["properties"], strict=False)
    log = [
        evolve(one, hit=evolve(one.hit, type=HitType.CUSTOM_EVENT, properties=properties))
        if one.hit.type is not HitType.ERROR
        else one
        for one, properties in paired
    ]
    await node.store(log, situation["closed"], situation["seed"])
    return MemoryProperties(node.stored.log)
