"""The hits of a person: PostgreSQL finds those that the domain's rule names."""

from datetime import date, timedelta
from itertools import groupby

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from footfall.adapters.memory.visitor_data import MemoryVisitorData
from footfall.adapters.postgres.visitors.visitor_data import PostgresVisitorData
from footfall.application.ports.visitor_data import UserDay
from footfall.domain.traffic.session import visits
from footfall.domain.visits.subject import SeveralUsers, Subject
from tests import histories
from tests.generated import examples
from tests.histories import OTHER_SITE, SITE, START, after, error, hit, hits_of, record, with_measures
from tests.stores.stored import catch_up

LOGS = histories.histories(max_size=60) | histories.long_histories(max_size=60)
unhurried = examples(60)


def short_and_long(stored):
    """Return what finds visitors, by stretches of an hour and by those that are in use."""
    return (
        PostgresVisitorData(stored.connections, timedelta(hours=1)),
        PostgresVisitorData(stored.connections),
    )


async def found(data, subject):
    """Return the hits by visits, however they come in pieces."""
    pieces = [piece async for piece in data.own_pieces(SITE, subject)]
    together = groupby(pieces, lambda piece: (piece.session, piece.is_shared))
    return [(*key, [one for piece in own for one in piece.hits]) for key, own in together]


@unhurried
@given(log=LOGS, seed=st.integers(0, 9), subject=histories.subjects())
async def test_exactly_the_hits_of_a_person_are_found(stored, log, seed, subject):
    await stored.empty()
    await stored.append(with_measures(log, seed))
    await catch_up(stored.projector)

    own = await found(PostgresVisitorData(stored.connections, timedelta(days=9), 2), subject)

    assert own == await found(MemoryVisitorData(stored.log), subject)


@unhurried
@given(log=LOGS)
async def test_the_visitor_of_a_visit_has_its_user(stored, log):
    await stored.empty()
    await stored.append(log)
    await catch_up(stored.projector)

    for data in (PostgresVisitorData(stored.connections), MemoryVisitorData(stored.log)):
        for visit in visits(hits_of(log)):
            users = {one.hit.user_id for one in visit.hits} - {None}
            position = visit.hits[-1].position
            if len(users) > 1:
                with pytest.raises(SeveralUsers):
                    await data.visitor_of(SITE, position)
            else:
                expected = Subject(frozenset(users), frozenset({visit.session.visitor_id}))
                assert await data.visitor_of(SITE, position) == expected


async def test_a_hit_of_another_site_names_no_visitor(stored):
    await stored.append(record(hit(site_id=OTHER_SITE)))
    await catch_up(stored.projector)

    assert await PostgresVisitorData(stored.connections).visitor_of(SITE, 1) is None
    assert await PostgresVisitorData(stored.connections).visitor_of(SITE, 99) is None


@pytest.mark.parametrize(
    ("user_id", "reached", "named"),
    [
        ("0123456789abcdef" * 2, 5, ["other"]),
        ("0123456789abcdef" * 2, 0, []),
        ("anna", 5, []),
        ("0123456789ABCDEF" * 2, 5, []),
        (None, 5, []),
    ],
)
async def test_archives_are_named_where_user_ids_may_be_hashes(stored, user_id, reached, named):
    await stored.append(record(hit(user_id="bob"), hit(after(days=3), user_id=user_id)))
    stored.log.archives = {"other"} if reached else set()
    async with stored.connections.connection() as connection:
        await connection.execute("insert into hit_import values (%s, 'other', %s)", (SITE, reached))

    for data in (*short_and_long(stored), MemoryVisitorData(stored.log)):
        assert await data.archives(SITE) == named


async def test_days_with_users_are_those_on_which_their_hits_were_received(stored):
    late = START + timedelta(days=2)
    await stored.append(
        record(
            hit(user_id="anna"), hit(START + timedelta(days=1)), evolve(hit(user_id="bob"), received_at=late)
        )
    )

    expected = [UserDay(START.date(), is_imported=False), UserDay(date(2026, 3, 30), is_imported=False)]
    for data in (*short_and_long(stored), MemoryVisitorData(stored.log)):
        assert await data.user_days(SITE) == expected


async def test_texts_and_numbers_at_their_limits_name_a_person(stored):
    user, least = "é\\'\"%_{};--" * 23, -(2**63)
    own = record(
        hit(visitor_id=least, user_id=user),
        error("x" * 8_000, START + timedelta(minutes=30), visitor_id=least),
        hit(START + timedelta(days=9_000), visitor_id=2**63 - 1, user_id=user, properties={"n": 10**40}),
        hit(START + timedelta(days=3), visitor_id=least, user_id=user.lower() + "x"),
    )
    await stored.append(own)
    await catch_up(stored.projector)

    data = PostgresVisitorData(stored.connections)

    assert [len(hits) for _, _, hits in await found(data, Subject(frozenset({user})))] == [2, 1]
    assert await found(data, Subject(visitors=frozenset({0}))) == []
