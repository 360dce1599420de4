"""One history arrives in many ways: sessions and all that counts them are the same, whatever their names are."""

import random
from collections import Counter
from datetime import timedelta

import pytest
from attrs import evolve

from footfall.adapters.postgres.projections.read_models import READ_MODELS
from footfall.adapters.postgres.projections.rebuild import Rebuild
from footfall.application.ports.maintenance import RetentionCutoff
from footfall.domain.funnels.steps import FunnelSteps
from footfall.domain.goals.goal import EventRule, GoalQuery, PathRule
from footfall.domain.pagination import Page
from footfall.domain.periods.buckets import BucketSize
from footfall.domain.periods.timezone import parse_zone
from footfall.domain.tracking.hit import DeviceType, HitType
from footfall.domain.traffic.report_query import ReportQuery
from tests.contract.imports.test_import_undo import begun, imported, undone
from tests.contract.test_retention import erase
from tests.generated import at_length
from tests.histories import (
    MESSAGES,
    NAMES,
    PATHS,
    SITE,
    START,
    after,
    arrived_otherwise,
    days,
    error,
    hit,
    record,
)
from tests.stores.stored import catch_up

RULES = (PathRule("/blog*"), PathRule("/thanks"), EventRule("signup"))
STEPS = FunnelSteps((PathRule("/*"), PathRule("/blog*")))
EVERYTHING = days("2026-03-25", "2026-04-05")
A_DAY = days("2026-03-29", "2026-03-29")
# Midnights of the run of the first visitor, and of others.
CUTOFF = after(hours=28)
PAUSES = [
    timedelta(minutes=29),
    timedelta(minutes=29),
    timedelta(minutes=30),
    timedelta(minutes=7),
    timedelta(),
]
PAUSES_OF_OTHERS = [*PAUSES, timedelta(minutes=31), timedelta(hours=3), timedelta(hours=11)]


def of_visitor(chance, visitor_id, pauses, number):
    """Return the hits of a visitor in the order of their times."""
    at = START + timedelta(minutes=chance.randrange(200))
    found = []
    for _ in range(number):
        at += chance.choice(pauses)
        known = {
            "visitor_id": visitor_id,
            "pathname": chance.choice(PATHS),
            "country": chance.choice([None, "DE", "NP"]),
            "user_id": chance.choice([None, None, "anna"]),
            "signed_visitor_id": 5 if len(found) % 3 else None,
            "device_type": chance.choice([DeviceType.DESKTOP, DeviceType.MOBILE]),
        }
        if chance.random() < 0.2:
            found.append(error(chance.choice(MESSAGES), at, chance.choice(NAMES), **known))
        else:
            kind = chance.choice([HitType.PAGEVIEW, HitType.PAGEVIEW, HitType.CUSTOM_EVENT, HitType.OUTBOUND])
            found.append(hit(at, kind, event_name=chance.choice(NAMES), **known))
    return found


def history(first_visitor=1):
    """Return the hits of some visitors, the first of which have runs of days, by time."""
    chance = random.Random(7)
    found = [
        one
        for place, (pauses, number) in enumerate([(PAUSES, 150), (PAUSES, 60), *[(PAUSES_OF_OTHERS, 12)] * 4])
        for one in of_visitor(chance, first_visitor + place, pauses, number)
    ]
    return sorted(found, key=lambda one: one.occurred_at)


# What comes before retention, between it and the import that is taken back, and after that.
STAGES = [history()[place::3] for place in range(3)]
SOURCE = history(first_visitor=1_001)[::4]


async def lived_through(stored, stages, source, sizes):
    """Store the stages in slices of some sizes, with retention, an import and its undoing at the same points."""
    await stored.empty()
    goals = [(await stored.define(rule))[1] for rule in RULES]
    position = 0

    async def append(hits):
        nonlocal position
        left = list(hits)
        while left:
            size = sizes[len(left) % len(sizes)]
            piece, left = left[:size], left[size:]
            position = await last_position(stored)
            await stored.append(record(*piece, first=position + 1))
            await projected(stored, size)
        # The fresh rows of reports follow the stages.
        await stored.traffic.overview(SITE, ReportQuery(A_DAY))

    await append(stages[0])
    await erase(stored, RetentionCutoff(SITE, CUTOFF), limit=50)
    await append(stages[1])
    import_ = await imported(stored, await begun(stored), source)
    await projected(stored, sizes[0])
    await append(stages[2])
    await undone(stored, import_)
    return goals


async def projected(stored, size):
    projector = stored.new_projector(size=max(size // 2, 1))
    while await projector.catch_up():
        pass
    await projector.close()
    await catch_up(stored.projector)


async def last_position(stored):
    async with stored.connections.connection() as connection:
        # The last ones may have been erased.
        cursor = await connection.execute("select last_value as last from hit_position")
        [row] = await cursor.fetchall()
    return row["last"]


def unnamed(read_models):
    """Return the rows of the read models with sessions and messages for their names."""
    sessions = {
        (row["site_id"], row["session_id"]): (row["visitor_id"], row["started_at"])
        for row in read_models["session"]
    }
    messages = {row["message_id"]: row["message"] for row in read_models["error_message"]}

    def of(row):
        named = {key: value for key, value in row.items() if key != "position"}
        if "session_id" in row:
            named["session_id"] = sessions[row["site_id"], row["session_id"]]
        if "message_id" in row:
            named["message_id"] = messages[row["message_id"]]
        return repr(named)

    return {table: Counter(map(of, rows)) for table, rows in read_models.items()}


async def reports(stored, goals):
    """Return what some reports say that names no session."""
    found = []
    for period in (EVERYTHING, A_DAY):
        found += [
            await stored.traffic.overview(SITE, ReportQuery(period)),
            await stored.traffic.timeseries(SITE, ReportQuery(period), BucketSize.HOUR, parse_zone("UTC")),
            await stored.reports.breakdowns.pages(SITE, ReportQuery(period), Page(1, 50)),
            await stored.reports.breakdowns.break_down(
                SITE, "country", ReportQuery(period), Page(1, 50), visitors=True
            ),
            await stored.goals.count_conversions(SITE, goals, ReportQuery(period)),
            await stored.goals.count_conversions(SITE, [GoalQuery(PathRule("/*"))], ReportQuery(period)),
            await stored.reports.funnels.progress(SITE, STEPS, ReportQuery(period)),
            await stored.reports.error_names.summarize(SITE, ReportQuery(period), Page(1, 50)),
        ]
    return found


async def test_numbers_do_not_depend_on_the_order_of_arrival(stored):
    goals = await lived_through(stored, STAGES, SOURCE, [40])
    expected = unnamed(await stored.read_models()), await reports(stored, goals)
    assert len(expected[0]["session"]) > 15

    for seed in range(at_length(slow=2, thorough=50)):
        chance = random.Random(seed)
        stages = [[one.hit for one in arrived_otherwise(record(*hits), chance)] for hits in STAGES]
        source = [one.hit for one in arrived_otherwise(record(*SOURCE), chance)]
        goals = await lived_through(stored, stages, source, [chance.randrange(5, 60) for _ in range(3)])

        found = unnamed(await stored.read_models())
        assert {table: found[table] - expected[0][table] for table in found} == {
            table: Counter() for table in found
        }, seed
        assert found == expected[0]
        assert await reports(stored, goals) == expected[1]


@pytest.mark.parametrize("seed", [None, 3])
async def test_a_replay_of_what_is_left_gives_the_same(stored, seed):
    chance = random.Random(seed)
    stages = STAGES
    if seed is not None:
        stages = [[one.hit for one in arrived_otherwise(record(*hits), chance)] for hits in STAGES]
    await lived_through(stored, stages, SOURCE, [17, 50])

    # After the first hits two projectors share the visitors.
    async with Rebuild.begun(
        stored.url, lambda schema: stored.new_projector(schema=schema, size=9)
    ) as rebuilt:
        await rebuilt.replay(lambda *_: None)
        differences = await rebuilt.differences()

    assert differences == dict.fromkeys(READ_MODELS, 0)


def test_the_history_has_what_the_ways_are_about():
    of_first = [one for one in history() if one.visitor_id == 1]

    assert of_first[-1].occurred_at - of_first[0].occurred_at > timedelta(days=2)
    assert {evolve(one, pathname="/").type for one in history()} >= {HitType.ERROR, HitType.CUSTOM_EVENT}
