"""The traffic log and the way into it."""

import asyncio
import json
from datetime import UTC, datetime
from decimal import Decimal

import pytest

from footfall.application.ports.journal import StoreUnavailable
from footfall.domain.examples import a_full_hit, a_hit
from tests.submissions import one


async def test_an_empty_log_has_no_horizon(traffic):
    _, log = traffic

    assert await log.high_water_mark() == 0
    assert await log.read(after=0, up_to=0, limit=10) == []


async def test_a_hit_comes_back_as_it_was_submitted(traffic):
    intake, log = traffic
    hits = [a_full_hit(), a_hit(), a_full_hit(type="error")]

    for hit in hits:
        await intake.submit(one(hit))

    assert [
        recorded.hit for recorded in await log.read(after=0, up_to=await log.high_water_mark(), limit=10)
    ] == hits


AWKWARD = [
    "null",
    '"',
    '""',
    "\\",
    '\\"',
    "\\n",
    "\\.",
    "a\n\\.\nb",
    ",",
    "a\r\nb",
    "\x01\x1f\x7f",
    "\b\f\t",
    "[]",
    " ",
    "„“",
]


@pytest.mark.parametrize("text", AWKWARD)
async def test_a_text_comes_back_however_awkward_it_is_to_write_down(traffic, text):
    intake, log = traffic
    hit = a_hit(page_title=text, event_name=text, properties={text: [text]})

    await intake.submit(one(hit))

    assert [recorded.hit for recorded in await log.read(after=0, up_to=1, limit=10)] == [hit]


NUMBERS = [
    2**53 + 1,
    2**63,
    2**64,
    -(2**63) - 1,
    10**30 + 1,
    int("1" * 309),
    1e308,
    -1e308,
    5e-324,
    0.1,
    -0.0,
]


@pytest.mark.parametrize("number", NUMBERS)
async def test_a_number_comes_back_however_large_it_is(traffic, number):
    intake, log = traffic
    hit = a_hit(properties={"a": number, "b": [{"c": number}]})

    await intake.submit(one(hit))

    recorded = await log.read(after=0, up_to=1, limit=10)
    # What a double says in an exponent comes back as the whole number that it stands for.
    assert json.loads(json.dumps(recorded[0].hit.properties), parse_int=Decimal, parse_float=Decimal) == {
        "a": Decimal(repr(number)),
        "b": [{"c": Decimal(repr(number))}],
    }


async def test_hits_of_every_month_have_a_place(traffic):
    intake, log = traffic
    months = [datetime(2025, month, 28, 23, 59, 59, 999999, tzinfo=UTC) for month in range(1, 13)]

    # A busy cluster of Citus makes a few tables within the time of a batch.
    for first in range(0, len(months), 3):
        quarter = months[first : first + 3]
        await asyncio.gather(*(intake.submit(one(a_hit(occurred_at=month))) for month in quarter))

    recorded = await log.read(after=0, up_to=await log.high_water_mark(), limit=100)
    assert sorted(one.hit.occurred_at for one in recorded) == months


async def test_many_at_once_are_stored_once_each(traffic):
    intake, log = traffic

    await asyncio.gather(*(intake.submit(one(a_hit(visitor_id=number))) for number in range(3_000)))

    recorded = await log.read(after=0, up_to=await log.high_water_mark(), limit=10_000)
    assert sorted(one.hit.visitor_id for one in recorded) == list(range(3_000))
    assert [one.position for one in recorded] == sorted({one.position for one in recorded})


async def test_reading_goes_in_slices(traffic):
    intake, log = traffic
    for number in range(5):
        await intake.submit(one(a_hit(visitor_id=number)))
    high_water_mark = await log.high_water_mark()

    first = await log.read(after=0, up_to=high_water_mark, limit=2)
    second = await log.read(after=first[-1].position, up_to=high_water_mark, limit=10)

    assert [one.hit.visitor_id for one in first + second] == list(range(5))


async def test_no_hit_is_accepted_after_draining(traffic):
    intake, log = traffic
    submitted = [asyncio.create_task(intake.submit(one(a_hit()))) for _ in range(100)]
    await asyncio.sleep(0)

    await intake.drain()

    assert all(task.done() for task in submitted)
    with pytest.raises(StoreUnavailable):
        await intake.submit(one(a_hit()))
    assert len(await log.read(after=0, up_to=await log.high_water_mark(), limit=1_000)) == 100
