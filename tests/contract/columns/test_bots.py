"""The traffic of bots: rows and columns answer what the functions of the domain say of the same log."""

from datetime import timedelta

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from footfall.adapters.memory.reports.bots import MemoryBots
from footfall.adapters.postgres.intake.outcome_ledger import PostgresOutcomeLedger
from footfall.adapters.postgres.reports.refused_bots import PostgresRefusedBots
from footfall.application.ports.traffic_log import OutcomeKey
from footfall.domain.bot_traffic.bot_traffic import BotLimits
from footfall.domain.bots.refused_bot_counts import RefusedBot
from footfall.domain.exceptions import Invalid
from footfall.domain.tracking.hit import BotVerification
from footfall.domain.traffic.filters import FilterType
from footfall.domain.traffic.report_query import ReportQuery
from tests import conditions, histories
from tests.generated import examples
from tests.histories import SITE, START, hit, record

unhurried = examples(80)
DAY = START.date()
HOSTS = [None, "example.com", "www.example.com", "Ünï.example.com"]
SOURCES = [
    (None, None),
    ("https://chatgpt.com/", None),
    ("https://www.perplexity.ai/search", None),
    (None, "claude"),
]
situations = st.fixed_dictionaries(
    {
        "log": histories.histories(max_size=40),
        "hosts": st.lists(st.sampled_from(HOSTS), min_size=40, max_size=40),
        "channels": st.lists(st.sampled_from(["AI", "Paid AI", "Direct"]), min_size=40, max_size=40),
        "sources": st.lists(st.sampled_from(SOURCES), min_size=40, max_size=40),
        "closed": st.integers(0, 40),
        "seed": st.integers(0, 1000),
    }
)


async def stored_in(node, situation):
    """Store a log of bots and of visits that answers sent."""
    await node.stored.empty()
    told = zip(
        situation["log"], situation["hosts"], situation["channels"], situation["sources"], strict=False
    )
    log = [
        evolve(
            one,
            hit=evolve(one.hit, hostname=host, channel=channel, referrer=referrer, utm_source=utm_source),
        )
        for one, host, channel, (referrer, utm_source) in told
    ]
    await node.store(log, situation["closed"], situation["seed"])
    return MemoryBots(node.stored.log)


@unhurried
@given(
    situation=situations,
    period=histories.periods(),
    filters=st.lists(conditions.filters(), max_size=2),
    most=st.sampled_from([1, 2, 100]),
)
async def test_stored_bots_and_visits_of_answers_are_those_of_the_domain(
    node, situation, period, filters, most
):
    oracle = await stored_in(node, situation)
    bots, oracle = (evolve(one, limits=BotLimits(most, most, most)) for one in (node.reports.bots, oracle))

    assert await bots.stored(SITE, ReportQuery(period, filters)) == await oracle.stored(
        SITE, ReportQuery(period, filters)
    )
    sources = await bots.answer_sources(SITE, ReportQuery(period, filters))
    assert sources == await oracle.answer_sources(SITE, ReportQuery(period, filters))


async def test_odd_texts_are_told_apart(node):
    bots = ["GPTBot", "gptbot", "o'bot", "bot\\", "bÖt", "\u202ebot", "b" * 512]
    log = record(
        *(
            hit(START, bot=bot, visitor_id=number, hostname=f"{bot}.example", pathname=f"/{bot}'\"\n$1")
            for number, bot in enumerate(bots)
        )
    )
    await node.stored.empty()
    await node.store(log, 3, 1)

    period = histories.days("2026-03-28", "2026-03-28")
    found = await node.reports.bots.stored(SITE, ReportQuery(period))

    assert found == await MemoryBots(node.stored.log).stored(SITE, ReportQuery(period))
    assert len(found.counts) == len(found.pages) == len(bots)


REFUSED = st.builds(
    RefusedBot,
    st.sampled_from([SITE, 2]),
    st.sampled_from([DAY + timedelta(days=days) for days in range(4)]),
    st.sampled_from(["GPTBot", "Claude-User", "yacybot", "Ünï", "other"]),
    st.sampled_from([None, *BotVerification]),
    st.sampled_from(
        ["", "example.com/", "example.com/A", "example.com/a", "example.com/Ü", "shop.example.com/"]
    ),
)


# Each chooses some of the bots, of any of their attributes.
CHOSEN = [
    "GPTBot",
    "gpt",
    "Ü",
    "bot",
    "OpenAI",
    "Anthropic",
    "training",
    "other",
    "verified",
    "unverified",
    "",
]
ON_BOTS = st.builds(
    conditions.filter_of,
    st.sampled_from(["bot", "bot_operator", "bot_purpose", "bot_verified"]),
    st.sampled_from(list(FilterType)),
    st.sampled_from(CHOSEN),
)


@unhurried
@given(
    counts=st.dictionaries(REFUSED, st.integers(1, 3), max_size=30),
    first=st.integers(0, 3),
    length=st.integers(0, 3),
    filters=st.lists(ON_BOTS | conditions.exclusions(), max_size=2),
    most=st.sampled_from([1, 2, 100]),
)
async def test_refused_bots_are_those_of_the_domain(node, counts, first, length, filters, most):
    log = await refused_in(node, counts)
    days = (DAY + timedelta(days=first), DAY + timedelta(days=first + length))
    limits = BotLimits(most, most)

    found = await PostgresRefusedBots(node.stored.connections, limits).refused(SITE, *days, filters)

    assert found == await MemoryBots(log, limits).refused(SITE, *days, filters)


async def refused_in(node, counts):
    """Store the counts of refused requests, and return a log that has them."""
    await node.stored.empty()
    async with node.stored.connections.connection() as connection:
        await connection.execute("truncate refused_bot, idempotency")
    key = {(OutcomeKey(SITE, "bot"), START): 1}
    await PostgresOutcomeLedger(node.stored.connections).add(key, counts, source="a", number=1)
    await node.stored.log.add(key, counts, source="b", number=1)
    return node.stored.log


async def test_filters_on_countless_refused_bots_are_refused(node):
    bots = PostgresRefusedBots(node.stored.connections, most_names=2)
    names = ["GPTBot", "Claude-User", "yacybot"]
    await refused_in(node, {RefusedBot(SITE, DAY, name, None, ""): 1 for name in names})

    with pytest.raises(Invalid) as refusal:
        await bots.refused(SITE, DAY, DAY, [conditions.filter_of("bot", "contains", "bot")])

    assert list(refusal.value.field_errors) == ["filters"]
    assert len((await bots.refused(SITE, DAY, DAY)).counts) == 3
