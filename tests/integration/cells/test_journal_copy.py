"""The copy of the journal in a cell."""

import asyncio

import pytest

from footfall.adapters.memory.clock import ManualClock
from footfall.adapters.postgres.cells.journal_copy import PostgresJournalCopy
from footfall.adapters.postgres.database.listener import Listener
from footfall.adapters.postgres.journal.event_store import PostgresEventStore
from footfall.adapters.postgres.maintenance.site_erasure import PostgresErasures
from footfall.application.journal.event_codec import EventCodec
from footfall.application.journal.stream_names import goal_stream, site_stream
from footfall.application.maintenance.site_erasure import Eraser
from footfall.application.ports.cells import CellAway
from footfall.application.ports.journal import Actor, Metadata
from footfall.domain.examples import NOON
from footfall.domain.goals.goal import EventRule, GoalDefined, GoalDeleted
from footfall.domain.sites.site import ErrorResolved, SiteDeleted, SitePlaced, SiteRegistered

METADATA = Metadata(Actor(user_id="7", key_prefix="ff_12345"), NOON, "a request")
COPIED = "select position, stream, version, type, data from event order by position"


@pytest.fixture
def journal(connections, database_url):
    return PostgresEventStore(connections, Listener(database_url), EventCodec())


@pytest.fixture
def copy(connections, west_connections):
    return PostgresJournalCopy("west", "mark of west", connections, west_connections)


def registered(site_id):
    return SiteRegistered(
        site_id=site_id,
        public_id=f"{site_id:012x}",
        organization_id="1",
        name="é",
        domain="e.com",
        created_by="1",
    )


async def place(journal, site_id, cell):
    """Register a site in a cell, with a goal."""
    events = [registered(site_id), *([] if cell is None else [SitePlaced(cell)])]
    await journal.append(site_stream(site_id), events, expected=0, metadata=METADATA)
    goal = GoalDefined(site_id + 100, site_id, "Signup", EventRule("signup", "amount", 19.90))
    await journal.append(goal_stream(site_id + 100), [goal], expected=0, metadata=METADATA)


async def newest(journal):
    return (await journal.read_all(after=0, limit=10_000))[-1].position


async def test_a_cell_has_the_events_of_its_sites_and_of_their_goals_and_no_others(
    journal, copy, database_url, west, rows
):
    for site_id, cell in ((1, "west"), (2, "east"), (3, None), (4, "west")):
        await place(journal, site_id, cell)
    await journal.append(site_stream(1), [ErrorResolved("x \u2028 \\ ")], expected=2, metadata=METADATA)

    await copy.bring(await newest(journal))

    wanted = "where split_part(stream, '-', 2)::int % 100 in (1, 4)"
    assert rows(west, COPIED) == rows(database_url, COPIED.replace("order", f"{wanted} order"))
    assert len(rows(west, COPIED)) == 7
    assert rows(west, "select distinct user_id, key_prefix, request_id from event") == [(None, None, None)]


async def test_events_are_copied_once_by_any_number_of_workers_in_pieces(
    journal, connections, west_connections, west, rows
):
    copies = [
        PostgresJournalCopy("west", "mark of west", connections, west_connections, at_a_time=3)
        for _ in range(4)
    ]
    for site_id in range(1, 9):
        await place(journal, site_id, "west")
        position = await newest(journal)
        await asyncio.gather(*(copy.bring(position) for copy in copies))

    assert rows(west, "select count(*), max(position) from event") == [(24, position)]
    assert {copy.reached for copy in copies} == {position}


async def test_a_copy_goes_on_after_what_the_cell_has(
    journal, connections, west_connections, copy, west, rows
):
    await place(journal, 1, "west")
    await copy.bring(await newest(journal))
    await journal.append(goal_stream(101), [GoalDeleted()], expected=1, metadata=METADATA)

    again = PostgresJournalCopy("west", "mark of west", connections, west_connections)
    await again.bring(await newest(journal))

    assert rows(west, "select array_agg(type order by position) from event") == [
        (["site-registered", "site-placed", "goal-defined", "goal-deleted"],)
    ]


async def test_the_store_of_another_cell_gets_no_events(journal, connections, west_connections, west, rows):
    await place(journal, 1, "west")
    wrong = PostgresJournalCopy("west", "the mark in the journal", connections, west_connections)

    with pytest.raises(CellAway, match="the store at the place of the cell west is another one"):
        await wrong.bring(await newest(journal))

    assert rows(west, "select count(*) from event") == [(0,)]


async def test_a_cell_that_was_away_learns_of_a_site_that_is_erased_in_the_journal_already(
    journal, connections, database_url, copy, west, rows
):
    await place(journal, 1, "west")
    await journal.append(site_stream(1), [SiteDeleted()], expected=2, metadata=METADATA)
    await Eraser(PostgresErasures(connections, database_url), ManualClock(NOON), rest=0.0).work()

    await copy.bring(await newest(journal))

    assert rows(west, "select deleted_site, due_at is not null from erasure") == [(1, True)]
    assert "Signup" not in str(rows(west, "select data from event"))
