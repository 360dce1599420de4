"""Export and import: a site's hits carried elsewhere, whole, in order, and never twice."""

import asyncio

import psycopg
import pytest
from attrs import evolve

from footfall.adapters.postgres.database.connections import Connections
from footfall.adapters.postgres.maintenance.site_hits import PostgresSiteHits
from footfall.application.maintenance.transfer import STORED_TOGETHER, export_hits, import_hits
from footfall.application.ports.maintenance import AnotherImport, UnreadableArchive
from footfall.domain.examples import NOON, a_full_hit, a_hit
from footfall.domain.tracking.engagement import Measure, RecordedMeasure
from footfall.domain.tracking.hit import RecordedHit


@pytest.fixture
async def site_hits(database_url):
    connections = Connections(database_url)
    await connections.open()
    yield PostgresSiteHits(connections)
    await connections.close()


def recorded(*hits):
    return [RecordedHit(position, hit) for position, hit in enumerate(hits, start=1)]


async def entries_in(site_hits, site_id):
    pieces = [
        piece
        async for _, piece in export_hits(
            site_hits, site_id, after=0, up_to=await site_hits.high_water_mark(site_id)
        )
    ]
    entries = [one for piece in pieces for one in piece]
    return [one.hit if isinstance(one, RecordedHit) else one.measure for one in entries]


async def bring(site_hits, site_id, hits, source="elsewhere"):
    moved = (RecordedHit(one.position, evolve(one.hit, site_id=site_id)) for one in hits)
    return sum([stored async for stored in import_hits(site_hits, site_id, source, moved)])


async def test_hits_arrive_as_they_were_and_in_their_order(site_hits):
    hits = recorded(a_full_hit(), a_hit(), a_full_hit(type="error"))

    await bring(site_hits, 1, hits)

    assert await entries_in(site_hits, 1) == [one.hit for one in hits]


async def test_measures_arrive_as_they_were_beside_their_hits(site_hits):
    hit = a_hit(site_id=1, pageview_key=-(2**63))
    least = Measure(site_id=1, pageview_key=-(2**63), received_at=NOON, engaged_ms=0)
    most = Measure(
        site_id=1, pageview_key=2**63 - 1, received_at=NOON, engaged_ms=86_400_000, scroll_percent=100
    )
    entries = [RecordedHit(1, hit), RecordedMeasure(2, least), RecordedMeasure(3, most)]

    counted = [stored async for stored in import_hits(site_hits, 1, "elsewhere", entries)]

    assert counted == [1]
    assert await entries_in(site_hits, 1) == [hit, least, most]
    assert await site_hits.count(1) == 1


async def test_only_hits_of_the_site_are_exported(site_hits):
    await bring(site_hits, 1, recorded(a_hit(pathname="/mine")))
    await bring(site_hits, 2, recorded(a_hit(pathname="/another")))

    found = await entries_in(site_hits, 1)

    assert [hit.pathname for hit in found] == ["/mine"]


async def test_an_export_waits_for_a_writer_that_has_not_committed(site_hits, database_url):
    [committed, late] = recorded(a_hit(pathname="/committed"), a_hit(pathname="/late"))
    await bring(site_hits, 1, [committed])
    with psycopg.connect(database_url) as writer:
        writer.execute("alter function hit_high_water_mark() set lock_timeout = '10ms'")
        writer.commit()
        writer.execute("insert into hit select * from hit where false")
        exporting = asyncio.ensure_future(entries_in(site_hits, 1))
        # Many times as long as one question waits for the lock.
        await asyncio.wait([exporting], timeout=0.5)
        exported_meanwhile = exporting.done()

    assert not exported_meanwhile
    assert [hit.pathname for hit in await exporting] == ["/committed"]
    await bring(site_hits, 1, [late], "another")


async def test_a_second_import_of_the_same_stores_nothing(site_hits):
    hits = recorded(*(a_hit(visitor_id=number) for number in range(100)))
    await bring(site_hits, 1, hits)

    again = await bring(site_hits, 1, hits)

    assert again == 0
    assert len(await entries_in(site_hits, 1)) == 100


async def test_an_interrupted_import_goes_on_where_it_was(site_hits):
    hits = recorded(*(a_hit(visitor_id=number) for number in range(STORED_TOGETHER + 10)))

    def torn():
        yield from hits[: STORED_TOGETHER + 5]
        raise UnreadableArchive("torn")

    with pytest.raises(UnreadableArchive):
        await bring(site_hits, 1, torn())
    rest = await bring(site_hits, 1, hits)

    assert rest == 10
    assert [hit.visitor_id for hit in await entries_in(site_hits, 1)] == list(range(STORED_TOGETHER + 10))


async def test_of_two_imports_at_the_same_time_one_gives_way(site_hits):
    await site_hits.store(1, "elsewhere", [a_hit()], after=0, reached=5)

    with pytest.raises(AnotherImport):
        await site_hits.store(1, "elsewhere", [a_hit()], after=0, reached=5)

    assert len(await entries_in(site_hits, 1)) == 1


async def test_a_later_export_of_the_same_site_brings_only_what_is_new(site_hits):
    hits = recorded(a_hit(pathname="/first"), a_hit(pathname="/second"))
    await bring(site_hits, 1, hits[:1])

    await bring(site_hits, 1, hits)

    assert [hit.pathname for hit in await entries_in(site_hits, 1)] == ["/first", "/second"]


async def test_another_source_may_have_the_same_positions(site_hits):
    await bring(site_hits, 1, recorded(a_hit()), source="one")
    await bring(site_hits, 1, recorded(a_hit()), source="another")

    assert len(await entries_in(site_hits, 1)) == 2
