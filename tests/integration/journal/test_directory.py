"""Directories of several workers over one journal."""

import asyncio

import pytest
from attrs import define

from footfall.adapters.memory.accounts.former_proofs import MemoryFormerProofs
from footfall.adapters.memory.accounts.identities import MemoryIdentities
from footfall.adapters.memory.accounts.invitation_addresses import MemoryInvitationAddresses
from footfall.adapters.memory.accounts.people import MemoryPeople
from footfall.adapters.memory.accounts.sign_in_uses import MemorySignInUses
from footfall.adapters.postgres.accounts.registrations import PostgresRegistrations
from footfall.adapters.postgres.database.connections import Connections
from footfall.adapters.postgres.database.listener import Listener
from footfall.adapters.postgres.journal.event_store import PostgresEventStore
from footfall.adapters.postgres.journal.identifiers import PostgresIdentifiers
from footfall.adapters.system import SystemClock, SystemRandomness
from footfall.application.commands.accounts.former_users import FormerUsers
from footfall.application.commands.all_commands import UserPorts, build_commands
from footfall.application.commands.context import CommandContext
from footfall.application.journal.directory import POLL_SECONDS, Directory
from footfall.application.journal.event_codec import EventCodec
from footfall.application.ports.journal import Actor, Metadata
from footfall.domain.examples import NOON
from footfall.domain.goals.goal import GoalRedefined, PathRule
from footfall.domain.sites.configuration import ConfigChanges
from footfall.entrypoints.composition.background import Background
from tests.no_cells import NoCells
from tests.waiting import until


@pytest.fixture
def poll_seconds():
    """How often workers look for changes by themselves; a test that is parametrized by it has another time."""
    return POLL_SECONDS


@pytest.fixture
async def workers(database_url, poll_seconds):
    """Two workers: each with a directory that follows, and commands."""
    made, backgrounds, pools = [], [], []
    for _ in range(2):
        pool, listener = Connections(database_url), Listener(database_url)
        await pool.open()
        store = PostgresEventStore(pool, listener, EventCodec())
        directory = Directory(store, poll_seconds=poll_seconds)
        background = Background({"listener": listener.run, "directory": directory.follow})
        background.start()
        commands = build_commands(
            store=store,
            directory=directory,
            identifiers=PostgresIdentifiers(pool),
            users=UserPorts(
                people=MemoryPeople(),
                registrations=PostgresRegistrations(pool, store),
                identities=MemoryIdentities(),
                invitation_addresses=MemoryInvitationAddresses(),
                traces=(MemorySignInUses(),),
            ),
            former_users=FormerUsers(proofs=MemoryFormerProofs(), secret=lambda: b"secret"),
            cell_traffic=NoCells(),
            randomness=SystemRandomness(),
            clock=SystemClock(),
        )
        made.append((directory, commands, store))
        backgrounds.append(background)
        pools.append(pool)
    yield made
    for background, pool in zip(backgrounds, pools, strict=True):
        await background.stop()
        await pool.close()


async def register(commands):
    user = await commands.people.register(CommandContext())
    organization = await commands.organizations.register(name="Acme", owner=user, context=CommandContext())
    site = await commands.sites.register(
        organization, name="A", domain="a.com", created_by=user, context=CommandContext()
    )
    return user, site


async def test_a_site_of_one_worker_is_found_by_the_other_at_once(workers):
    (_, commands, _), (other, _, _) = workers
    _, site = await register(commands)

    found = await other.find_site(str(site))

    assert found is not None


async def test_a_revoked_key_stops_on_the_other_worker_within_a_second(workers):
    (_, commands, _), (other, _, _) = workers
    user, _ = await register(commands)
    issued = await commands.api_keys.issue(user, name="k", context=CommandContext())
    assert await other.find_key(issued.state.digest) is not None

    await commands.api_keys.revoke(user, issued.key_id, CommandContext())

    await until(lambda: other.key(issued.state.digest) is None)
    assert POLL_SECONDS < 1


@pytest.mark.parametrize("poll_seconds", [3_600])
async def test_a_change_is_announced_to_the_other_worker_without_polling(workers):
    (_, commands, _), (other, _, _) = workers
    # A worker looks once when it begins to listen.
    await asyncio.sleep(0.2)

    _, site = await register(commands)

    await until(lambda: other.site(str(site)) is not None)


async def test_polling_finds_events_without_a_notification(database_url, workers):
    (_, commands, _), _ = workers
    pool = Connections(database_url)
    await pool.open()
    deaf = Directory(PostgresEventStore(pool, Listener(database_url), EventCodec()))
    following = asyncio.create_task(deaf.follow())
    _, site = await register(commands)

    await until(lambda: deaf.site(str(site)) is not None)

    following.cancel()
    await pool.close()


async def test_2000_events_are_read_by_a_new_worker_within_20_seconds(database_url, workers):
    (_, commands, store), _ = workers
    _, site = await register(commands)
    goal = await commands.goals.define(site, name="g", rule=PathRule("/"), context=CommandContext())
    events = [GoalRedefined(f"g{number}", PathRule(f"/{number}")) for number in range(2_000)]
    await store.append(f"goal-{goal}", events, expected=1, metadata=Metadata(Actor(), NOON))
    pool = Connections(database_url)
    await pool.open()
    fresh = Directory(PostgresEventStore(pool, Listener(database_url), EventCodec()))

    async with asyncio.timeout(20):
        await fresh.catch_up()

    await pool.close()
    assert fresh.goal(goal).goal.name == "g1999"


@define
class Counted:
    """A journal that counts how often it is read."""

    of: PostgresEventStore
    reads: int = 0

    async def read_all(self, **asked):
        self.reads += 1
        return await self.of.read_all(**asked)


async def test_concurrent_catch_ups_share_one_read(workers):
    (_, commands, store), _ = workers
    await register(commands)
    counted = Counted(store)
    directory = Directory(counted)

    under_way = asyncio.create_task(directory.catch_up())
    await until(lambda: counted.reads)
    await asyncio.gather(under_way, *(directory.catch_up() for _ in range(100)))

    # One reading under way, and the next for all callers.
    assert counted.reads == 2


async def test_a_setting_is_in_force_on_the_other_worker_within_a_second(workers):
    (_, commands, _), (other, _, _) = workers
    _, site = await register(commands)
    await other.find_site(str(site))

    await commands.sites.configure(site, ConfigChanges(public=True), CommandContext())

    await until(lambda: other.site(str(site)).site.config.public)
    assert POLL_SECONDS < 1


async def test_two_concurrent_updates_of_different_settings_both_survive(workers):
    (directory, commands, store), (_, others, _) = workers
    _, site = await register(commands)

    await asyncio.gather(
        commands.sites.configure(site, ConfigChanges(public=True), CommandContext()),
        others.sites.configure(site, ConfigChanges(excluded_countries=("DE",)), CommandContext()),
    )
    await directory.catch_up()

    config = directory.site(str(site)).site.config
    changes = {tuple(one.event.changes.supplied()) for one in (await store.load(f"site-{site}"))[1:]}
    assert (config.public, config.excluded_countries) == (True, ("DE",))
    assert changes == {("public",), ("excluded_countries",)}


async def test_a_deleted_site_is_unknown_on_the_other_worker_within_a_second(workers):
    (_, commands, _), (other, _, _) = workers
    _, site = await register(commands)
    goal = await commands.goals.define(site, name="g", rule=PathRule("/"), context=CommandContext())
    await other.find_site(str(site))

    await commands.sites.delete(site, CommandContext())

    await until(lambda: other.site(str(site)) is None)
    assert POLL_SECONDS < 1
    assert other.goal(goal) is None


async def test_a_directory_copied_from_another_one_continues_alone(workers):
    (first, commands, store), _ = workers
    _, site = await register(commands)
    goal = await commands.goals.define(site, name="g", rule=PathRule("/"), context=CommandContext())
    await first.catch_up()

    second = Directory(store, first.state)
    await commands.goals.delete(site, goal, CommandContext())
    await second.catch_up()

    assert second.site(str(site)) == first.site(str(site))
    assert second.goals_of(site) == []
    assert second.position > 0
