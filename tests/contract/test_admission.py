"""Rate limit, monthly limit and idempotency, decided where the hit is stored."""

import asyncio
from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from footfall.adapters.memory.traffic_log import MemoryTrafficLog
from footfall.adapters.postgres.intake import PostgresIntake
from footfall.application.ports import Submission
from footfall.domain.admission import Charge, Entry, Fate, IdempotencyKey
from footfall.domain.examples import NOON, a_hit
from footfall.domain.hit import HitType
from footfall.domain.rate_limit import RateLimit, instant
from footfall.entrypoints.background import Background
from tests.submissions import one

THREE_A_MINUTE = RateLimit(3, 60)


def at(seconds):
    return NOON + timedelta(seconds=seconds)


def request(seconds, *, key=1, limit=THREE_A_MINUTE):
    moment = at(seconds)
    return Submission(
        entries=(Entry(hit=a_hit(received_at=moment)),), charge=Charge(key, limit, instant(moment))
    )


def named(name, says=b"a", *, seconds=0, **attributes):
    return one(a_hit(received_at=at(seconds)), idempotency=IdempotencyKey(1, name, says), **attributes)


async def count(log):
    return len(await log.read(after=0, up_to=await log.horizon(), limit=10_000))


async def test_a_key_is_admitted_so_often_in_any_window(traffic):
    intake, log = traffic

    admissions = [await intake.submit(request(seconds)) for seconds in (0, 10, 20, 30, 59.9, 60, 65, 70)]

    assert [admission.rate_limited for admission in admissions] == [False] * 3 + [True] * 2 + [
        False,
        True,
        False,
    ]
    assert await count(log) == 5


async def test_a_refused_request_does_not_count(traffic):
    intake, _ = traffic
    for seconds in (0, 0, 0, *([1] * 20)):
        await intake.submit(request(seconds))

    again = [await intake.submit(request(60)) for _ in range(4)]

    assert [admission.rate_limited for admission in again] == [False, False, False, True]


async def test_what_is_left_is_told(traffic):
    intake, _ = traffic

    rates = [(await intake.submit(request(seconds))).rate for seconds in (0, 10, 20, 30)]

    assert [(rate.limit, rate.remaining) for rate in rates] == [(3, 2), (3, 1), (3, 0), (3, 0)]
    assert [rate.reset(instant(at(30))) for rate in rates] == [30] * 4


async def test_keys_do_not_share_a_window(traffic):
    intake, _ = traffic

    admissions = await asyncio.gather(*(intake.submit(request(0, key=key)) for key in range(1, 30)))

    assert not any(admission.rate_limited for admission in admissions)


async def test_the_same_name_and_body_are_stored_once(traffic):
    intake, log = traffic

    fates = [(await intake.submit(named("a"))).fates for _ in range(3)]

    assert fates == [(Fate.STORED,), (Fate.REPLAYED,), (Fate.REPLAYED,)]
    assert await count(log) == 1


async def test_the_same_name_in_one_batch_is_stored_once(traffic):
    intake, log = traffic

    admissions = await asyncio.gather(*(intake.submit(named("a")) for _ in range(50)))

    assert sorted(admission.fates[0] for admission in admissions) == [Fate.REPLAYED] * 49 + [Fate.STORED]
    assert await count(log) == 1


async def test_the_same_name_with_another_body_is_refused(traffic):
    intake, _ = traffic
    await intake.submit(named("a", b"one"))

    assert (await intake.submit(named("a", b"two"))).fates == (Fate.KEY_REUSED,)


async def test_a_name_is_forgotten_after_a_day(traffic):
    intake, _ = traffic
    await intake.submit(named("a"))

    within = await intake.submit(named("a", seconds=24 * 3600 - 1))
    after = await intake.submit(named("a", b"other", seconds=24 * 3600 + 1))

    assert (within.fates, after.fates) == ((Fate.REPLAYED,), (Fate.STORED,))


async def test_exactly_so_many_pageviews_of_a_month_are_stored(traffic):
    intake, log = traffic

    admissions = await asyncio.gather(
        *(intake.submit(one(a_hit(visitor_id=number), monthly_limit=10)) for number in range(40))
    )

    assert [admission.fates[0] for admission in admissions].count(Fate.STORED) == await count(log) == 10


async def test_other_hits_do_not_count_and_are_refused_only_while_over(traffic):
    intake, _ = traffic
    click = a_hit(type=HitType.OUTBOUND)

    fates = [
        (await intake.submit(one(hit, monthly_limit=1))).fates[0]
        for hit in (click, click, a_hit(), click, a_hit())
    ]

    assert fates == [Fate.STORED, Fate.STORED, Fate.STORED, Fate.OVER_LIMIT, Fate.OVER_LIMIT]


async def test_a_limit_counts_what_was_stored_before_it_was_set(traffic):
    intake, _ = traffic
    for _ in range(3):
        await intake.submit(one(a_hit()))

    fates = [(await intake.submit(one(a_hit(), monthly_limit=4))).fates[0] for _ in range(2)]

    assert fates == [Fate.STORED, Fate.OVER_LIMIT]


async def test_the_count_begins_anew_with_the_month(traffic):
    intake, _ = traffic
    await intake.submit(one(a_hit(), monthly_limit=1))
    april = a_hit(received_at=NOON.replace(month=4, day=1, hour=0), occurred_at=NOON.replace(month=4, day=1))

    assert (await intake.submit(one(april, monthly_limit=1))).fates == (Fate.STORED,)


async def test_a_refused_event_gives_its_name_back(traffic):
    intake, _ = traffic
    await intake.submit(one(a_hit(), monthly_limit=1))

    over = await intake.submit(named("a", monthly_limit=1))
    raised = await intake.submit(named("a", b"other", monthly_limit=2))

    assert (over.fates, raised.fates) == ((Fate.OVER_LIMIT,), (Fate.STORED,))


async def test_a_request_of_several_events_costs_one_and_each_has_its_fate(traffic):
    intake, log = traffic
    entries = named("a").entries + named("a").entries + named("a", b"x").entries + one(a_hit()).entries
    submission = Submission(entries=entries, charge=Charge(1, THREE_A_MINUTE, instant(NOON)))

    admission = await intake.submit(submission)

    assert admission.fates == (Fate.STORED, Fate.REPLAYED, Fate.KEY_REUSED, Fate.STORED)
    assert admission.rate.remaining == 2
    assert await count(log) == 2


async def test_a_request_without_events_is_charged(traffic):
    intake, _ = traffic
    empty = Submission(entries=(), charge=Charge(1, THREE_A_MINUTE, instant(NOON)))

    rates = [(await intake.submit(empty)).rate.remaining for _ in range(3)]

    assert rates == [2, 1, 0]


async def test_a_request_of_nothing_has_no_fates(traffic):
    intake, _ = traffic

    admission = await intake.submit(Submission(entries=()))

    assert admission.fates == ()


steps = st.lists(
    st.tuples(
        st.integers(0, 3),
        st.sampled_from([None, 1, 2]),
        st.sampled_from([None, "a", "b"]),
        st.sampled_from([b"x", b"y"]),
        st.sampled_from([None, 2, 5]),
        st.sampled_from([HitType.PAGEVIEW, HitType.OUTBOUND]),
    ),
    max_size=25,
)


@given(history=steps)
@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_memory_and_postgres_decide_alike(database_url, history):
    moment, submissions = NOON, []
    for pause, key, name, says, limit, hit_type in history:
        moment += timedelta(seconds=pause * 15)
        hit = a_hit(received_at=moment, type=hit_type, site_id=1 if limit is None else limit)
        idempotency = None if name is None else IdempotencyKey(hit.site_id, name, says)
        charge = None if key is None else Charge(key, THREE_A_MINUTE, instant(moment))
        entry = Entry(hit=hit, idempotency=idempotency, monthly_limit=limit)
        submissions.append(Submission(entries=(entry,), charge=charge))

    async def decide():
        memory, postgres = MemoryTrafficLog(), PostgresIntake(database_url)
        background = Background({"intake": postgres.run})
        background.start()
        decided = [(await memory.submit(one), await postgres.submit(one)) for one in submissions]
        await background.stop()
        return decided

    clear(database_url)
    decided = asyncio.run(decide())

    assert [memory for memory, _ in decided] == [postgres for _, postgres in decided]


def clear(url):
    import psycopg  # noqa: PLC0415 - this test alone reaches below the adapter

    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("truncate rate_window, idempotency, pageview_quota")
        with connection.transaction():
            connection.execute("set local footfall.erasing = 'on'")
            connection.execute("delete from hit")


@pytest.fixture
def two_intakes(database_url):
    return [PostgresIntake(database_url) for _ in range(2)]


@pytest.mark.parametrize(
    ("decides", "stored"),
    [
        (lambda _: Submission(entries=(), charge=Charge(1, RateLimit(50, 600), instant(NOON))), 50),
        (lambda number: one(a_hit(visitor_id=number), monthly_limit=40), 40),
        (lambda number: named(f"name-{number % 150}"), 150),
    ],
    ids=["rate limit", "monthly limit", "idempotency"],
)
async def test_two_workers_keep_every_limit_exactly(two_intakes, decides, stored):
    background = Background({str(number): intake.run for number, intake in enumerate(two_intakes)})
    background.start()

    admissions = await asyncio.gather(
        *(two_intakes[number // 150].submit(decides(number)) for number in range(300))
    )
    await background.stop()

    admitted = [one for one in admissions if not one.rate_limited and one.fates in {(), (Fate.STORED,)}]
    assert len(admitted) == stored
