"""Rate limit, monthly limit and idempotency, decided where the hit is stored."""

import asyncio
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.adapters.memory.traffic_log import MemoryTrafficLog
from footfall.adapters.postgres.intake.intake import PostgresIntake
from footfall.application.ports.traffic_log import Submission
from footfall.domain.examples import NOON, a_hit
from footfall.domain.tracking.admission import AdmissionOutcome, PendingHit, RateLimitCharge
from footfall.domain.tracking.hit import HitType
from footfall.domain.tracking.idempotency import IdempotencyKey, name_in_batch
from footfall.domain.tracking.rate_limit import RateLimit, instant
from footfall.entrypoints.composition.background import Background
from tests.background import in_background
from tests.generated import examples
from tests.submissions import one

THREE_A_MINUTE = RateLimit(3, 60)


def at(seconds):
    return NOON + timedelta(seconds=seconds)


def request(seconds, *, key=1, limit=THREE_A_MINUTE):
    moment = at(seconds)
    return Submission(
        pending=(PendingHit(hit=a_hit(received_at=moment)),),
        charge=RateLimitCharge(key, limit, instant(moment)),
    )


def named(name, says=b"a", *, seconds=0, **attributes):
    return one(a_hit(received_at=at(seconds)), idempotency=IdempotencyKey(1, name, says), **attributes)


async def count(log):
    return len(await log.read(after=0, up_to=await log.high_water_mark(), limit=10_000))


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


async def test_the_remaining_requests_are_returned(traffic):
    intake, _ = traffic

    rates = [(await intake.submit(request(seconds))).rate for seconds in (0, 10, 20, 30)]

    assert [(rate.limit, rate.remaining) for rate in rates] == [(3, 2), (3, 1), (3, 0), (3, 0)]
    assert [rate.reset(instant(at(30))) for rate in rates] == [30] * 4


async def test_each_key_has_its_own_window(traffic):
    intake, _ = traffic

    admissions = await asyncio.gather(*(intake.submit(request(0, key=key)) for key in range(1, 30)))

    assert not any(admission.rate_limited for admission in admissions)


async def test_the_same_name_and_body_are_stored_once(traffic):
    intake, log = traffic

    outcomes = [(await intake.submit(named("a"))).outcomes for _ in range(3)]

    assert outcomes == [
        (AdmissionOutcome.STORED,),
        (AdmissionOutcome.REPLAYED,),
        (AdmissionOutcome.REPLAYED,),
    ]
    assert await count(log) == 1


async def test_the_same_name_in_one_batch_is_stored_once(traffic):
    intake, log = traffic

    admissions = await asyncio.gather(*(intake.submit(named("a")) for _ in range(50)))

    assert sorted(admission.outcomes[0] for admission in admissions) == [AdmissionOutcome.REPLAYED] * 49 + [
        AdmissionOutcome.STORED
    ]
    assert await count(log) == 1


async def test_the_same_name_with_another_body_is_refused(traffic):
    intake, _ = traffic
    await intake.submit(named("a", b"one"))

    assert (await intake.submit(named("a", b"two"))).outcomes == (AdmissionOutcome.KEY_REUSED,)


async def test_a_name_is_forgotten_after_a_day(traffic):
    intake, _ = traffic
    await intake.submit(named("a"))

    within = await intake.submit(named("a", seconds=24 * 3600 - 1))
    after = await intake.submit(named("a", b"other", seconds=24 * 3600 + 1))

    assert (within.outcomes, after.outcomes) == ((AdmissionOutcome.REPLAYED,), (AdmissionOutcome.STORED,))


async def test_every_place_of_a_batch_is_a_name_of_its_own(traffic):
    intake, log = traffic
    entries = tuple(
        entry for number in range(500) for entry in named(name_in_batch("!" * 120, number)).pending
    )

    admissions = [await intake.submit(Submission(entries)) for _ in range(2)]
    single = await intake.submit(named("0 " + "!" * 120, b"other"))

    assert [set(one.outcomes) for one in admissions] == [
        {AdmissionOutcome.STORED},
        {AdmissionOutcome.REPLAYED},
    ]
    assert single.outcomes == (AdmissionOutcome.STORED,)
    assert await count(log) == 501


async def test_exactly_so_many_pageviews_of_a_month_are_stored(traffic):
    intake, log = traffic

    admissions = await asyncio.gather(
        *(intake.submit(one(a_hit(visitor_id=number), monthly_limit=10)) for number in range(40))
    )

    assert (
        [admission.outcomes[0] for admission in admissions].count(AdmissionOutcome.STORED)
        == await count(log)
        == 10
    )


async def test_other_hits_do_not_count_and_are_refused_only_while_over(traffic):
    intake, _ = traffic
    click = a_hit(type=HitType.OUTBOUND)

    outcomes = [
        (await intake.submit(one(hit, monthly_limit=1))).outcomes[0]
        for hit in (click, click, a_hit(), click, a_hit())
    ]

    assert outcomes == [
        AdmissionOutcome.STORED,
        AdmissionOutcome.STORED,
        AdmissionOutcome.STORED,
        AdmissionOutcome.OVER_LIMIT,
        AdmissionOutcome.OVER_LIMIT,
    ]


async def test_a_limit_counts_what_was_stored_before_it_was_set(traffic):
    intake, _ = traffic
    for _ in range(3):
        await intake.submit(one(a_hit()))

    outcomes = [(await intake.submit(one(a_hit(), monthly_limit=4))).outcomes[0] for _ in range(2)]

    assert outcomes == [AdmissionOutcome.STORED, AdmissionOutcome.OVER_LIMIT]


async def test_the_count_begins_anew_with_the_month(traffic):
    intake, _ = traffic
    await intake.submit(one(a_hit(), monthly_limit=1))
    april = a_hit(received_at=NOON.replace(month=4, day=1, hour=0), occurred_at=NOON.replace(month=4, day=1))

    assert (await intake.submit(one(april, monthly_limit=1))).outcomes == (AdmissionOutcome.STORED,)


async def test_a_refused_event_releases_its_name(traffic):
    intake, _ = traffic
    await intake.submit(one(a_hit(), monthly_limit=1))

    over = await intake.submit(named("a", monthly_limit=1))
    raised = await intake.submit(named("a", b"other", monthly_limit=2))

    assert (over.outcomes, raised.outcomes) == ((AdmissionOutcome.OVER_LIMIT,), (AdmissionOutcome.STORED,))


async def test_a_request_of_several_events_costs_one_and_each_has_its_outcome(traffic):
    intake, log = traffic
    pending = named("a").pending + named("a").pending + named("a", b"x").pending + one(a_hit()).pending
    submission = Submission(pending=pending, charge=RateLimitCharge(1, THREE_A_MINUTE, instant(NOON)))

    admission = await intake.submit(submission)

    assert admission.outcomes == (
        AdmissionOutcome.STORED,
        AdmissionOutcome.REPLAYED,
        AdmissionOutcome.KEY_REUSED,
        AdmissionOutcome.STORED,
    )
    assert admission.rate.remaining == 2
    assert await count(log) == 2


async def test_a_request_without_events_is_charged(traffic):
    intake, _ = traffic
    empty = Submission(pending=(), charge=RateLimitCharge(1, THREE_A_MINUTE, instant(NOON)))

    rates = [(await intake.submit(empty)).rate.remaining for _ in range(3)]

    assert rates == [2, 1, 0]


async def test_a_request_of_nothing_has_no_outcomes(traffic):
    intake, _ = traffic

    admission = await intake.submit(Submission(pending=()))

    assert admission.outcomes == ()


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
@examples(25)
def test_memory_and_postgres_admit_the_same_events(database_url, history):
    moment, submissions = NOON, []
    for pause, key, name, says, limit, hit_type in history:
        moment += timedelta(seconds=pause * 15)
        hit = a_hit(received_at=moment, type=hit_type, site_id=1 if limit is None else limit)
        idempotency = None if name is None else IdempotencyKey(hit.site_id, name, says)
        charge = None if key is None else RateLimitCharge(key, THREE_A_MINUTE, instant(moment))
        entry = PendingHit(hit=hit, idempotency=idempotency, monthly_limit=limit)
        submissions.append(Submission(pending=(entry,), charge=charge))

    async def decide():
        memory, postgres = MemoryTrafficLog(), PostgresIntake(database_url)
        async with in_background(intake=postgres.run):
            return [(await memory.submit(one), await postgres.submit(one)) for one in submissions]

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
        (lambda _: Submission(pending=(), charge=RateLimitCharge(1, RateLimit(50, 600), instant(NOON))), 50),
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

    admitted = [
        one for one in admissions if not one.rate_limited and one.outcomes in {(), (AdmissionOutcome.STORED,)}
    ]
    assert len(admitted) == stored
