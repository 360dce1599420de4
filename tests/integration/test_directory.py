"""Directories of several workers over one journal."""

import asyncio

import pytest

from footfall.adapters.postgres.connections import Connections
from footfall.adapters.postgres.event_store import PostgresEventStore
from footfall.adapters.postgres.identifiers import PostgresIdentifiers
from footfall.adapters.postgres.listener import Listener
from footfall.adapters.system import SystemClock, SystemRandomness
from footfall.application.commands import Cause, Commands
from footfall.application.directory import POLL_SECONDS, Directory
from footfall.application.journal import EventCodec
from footfall.application.ports import Actor, Metadata
from footfall.domain.examples import NOON
from footfall.domain.goal import GoalRedefined, PathRule
from footfall.domain.site import ConfigChanges
from footfall.entrypoints.background import Background
from tests.waiting import until


@pytest.fixture
def seldom_looking(monkeypatch):
    """Workers that look for changes by themselves no more often than once in an hour."""
    monkeypatch.setattr("footfall.application.directory.POLL_SECONDS", 3_600)


@pytest.fixture
async def workers(database_url):
    """Two workers: each with a directory that follows, and commands."""
    made, backgrounds, pools = [], [], []
    for _ in range(2):
        pool, listener = Connections(database_url), Listener(database_url)
        await pool.open()
        store = PostgresEventStore(pool, listener, EventCodec())
        directory = Directory(store)
        background = Background({"listener": listener.run, "directory": directory.follow})
        background.start()
        commands = Commands(
            store=store,
            directory=directory,
            identifiers=PostgresIdentifiers(pool),
            randomness=SystemRandomness(),
            clock=SystemClock(),
        )
        made.append((directory, commands, store))
        backgrounds.append(background)
        pools.append(pool)
    await asyncio.sleep(0.2)
    yield made
    for background, pool in zip(backgrounds, pools, strict=True):
        await background.stop()
        await pool.close()


async def register(commands):
    user = await commands.register_user()
    organization = await commands.register_organization(name="Acme", owner=user, cause=Cause())
    site = await commands.register_site(
        organization, name="A", domain="a.com", created_by=user, cause=Cause()
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
    issued = await commands.issue_key(user, name="k", cause=Cause())
    assert await other.find_key(issued.state.digest) is not None

    await commands.revoke_key(user, issued.key_id, Cause())

    await until(lambda: other.key(issued.state.digest) is None)
    assert POLL_SECONDS < 1


@pytest.mark.usefixtures("seldom_looking")
async def test_a_change_is_announced_to_the_other_worker_which_need_not_look(workers):
    (_, commands, _), (other, _, _) = workers

    _, site = await register(commands)

    await until(lambda: other.site(str(site)) is not None)


async def test_polling_finds_what_no_notification_announced(database_url, workers):
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
    goal = await commands.define_goal(site, name="g", rule=PathRule("/"), cause=Cause())
    events = [GoalRedefined(f"g{number}", PathRule(f"/{number}")) for number in range(2_000)]
    await store.append(f"goal-{goal}", events, expected=1, metadata=Metadata(Actor(), NOON))
    pool = Connections(database_url)
    await pool.open()
    fresh = Directory(PostgresEventStore(pool, Listener(database_url), EventCodec()))

    async with asyncio.timeout(20):
        await fresh.catch_up()

    await pool.close()
    assert fresh.goal(goal).goal.name == "g1999"


async def test_callers_of_a_catch_up_share_one_reading(workers):
    (directory, commands, store), _ = workers
    await register(commands)
    reads, read_all = [], store.read_all

    async def counting(**arguments):
        reads.append(arguments)
        return await read_all(**arguments)

    store.read_all = counting
    await asyncio.gather(*(directory.catch_up() for _ in range(100)))

    # Theirs, and those of the worker, which looks by itself twice a second meanwhile.
    assert len(reads) <= 10


async def test_a_setting_is_in_force_on_the_other_worker_within_a_second(workers):
    (_, commands, _), (other, _, _) = workers
    _, site = await register(commands)
    await other.find_site(str(site))

    await commands.configure_site(site, ConfigChanges(public=True), Cause())

    await until(lambda: other.site(str(site)).site.config.public)
    assert POLL_SECONDS < 1


async def test_two_concurrent_updates_of_different_settings_both_survive(workers):
    (directory, commands, store), (_, others, _) = workers
    _, site = await register(commands)

    await asyncio.gather(
        commands.configure_site(site, ConfigChanges(public=True), Cause()),
        others.configure_site(site, ConfigChanges(excluded_countries=("DE",)), Cause()),
    )
    await directory.catch_up()

    config = directory.site(str(site)).site.config
    changes = {tuple(one.event.changes.supplied()) for one in (await store.load(f"site-{site}"))[1:]}
    assert (config.public, config.excluded_countries) == (True, ("DE",))
    assert changes == {("public",), ("excluded_countries",)}


async def test_a_deleted_site_is_unknown_on_the_other_worker_within_a_second(workers):
    (_, commands, _), (other, _, _) = workers
    _, site = await register(commands)
    goal = await commands.define_goal(site, name="g", rule=PathRule("/"), cause=Cause())
    await other.find_site(str(site))

    await commands.delete_site(site, Cause())

    await until(lambda: other.site(str(site)) is None)
    assert POLL_SECONDS < 1
    assert other.goal(goal) is None


async def test_a_directory_that_begins_with_another_one_goes_on_alone(workers):
    (first, commands, store), _ = workers
    _, site = await register(commands)
    goal = await commands.define_goal(site, name="g", rule=PathRule("/"), cause=Cause())
    await first.catch_up()

    second = Directory(store, known=first)
    await commands.delete_goal(site, goal, Cause())
    await second.catch_up()

    assert second.site(str(site)) == first.site(str(site))
    assert second.goals_of(site) == []
    assert second.position > 0
