"""Stores whose sessions an earlier version formed in the order of the log."""

import asyncio
from datetime import timedelta

import pytest

from footfall.adapters.postgres.projections.read_models import READ_MODELS
from footfall.adapters.postgres.projections.renewal import Renewal
from footfall.application.ports.journal import StoreUnavailable
from footfall.application.ports.reports.askers import Asker, AskerKind
from footfall.application.ports.reports.snapshots import PastQuestion
from footfall.domain.citations.positions import Positions
from footfall.domain.traffic.report_query import ReportQuery
from footfall.entrypoints.composition.projectors import rebuilding
from tests.histories import SITE, START, after, days, hit, record
from tests.stores.stored import catch_up

EVERYTHING = days("2026-03-01", "2026-04-30")
MEMBER = Asker("1", AskerKind.MEMBER)
# The third hit, which lies between the others, joined the latest session, and both sessions stayed.
FORMER = """
    update session set started_at = '2026-03-28T20:25Z', pageviews = 2 where session_id = 2;
    update traffic_bucket set pageviews = 1, sessions = 1, viewed = 1, seconds = 1500
    where bucket = '2026-03-28T20:15Z';
    update projection_checkpoint set position = 3, sessions = 1
"""


@pytest.fixture
async def stored(stored):
    await stored.append(record(hit(after(minutes=0)), hit(after(minutes=50))))
    await catch_up(stored.projector)
    await stored.append(record(hit(after(minutes=25)), first=3))
    async with stored.connections.connection() as connection:
        await connection.execute(FORMER)
    return stored


def renewal(stored):
    async def rebuild():
        async with rebuilding(stored.url) as rebuilt:
            await rebuilt.replay(lambda *_: None)
            await rebuilt.exchange()

    return Renewal(stored.connections, rebuild)


async def overview(stored):
    """Return the figures of everything, and the definition of the sessions that they count."""
    async with stored.snapshots().present(SITE, EVERYTHING, MEMBER) as snapshot:
        found = await snapshot.reports.traffic.overview(SITE, ReportQuery(EVERYTHING))
        return found.sessions, found.pageviews, snapshot.sessions


async def test_former_sessions_answer_and_say_so_until_they_are_renewed(stored):
    before = await overview(stored)
    job = asyncio.create_task(renewal(stored).run())

    async with asyncio.timeout(60):
        while await renewal(stored).is_due():
            await asyncio.sleep(0.05)
    job.cancel()

    assert before == (2, 3, 1)
    assert await overview(stored) == (1, 3, 2)


async def test_hits_that_come_before_the_renewal_are_in_the_reports(stored):
    late = record(hit(after(minutes=20)), hit(after(hours=9)), hit(after(minutes=26), visitor_id=2), first=4)
    await stored.append(late)
    await catch_up(stored.projector)
    before = await overview(stored)

    async with asyncio.timeout(60):
        await asyncio.wait([asyncio.create_task(renewal(stored).run())], timeout=0.1)
        while await renewal(stored).is_due():
            await asyncio.sleep(0.05)

    assert before[1:] == (6, 1)
    assert await overview(stored) == (3, 6, 2)
    async with rebuilding(stored.url) as rebuilt:
        await rebuilt.replay(lambda *_: None)
        assert await rebuilt.differences() == dict.fromkeys(READ_MODELS, 0)


async def test_the_past_waits_for_the_renewal(stored):
    at = START + timedelta(days=400)
    question = PastQuestion(positions=Positions(SITE, at, 0, 2), span=EVERYTHING)

    with pytest.raises(StoreUnavailable, match="still being formed anew"):
        async with stored.snapshots().past(question):
            pass
