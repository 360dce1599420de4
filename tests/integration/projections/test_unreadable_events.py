"""An event of the journal that cannot be read: its stream is set aside, and everything else goes on."""

import asyncio
import logging

import pytest

from footfall.adapters.memory.accounts.former_proofs import MemoryFormerProofs
from footfall.adapters.memory.accounts.identities import MemoryIdentities
from footfall.adapters.memory.accounts.invitation_addresses import MemoryInvitationAddresses
from footfall.adapters.memory.accounts.people import MemoryPeople
from footfall.adapters.memory.accounts.sign_in_uses import MemorySignInUses
from footfall.adapters.memory.clock import ManualClock
from footfall.adapters.postgres.accounts.registrations import PostgresRegistrations
from footfall.adapters.postgres.database.connections import Connections
from footfall.adapters.postgres.database.listener import Listener
from footfall.adapters.postgres.journal.event_store import PostgresEventStore
from footfall.adapters.postgres.journal.identifiers import PostgresIdentifiers
from footfall.adapters.postgres.journal.repair import PostgresJournalRepair
from footfall.adapters.postgres.projections.goal_versions import GoalVersions
from footfall.adapters.postgres.projections.projector import Projector
from footfall.adapters.system import SystemRandomness
from footfall.application.commands.accounts.former_users import FormerUsers
from footfall.application.commands.all_commands import UserPorts, build_commands
from footfall.application.commands.context import CommandContext
from footfall.application.journal.directory import Directory
from footfall.application.journal.event_codec import EventCodec
from footfall.application.journal.history import History
from footfall.application.ports.journal import StreamSetAside, Unstorable
from footfall.domain.accounts.organization import Role
from footfall.domain.examples import NOON
from footfall.domain.goals.goal import EventRule, GoalDefined, path_rule
from footfall.domain.sites.configuration import ConfigChanges
from footfall.entrypoints.cli.maintenance.doctor import diagnose
from tests.contract.test_event_store import METADATA
from tests.no_cells import NoCells

CONTEXT = CommandContext()
POISON = '{"kind": "event", "event_name": "e", "property_key": "k", "property_value": 1' + "0" * 309 + "}"
INSERT = """
    insert into event (stream, version, type, schema_version, data, recorded_at)
    select %(stream)s, coalesce(max(version), 0) + 1, %(type)s, 0, %(data)s::jsonb, now()
    from event where stream = %(stream)s
"""


class World:
    """A journal with an organization of two members, two sites and a goal, and what reads it."""

    def __init__(self, connections, url):
        self.connections = connections
        self.store = PostgresEventStore(connections, Listener(url), EventCodec())
        self.directory = Directory(self.store)
        self.commands = build_commands(
            store=self.store,
            directory=self.directory,
            identifiers=PostgresIdentifiers(connections),
            users=UserPorts(
                people=MemoryPeople(),
                registrations=PostgresRegistrations(connections, self.store),
                identities=MemoryIdentities(),
                invitation_addresses=MemoryInvitationAddresses(),
                traces=(MemorySignInUses(),),
            ),
            former_users=FormerUsers(proofs=MemoryFormerProofs(), secret=lambda: b"secret"),
            cell_traffic=NoCells(),
            randomness=SystemRandomness(),
            clock=ManualClock(NOON),
        )
        self.projector = Projector(url, GoalVersions(EventCodec()))

    async def populate(self):
        await self.commands.organizations.register(name="Acme", owner="1", context=CONTEXT)
        await self.commands.organizations.add_member("1", "2", Role.MEMBER, CONTEXT)
        for name in ("One", "Two"):
            await self.commands.sites.register(
                "1", name=name, domain="example.com", created_by="1", context=CONTEXT
            )
        await self.commands.goals.define(1, name="g", rule=path_rule("/"), context=CONTEXT)
        await self.commands.api_keys.issue("1", name="k", context=CONTEXT)

    async def insert(self, stream, event_type, data):
        async with self.connections.connection() as connection:
            await connection.execute(INSERT, {"stream": stream, "type": event_type, "data": data})

    async def goal_versions(self):
        while await self.projector.catch_up():
            pass
        async with self.connections.connection() as connection:
            rows = await (await connection.execute("select goal_id from goal_version order by 1")).fetchall()
        return [row["goal_id"] for row in rows]


@pytest.fixture
async def world(database_url):
    connections = Connections(database_url)
    await connections.open()
    world = World(connections, database_url)
    await world.populate()
    yield world
    await world.projector.close()
    await connections.close()


BROKEN = [
    ("goal-1", "goal-redefined", '{"name": "g", "rule": ' + POISON + "}"),
    ("goal-6", "goal-redefined", "{}"),
    ("goal-7", "goal-redefined", '{"name": "g", "rule": {"kind": "new"}}'),
    ("goal-8", "goal-defined", '{"goal_id": 8, "site_id": 1, "name": "g", "rule": ' + POISON + "}"),
    ("goal-9", "goal-defined", '{"goal_id": 9, "site_id": 1, "name": "g", "rule": null}'),
    ("site-2", "site-configured", '{"changes": 1}'),
    ("site-9", "monthly-limit-set", '{"limit": "many"}'),
    ("organization-1", "member-added", '{"user_id": "3", "role": "king"}'),
    ("apikey-1", "api-key-issued", '{"key_id": 1' + "0" * 309 + "}"),
    ("user-1", "signed-in", "[]"),
    ("elsewhere-1", "site-deleted", "{}"),
]


async def test_the_stream_of_an_unreadable_event_is_set_aside_alone(world, caplog):
    for stream, event_type, data in BROKEN:
        await world.insert(stream, event_type, data)
    fresh = Directory(world.store)

    with caplog.at_level(logging.ERROR):
        await fresh.catch_up()
        await world.commands.organizations.register(name="Later", owner="4", context=CONTEXT)
        await world.commands.sites.rename(1, name="Later", domain=None, context=CONTEXT)
        await world.commands.sites.configure(1, ConfigChanges(public=True), CONTEXT)
        await fresh.catch_up()

    streams = [stream for stream, _, _ in BROKEN]
    assert [one.stream for one in fresh.set_aside] == streams
    assert fresh.organization("2") is not None
    assert fresh.site("1").site.name == "Later"
    assert set(streams) <= {getattr(record, "stream", None) for record in caplog.records}
    assert "000000" not in caplog.text


async def test_the_history_of_a_stream_set_aside_names_the_unreadable_event(world):
    for stream, event_type, data in BROKEN[:-1]:
        await world.insert(stream, event_type, data)

    for stream, event_type, _ in BROKEN[:-1]:
        entries = await History(world.store).of_stream(stream)

        assert entries[-1].type == event_type
        assert [change.field for change in entries[-1].changes] == ["unreadable"]


async def test_projections_continue_beside_an_unreadable_event(world):
    for stream, event_type, data in BROKEN:
        await world.insert(stream, event_type, data)

    await world.commands.goals.define(1, name="Later", rule=path_rule("/later"), context=CONTEXT)

    assert await world.goal_versions() == [1, 2]


async def test_a_goal_that_the_tables_cannot_hold_does_not_stop_projections(world):
    data = (
        '{"goal_id": 1'
        + "0" * 30
        + ', "site_id": 1, "name": "g", "rule": {"kind": "path", "path_pattern": "/"}}'
    )
    await world.insert("goal-9", "goal-defined", data)

    await world.commands.goals.define(1, name="Later", rule=path_rule("/later"), context=CONTEXT)

    assert await world.goal_versions() == [1, 2]


async def test_a_stream_set_aside_is_neither_shown_nor_changed(world):
    await world.insert("goal-1", "goal-redefined", "{}")
    await world.insert("site-2", "site-configured", '{"changes": 1}')
    await world.insert("organization-1", "member-removed", "{}")
    await world.insert("apikey-1", "api-key-issued", "[]")
    await world.directory.catch_up()
    public_id = next(one for one in await world.store.load("site-2")).event.public_id

    for refused in (
        world.commands.goals.delete(1, 1, CONTEXT),
        world.commands.sites.rename(2, name="x", domain=None, context=CONTEXT),
        world.commands.sites.delete(2, CONTEXT),
        world.commands.goals.define(2, name=None, rule=path_rule("/"), context=CONTEXT),
        world.commands.organizations.remove_member("1", "2", CONTEXT),
        world.commands.sites.register("1", name="n", domain="example.com", created_by="1", context=CONTEXT),
        world.directory.find_site("2"),
        world.directory.find_site(public_id),
    ):
        with pytest.raises(StreamSetAside):
            await refused
    with pytest.raises(StreamSetAside):
        world.directory.role("1", "1")
    with pytest.raises(StreamSetAside):
        world.directory.goal(1)
    assert world.directory.keys_of("1") == []
    assert world.directory.goals_of(1) == []
    assert [listed.site.site_id for listed in world.directory.sites()] == [1]


async def test_a_command_refuses_what_the_directory_has_not_read_yet(world):
    await world.directory.catch_up()
    await world.insert("goal-1", "goal-redefined", "{}")

    with pytest.raises(StreamSetAside, match="goal-1"):
        await world.commands.goals.delete(1, 1, CONTEXT)


async def test_a_discarded_event_has_no_effect(world):
    await world.insert("goal-1", "goal-redefined", '{"name": "g", "rule": ' + POISON + "}")

    await PostgresJournalRepair(world.connections).discard("goal-1", 2)

    fresh = Directory(world.store)
    await fresh.catch_up()
    assert fresh.set_aside == ()
    assert fresh.goal(1).goal.rule == path_rule("/")
    assert [entry.type for entry in await History(world.store).of_stream("goal-1")] == [
        "goal-defined",
        "goal-redefined",
    ]


async def test_the_first_event_of_an_organization_can_be_discarded(world):
    await world.insert("organization-9", "organization-registered", "{}")
    await world.insert("organization-9", "member-added", '{"user_id": "1", "role": "owner"}')

    await PostgresJournalRepair(world.connections).discard("organization-9", 1)

    fresh = Directory(world.store)
    await fresh.catch_up()
    assert fresh.set_aside == ()
    assert [one.organization.organization_id for one in fresh.organizations_of("1")] == ["1"]


async def test_an_event_that_would_not_be_read_back_is_not_appended(world):
    for value in (10**309, 10**400, float("inf"), float("nan"), "\x00", "\ud800", 10**30 + 1):
        event = GoalDefined(9, 1, "g", EventRule("e", "k", value))

        with pytest.raises(Unstorable):
            await world.store.append("goal-9", [event], expected=0, metadata=METADATA)

    assert await world.store.load("goal-9") == []


async def test_the_doctor_names_the_stream_and_the_way_on(world, database_url, tmp_path):
    await world.insert("goal-1", "goal-redefined", "{}")
    environment = {"FOOTFALL_DATABASE_URL": database_url, "FOOTFALL_DATA_DIR": str(tmp_path)}

    findings = await asyncio.to_thread(diagnose, environment)

    (journal,) = (finding for finding in findings if finding.subject == "journal")
    assert not journal.healthy
    assert "goal-1 (event 2, goal-redefined)" in journal.detail
    assert "footfall journal discard" in journal.detail
