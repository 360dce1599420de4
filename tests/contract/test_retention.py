"""Retention: what is too old goes, whole sessions of it, and what is left is what a replay of the rest would give."""

import io
from datetime import timedelta

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from footfall.adapters.archive import ArchiveReader, ArchiveWriter, Heading
from footfall.adapters.archive.files import write_archive
from footfall.adapters.postgres.maintenance.retention import PostgresRetentionStore
from footfall.adapters.postgres.maintenance.site_hits import PostgresSiteHits
from footfall.adapters.postgres.projections.checkpoint import ProjectionVersionMismatch
from footfall.application.maintenance.transfer import import_hits
from footfall.application.ports.maintenance import RetentionCutoff
from footfall.domain.goals.goal import PathRule
from footfall.domain.tracking.hit import RecordedHit
from footfall.domain.traffic.retention import expire
from footfall.domain.traffic.session import Mark, visits
from tests import histories
from tests.generated import examples
from tests.histories import SITE, START, error, hit, record
from tests.stores.stored import catch_up

QUARTER = timedelta(minutes=15)
BEFORE = st.integers(-8, 400).map(lambda quarters: START + quarters * QUARTER)
LOGS = histories.histories(max_size=60) | histories.long_histories()
unhurried = examples(40)


async def erase(stored, *cutoffs, limit=3):
    async with PostgresRetentionStore(stored.connections, stored.url).lock() as locked:
        months = await locked.drop_months(list(cutoffs))
        for cutoff in cutoffs:
            while await locked.erase_some(cutoff, limit) is not None:
                pass
    return months


async def positions(stored):
    async with stored.connections.connection() as connection:
        cursor = await connection.execute("select position from hit order by position")
        return [row["position"] for row in await cursor.fetchall()]


async def replayed(stored):
    """Return the read models as they are made of what is left of the log."""
    await stored.forget_read_models()
    await catch_up(stored.projector)
    return await stored.read_models()


def by_message(read_models):
    """Name messages of errors by themselves: their ids are the positions of hits that may have been erased."""
    messages = {row["message_id"]: row["message"] for row in read_models["error_message"]}
    return {
        table: sorted(
            (
                row | ({"message_id": messages[row["message_id"]]} if "message_id" in row else {})
                for row in rows
            ),
            key=repr,
        )
        for table, rows in read_models.items()
    }


@unhurried
@given(log=LOGS, before=BEFORE)
async def test_exactly_the_sessions_that_ended_before_go(stored, log, before):
    await stored.empty()
    await stored.append(log)
    await catch_up(stored.projector)

    await erase(stored, RetentionCutoff(SITE, before))

    assert await positions(stored) == sorted(one.position for one in expire(log, before).hits)


@unhurried
@given(
    log=LOGS,
    later=LOGS,
    befores=st.lists(BEFORE, min_size=1, max_size=3),
    is_rebuilt=st.booleans(),
)
async def test_runs_that_retention_cuts_go_on_as_they_were(stored, log, later, befores, is_rebuilt):
    await stored.empty()
    await stored.append(log)
    await catch_up(stored.projector)
    left, marks = list(log), []
    for before in befores:
        await erase(stored, RetentionCutoff(SITE, before))
        remainder = expire(left, before, marks)
        left, marks = list(remainder.hits), list(remainder.marks)

        assert sorted(await stored_marks(stored), key=repr) == sorted(marks, key=repr)
    if is_rebuilt:
        await replayed(stored)
    late = record(*(one.hit for one in later), first=log[-1].position + 1 if log else 1)
    await stored.append(late)
    await catch_up(stored.projector)

    found = {(row["session_id"], row["started_at"], row["ended_at"]) for row in await sessions(stored)}
    expected = [one.session for one in visits([*left, *late], marks)]
    assert found == {(one.session_id, one.start, one.end) for one in expected}


async def test_an_export_takes_the_marks_along(stored):
    run = [hit(START + timedelta(minutes=20 * step), visitor_id=7) for step in range(52 * 3 + 1)]
    await stored.append(record(*run))
    await catch_up(stored.projector)
    await erase(stored, RetentionCutoff(SITE, START + timedelta(hours=28)))
    site_hits, file = PostgresSiteHits(stored.connections), io.BytesIO()
    writer = ArchiveWriter(file, compressed=False)
    writer.begin(Heading("elsewhere"))

    await write_archive(writer, site_hits, SITE, after=0, up_to=len(run), advance=lambda _: None)
    reader = ArchiveReader(io.BufferedReader(io.BytesIO(file.getvalue())))
    reader.heading()
    async for _ in import_hits(site_hits, 2, "elsewhere", reader.entries(2)):
        pass
    await catch_up(stored.projector)

    found = await sessions(stored)
    spans = [
        [(row["started_at"], row["ended_at"]) for row in found if row["site_id"] == site] for site in (1, 2)
    ]
    assert len(spans[0]) == 2
    assert spans[0] == spans[1]


async def test_a_mark_is_not_taken_where_the_hits_are_that_it_stands_for(stored):
    await stored.append(record(hit(START + timedelta(hours=3)), hit(START + timedelta(hours=4))))
    await catch_up(stored.projector)
    cutoff = START + timedelta(hours=4)
    mark = Mark(SITE, 1, cutoff, START, cutoff - timedelta(minutes=20))
    site_hits = PostgresSiteHits(stored.connections)

    for one in (mark, evolve(mark, visitor_id=2), evolve(mark, first=cutoff - timedelta(minutes=30))):
        await site_hits.add_mark(SITE, one)

    assert sorted(one.visitor_id for one in await site_hits.marks(SITE)) == [1, 2]


async def stored_marks(stored):
    async with stored.connections.connection() as connection:
        cursor = await connection.execute(
            "select site_id, visitor_id, cutoff, first_at as first, last_at as last from session_mark"
        )
        return [Mark(**row) for row in await cursor.fetchall()]


async def sessions(stored):
    return (await stored.read_models())["session"]


async def test_a_session_that_ends_after_the_cutoff_stays_counted(stored):
    edge = START + timedelta(hours=48)
    minutes = (-40, -20, 5, 30)
    log = [
        hit(START, pathname="/thanks"),
        *(hit(edge + timedelta(minutes=at), pathname="/thanks") for at in minutes),
    ]
    await stored.define(PathRule("/thanks"))
    await stored.append(record(*log))
    await catch_up(stored.projector)

    await erase(stored, RetentionCutoff(SITE, edge))

    left = await stored.read_models()
    assert len(left["session"]) == len(left["conversion"]) == 1
    assert sum(row["conversions"] for row in left["conversion_bucket"]) == 1
    assert left == await replayed(stored)


async def test_errors_are_counted_again_without_erased_occurrences(stored):
    log = [
        error("x is not defined", START),
        error("Failed to fetch", START + timedelta(hours=1)),
        error("x is not defined", START + timedelta(hours=47, minutes=50), visitor_id=2, name="Latest"),
        error("x is not defined", START + timedelta(hours=48, minutes=10), visitor_id=2),
        error("x is not defined", START + timedelta(hours=80), visitor_id=3),
    ]
    await stored.append(record(*log))
    await catch_up(stored.projector)

    await erase(stored, RetentionCutoff(SITE, START + timedelta(hours=48)))

    left = await stored.read_models()
    assert [row["occurrences"] for row in left["error_message"]] == [3]
    assert by_message(left) == by_message(await replayed(stored))


async def test_hits_not_projected_yet_are_left_for_the_next_time(stored):
    await stored.append(record(hit(), hit(START + timedelta(hours=5))))
    cutoff = RetentionCutoff(SITE, START + timedelta(days=2))

    await erase(stored, cutoff)
    first = await positions(stored)
    await catch_up(stored.projector)
    await erase(stored, cutoff)

    assert first == [1, 2]
    assert await positions(stored) == []


async def test_a_second_time_changes_nothing(stored):
    await stored.append(record(*(hit(START + timedelta(hours=number)) for number in range(60))))
    await catch_up(stored.projector)
    cutoff = RetentionCutoff(SITE, START + timedelta(hours=30))
    await erase(stored, cutoff)
    once = (await positions(stored), await stored.read_models())

    await erase(stored, cutoff)

    assert (await positions(stored), await stored.read_models()) == once


async def test_a_month_is_dropped_when_all_its_sites_agree(stored):
    later = START + timedelta(days=60)
    await stored.append(record(hit(), hit(site_id=2), hit(later)))
    await catch_up(stored.projector)

    alone = await erase(stored, RetentionCutoff(SITE, later))
    together = await erase(stored, RetentionCutoff(SITE, later), RetentionCutoff(2, later))

    assert (alone, together) == (0, 1)
    assert await positions(stored) == [3]
    async with stored.connections.connection() as connection:
        cursor = await connection.execute("select site_id, started_at from session")
        sessions = [tuple(row.values()) for row in await cursor.fetchall()]
    assert sessions == [(SITE, later)]


async def test_only_one_of_two_erasers_holds_the_lock(stored):
    store = PostgresRetentionStore(stored.connections, stored.url)

    async with store.lock() as first, store.lock() as second:
        assert first is not None
        assert second is None


async def test_the_data_begin_with_the_earliest_hit_whatever_else_is_erased(stored):
    first, second = START + timedelta(minutes=7), START + timedelta(days=3, minutes=7)
    empty = await stored.traffic.data_since(SITE)
    await stored.append(record(hit(second), hit(first), hit(second + timedelta(minutes=1))))
    await catch_up(stored.projector)
    whole = await stored.traffic.data_since(SITE)

    await erase(stored, RetentionCutoff(SITE, second - timedelta(minutes=2)))

    assert (empty, whole) == (None, first)
    assert await stored.traffic.data_since(SITE) == second


async def test_the_data_begin_with_a_hit_that_retention_leaves_in_a_session_that_goes_on(stored):
    first, edge = START + timedelta(days=2, minutes=2), START + timedelta(days=2, minutes=5)
    await stored.append(record(hit(), hit(first), hit(first + timedelta(minutes=20))))
    await catch_up(stored.projector)

    await erase(stored, RetentionCutoff(SITE, edge))

    assert await stored.traffic.data_since(SITE) == first


async def test_a_site_without_hits_has_data_since_never_also_when_it_had_some(stored):
    await stored.append(record(hit()))
    await catch_up(stored.projector)

    await erase(stored, RetentionCutoff(SITE, START + timedelta(days=2)))

    assert await stored.traffic.data_since(SITE) is None


async def test_a_late_hit_of_a_session_being_erased_is_gone_a_day_later(stored):
    edge = START + timedelta(hours=48)
    await stored.append(record(*(hit(edge - timedelta(minutes=at)) for at in (60, 40, 20))))
    await catch_up(stored.projector)
    late = (edge - timedelta(minutes=5), edge + timedelta(minutes=5), edge - timedelta(hours=20))
    async with PostgresRetentionStore(stored.connections, stored.url).lock() as locked:
        await locked.erase_some(RetentionCutoff(SITE, edge), 2)
        for position, at in enumerate(late, 4):
            await stored.append([RecordedHit(position, hit(at))])
            await catch_up(stored.projector)
            await locked.erase_some(RetentionCutoff(SITE, edge), 2)

    await erase(stored, RetentionCutoff(SITE, edge + timedelta(days=1)))

    assert await positions(stored) == []
    assert [rows for rows in (await stored.read_models()).values() if rows] == []


async def test_expired_hits_are_counted(stored):
    await stored.append(record(hit(), hit(START + timedelta(days=3)), hit(site_id=2)))

    found = await PostgresRetentionStore(stored.connections, stored.url).hits_before(
        RetentionCutoff(SITE, START + timedelta(days=2))
    )

    assert found == 1


async def test_another_version_erases_nothing(stored):
    await stored.append(record(hit(START)))
    async with stored.connections.connection() as newer:
        await newer.execute("update projection_checkpoint set projection_version = projection_version + 1")

    with pytest.raises(ProjectionVersionMismatch):
        await erase(stored, RetentionCutoff(SITE, START + timedelta(days=400)))

    assert await positions(stored) == [1]


async def test_answers_from_before_an_erasure_cannot_be_given_again(stored):
    await stored.empty()
    await stored.append(record(hit(), hit(START + timedelta(days=3))))
    await catch_up(stored.projector)

    await erase(stored, RetentionCutoff(SITE, START + timedelta(days=1)))
    await erase(stored, RetentionCutoff(SITE, START + timedelta(days=2)))

    [noted] = await erasures(stored)
    assert (noted["reason"], noted["until"]) == ("retention", START + timedelta(days=1))
    assert noted["finished_at"] is not None


async def test_an_erasure_that_goes_on_is_noted_as_such(stored):
    await stored.empty()
    await stored.append(record(hit(), hit(START + timedelta(days=3))))
    await catch_up(stored.projector)

    async with PostgresRetentionStore(stored.connections, stored.url).lock() as locked:
        await locked.erase_some(RetentionCutoff(SITE, START + timedelta(days=1)), 3)

    assert [one["finished_at"] for one in await erasures(stored)] == [None]


async def test_a_dropped_month_is_noted_for_each_site(stored):
    await stored.empty()
    await stored.append(record(hit()))
    await catch_up(stored.projector)

    await erase(stored, RetentionCutoff(SITE, START + timedelta(days=60)))

    [noted] = await erasures(stored)
    assert noted["until"] == START.replace(month=4, day=1, hour=0)
    assert noted["finished_at"] is not None


async def erasures(stored):
    async with stored.connections.connection() as connection:
        return await (
            await connection.execute("select reason, until, finished_at from hit_erasure")
        ).fetchall()


async def test_refused_bots_go_when_their_day_is_before_the_cutoff_in_every_time_zone(stored):
    days = [START.date() + timedelta(days=number) for number in range(3)]
    async with stored.connections.connection() as connection:
        for site_id, day, import_id in [
            (site, day, number) for site in (1, 2) for day in days for number in (0, 5)
        ]:
            await connection.execute(
                "insert into refused_bot values (%s, %s, 'GPTBot', '', '', %s, 1)", (site_id, day, import_id)
            )

    await erase(stored, RetentionCutoff(SITE, START + timedelta(days=2)))

    async with stored.connections.connection() as connection:
        cursor = await connection.execute(
            "select site_id, day from refused_bot order by site_id, day, import_id"
        )
        left = [(row["site_id"], row["day"]) for row in await cursor.fetchall()]
    assert left == [(1, day) for day in days[1:] for _ in range(2)] + [
        (2, day) for day in days for _ in range(2)
    ]
