"""`footfall cell move` while everything writes to the cell: what is at the new place is what the old one had."""

import asyncio
import json
import logging
from collections import Counter
from contextlib import asynccontextmanager

import pytest
from attrs import define, evolve

from footfall.adapters.user_agent import UaParserUserAgents
from footfall.application.commands.context import CommandContext
from footfall.application.ports.traffic_log import Submission
from footfall.domain.examples import NOON
from footfall.domain.tracking.admission import PendingHit
from footfall.domain.tracking.hit import HitType
from footfall.entrypoints.composition.projectors import rebuilding
from tests.application import Surroundings, build
from tests.background import in_background
from tests.generated import at_length
from tests.histories import hit
from tests.integration.cells.moving import LOGS, PHASES, SITE, Killed
from tests.integration.cells.writers import PIECE, Writers
from tests.stores.cells import cell_stores
from tests.waiting import until

DELETED = 3
# Hits are erased first, and read models table by table after them.
ROWS = """
    select site_id from hit where site_id = %(site_id)s
    union all select site_id from session where site_id = %(site_id)s
    union all select site_id from traffic_bucket where site_id = %(site_id)s
"""


@define(eq=False)
class Busy:
    """A service whose cell is written to."""

    writers: Writers
    _commands: object
    _log: object
    _writing: list
    _deleting: asyncio.Task | None = None

    async def store_for_deleted_site(self):
        """Store an event of a site that is deleted later."""
        one = evolve(hit(NOON), site_id=DELETED)
        await self._log.submit(Submission((PendingHit(one),)))

    def delete_site(self):
        """Begin to delete a site of the cell, as its owner does."""
        self._deleting = asyncio.create_task(self._commands.sites.delete(DELETED, CommandContext()))

    async def erased(self):
        """Wait until nothing of the deleted site is left in the cell."""
        await self._deleting
        connections = self._log.cells.stores["west"].connections
        async with asyncio.timeout(60):
            while await self._rows_of_deleted_site(connections):
                await asyncio.sleep(0.1)

    async def end(self):
        """Let the writers end."""
        self.writers.stop()
        await asyncio.gather(*self._writing)

    async def _rows_of_deleted_site(self, connections):
        async with connections.connection() as connection:
            cursor = await connection.execute(ROWS, {"site_id": DELETED})
            return await cursor.fetchall()


@asynccontextmanager
async def busy(installation):
    """Lend a service with the sites 1 and 3 in the cell and 2 elsewhere, and writers to all of them."""
    around = Surroundings(user_agents=UaParserUserAgents())
    async with cell_stores(installation.url, around, names=(), **installation.settings.cells) as stores:
        journal = build(stores.ports).service.journal
        await stores.begin(journal.directory)
        commands, context = journal.commands, CommandContext()
        user = await commands.people.register(context, name=None, address=None)
        organization = await commands.organizations.register(name="Acme", owner=user, context=context)
        for cell in ("west", "main", "west"):
            await commands.sites.register(
                organization, name=cell, domain="example.com", created_by=user, context=context, cell=cell
            )
        following = {"directory": journal.directory.follow, **stores.log.cells.jobs}
        writers = Writers(stores.log, commands)
        async with in_background(**following):
            writing = [asyncio.create_task(write(), name=kind) for kind, write in writers.jobs.items()]
            service = Busy(writers, commands, stores.log, writing)
            try:
                yield service
            finally:
                await service.end()


@pytest.fixture
async def served(installation):
    async with busy(installation) as service:
        await service.store_for_deleted_site()
        await service.writers.more()
        yield service


async def test_the_new_place_has_what_the_old_one_had_when_it_was_left(installation, served):
    done, found = {}, {}

    def report(step):
        done.setdefault(step, Counter(served.writers.done))
        if step == "copying":
            served.delete_site()
        if step == "telling the journal":
            found.update(old=installation.left(only=LOGS), new=installation.there(only=LOGS))

    await installation.move_with(report)
    await served.writers.more()

    assert found["new"][0] == found["old"][0]
    assert positions(found["new"]) == positions(found["old"])
    assert len(found["new"][0]["erasure"]) == 1
    assert [
        kind for kind in served.writers.jobs if done["refusing writers"][kind] == done["copying"][kind]
    ] == []


@pytest.mark.slow
async def test_what_was_acknowledged_is_there_once_after_moves_that_were_killed_and_one_that_was_not(
    installation, served, caplog
):
    # Each phase that is killed is a copy more of all that was written before.
    for phase in PHASES[:: at_length(slow=3, thorough=1)]:
        with pytest.raises(Killed):
            await installation.move(until=phase)
        await served.writers.more()
    moving = asyncio.create_task(installation.move())
    await until(lambda: "verifying" in installation.steps[-2:] or moving.done())
    served.delete_site()
    await moving
    await served.writers.more()
    await served.erased()
    await served.end()

    writers = served.writers
    rows = {name: [json.loads(row) for (row,) in its] for name, its in installation.there()[0].items()}
    tracked = [row for row in rows["hit"] if row["import_id"] is None]
    assert writers.wrong.total() == writers.refused["other sites"] == 0
    assert {row["site_id"] for row in rows["hit"]} == {SITE}
    assert len(tracked) == len(writers.stored)
    assert {row["key"] for row in rows["idempotency"] if row["site_id"] == SITE} == set(writers.stored)
    assert [row["used"] for row in rows["pageview_quota"]] == [
        sum(one.hit.type is HitType.PAGEVIEW for one in writers.stored.values())
    ]
    assert outcomes(rows) == {"stored": len(writers.stored), "dropped": writers.done["counts"]}
    imported = PIECE * writers.done["imports"]
    assert len(rows["hit"]) - len(tracked) == imported == rows["import_ledger"][0]["rows"]
    assert await differences(installation.new) == {}
    assert [one.getMessage() for one in caplog.records if one.levelno >= logging.ERROR] == []


def positions(found):
    """Return the sequences that the projector does not draw from."""
    return [(name, last) for name, last in found[1] if name in {"hit_position", "site_import_import_id_seq"}]


def outcomes(rows):
    """Return how many events of the site had each outcome."""
    found = Counter()
    for row in rows["ingestion_outcome"]:
        found[row["outcome"]] += row["events"] if row["site_id"] == SITE else 0
    return found


async def differences(url):
    """Return the read models in which a replay differs."""
    async with rebuilding(url) as rebuilt:
        await rebuilt.replay(lambda _position, _target: None)
        return {table: rows for table, rows in (await rebuilt.differences()).items() if rows}
