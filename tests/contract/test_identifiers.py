"""Identifiers and salts."""

import asyncio
from datetime import timedelta

import pytest

from footfall.domain.examples import NOON
from footfall.domain.sites.visitor_reach import VisitorReach, span_of

DAY = timedelta(days=1)


async def test_no_identifier_is_handed_out_twice(identifiers):
    handed_out = await asyncio.gather(*(identifiers.next_site() for _ in range(50)))

    assert len(set(handed_out)) == 50
    assert all(number > 0 for number in handed_out)


async def test_each_kind_has_identifiers(identifiers):
    assert isinstance(await identifiers.next_organization(), str)
    assert isinstance(await identifiers.next_user(), str)
    assert isinstance(await identifiers.next_goal(), int)
    assert isinstance(await identifiers.next_funnel(), int)
    assert isinstance(await identifiers.next_api_key(), int)


REACHES = [reach for reach in VisitorReach if reach is not VisitorReach.FOREVER]


@pytest.mark.parametrize("reach", REACHES)
async def test_the_salt_of_a_span_is_the_same_on_every_call(salts, reach):
    given = await asyncio.gather(*(salts.of(span_of(reach, NOON)) for _ in range(10)))

    assert len(set(given)) == 1
    assert len(given[0]) == 32


async def test_each_span_has_a_salt_of_its_own(salts):
    spans = [span_of(reach, NOON + days * DAY) for reach in REACHES for days in (0, 400)]

    assert len({await salts.of(span) for span in spans}) == len(spans)


@pytest.mark.parametrize("reach", REACHES)
async def test_a_destroyed_salt_never_comes_back(salts, reach):
    present = span_of(reach, NOON)
    former = span_of(reach, NOON - 400 * DAY)
    old, kept = await salts.of(former), await salts.of(present)

    await salts.destroy(ended_by=present.ends_at - timedelta(microseconds=1))

    assert await salts.of(former) != old
    assert await salts.of(present) == kept
    await salts.destroy(ended_by=present.ends_at)
    assert await salts.of(present) != kept
