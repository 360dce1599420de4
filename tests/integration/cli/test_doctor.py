"""`footfall doctor` finds what is wrong, and names no secret."""

import asyncio
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from footfall.adapters.postgres.database.server_check import examine
from footfall.adapters.sealing import SecretSealing
from footfall.application.commands.context import CommandContext
from footfall.domain.sites.segment import Condition
from footfall.entrypoints.cli.maintenance.doctor import diagnose
from footfall.entrypoints.composition.commands.command_stores import open_journal
from footfall.entrypoints.composition.stores import migrate_served
from tests.links import new_link
from tests.waiting import wait_until

# A server whose clock is some seconds behind.
OTHER_CLOCK = """
    create function clock_timestamp() returns timestamptz language sql as $$
        select pg_catalog.clock_timestamp() - interval '{} seconds'
    $$;
    do $$ begin
        execute format('alter database %I set search_path = public, pg_catalog', current_database());
    end $$
"""


@pytest.fixture
def environment(server_url, database_url, tmp_path):
    """An installation on a server with PostgreSQL's own settings of durability, which the server of the tests lacks."""
    names = ("fsync", "full_page_writes")
    with psycopg.connect(server_url, autocommit=True) as connection:
        before = [connection.execute(f"show {name}").fetchone()[0] for name in names]
        configure(connection, dict.fromkeys(names, "on"))
        yield {"FOOTFALL_DATABASE_URL": database_url, "FOOTFALL_DATA_DIR": str(tmp_path)}
        configure(connection, dict(zip(names, before, strict=True)))


def configure(connection, values):
    for name, value in values.items():
        connection.execute(f"alter system set {name} = {value}")
    connection.execute("select pg_reload_conf()")
    wait_until(
        lambda: all(
            connection.execute(f"show {name}").fetchone()[0] == value for name, value in values.items()
        )
    )


def faults(environment, **changes):
    return {
        finding.subject: finding.detail
        for finding in diagnose({**environment, **changes})
        if not finding.healthy
    }


def execute(url, statement):
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(statement)


def test_a_healthy_installation_has_no_faults(environment):
    assert faults(environment) == {}


def test_every_check_of_the_doctor_has_a_finding(environment):
    assert [finding.subject for finding in diagnose(environment)] == [
        "configuration",
        "exposure",
        "secret",
        "geolocation",
        "networks",
        "bots",
        "disk",
        "passkeys",
        "single sign-on",
        "mail server",
        "reading process",
        "store",
        "server",
        "sessions",
        "rights",
        "durability",
        "standbys",
        "encryption",
        "clock",
        "schema",
        "journal",
        "projections",
        "goals",
        "mail",
        "private links",
        "targets",
        "salts",
        "filters",
        "columns",
    ]


def test_files_that_cannot_be_made_are_a_fault(environment):
    columns = Path(environment["FOOTFALL_DATA_DIR"]) / "columns"
    columns.mkdir()
    (columns / "trouble").write_text("the disk is full")

    assert faults(environment) == {
        "columns": "files cannot be made, and reports on long periods are refused: the disk is full"
    }


def test_a_node_that_erasure_waits_for_is_named(environment, database_url):
    node = uuid4()
    execute(
        database_url, f"insert into column_node (node, seen_at) values ('{node}', now() - interval '2 days')"
    )

    found = faults(environment)

    assert set(found) == {"columns"}
    assert f"node {node}" in found["columns"]
    assert "footfall columns forget" in found["columns"]


def test_a_goal_that_the_projector_has_set_aside_is_named(environment, database_url):
    execute(
        database_url,
        "insert into goal_version (goal_id, site_id, version, number, path_regex, set_aside)"
        " values (3, 7, 1, 5, '^/slow', 'its pattern takes too long')",
    )

    found = faults(environment)

    assert set(found) == {"goals"}
    assert "goal 3 of site 7 (its pattern takes too long)" in found["goals"]


def test_a_link_of_another_secret_is_named(environment, database_url):
    secret = "the secret of this installation"

    async def prepare():
        async with open_journal(database_url) as journal:
            commands, context = journal.commands, CommandContext()
            user = await commands.people.register(context)
            organization = await commands.organizations.register(name="A", owner=user, context=context)
            for sealed_with in (b"another", secret.encode()):
                site = await commands.sites.register(
                    organization, name="S", domain="e.com", created_by=user, context=context
                )
                await new_link(commands, site, sealed_with)

    asyncio.run(prepare())

    found = faults(environment, FOOTFALL_SECRET=secret)

    assert set(found) == {"private links"}
    assert "those of site 1. They work; replace them" in found["private links"]


def test_a_target_of_another_secret_is_named(environment, database_url):
    other = SecretSealing(b"another").seal("https://example.com/")
    execute(database_url, f"insert into alert_target (site_id, target, url) values (7, 1, '{other}')")

    found = faults(environment, FOOTFALL_SECRET="the secret of this installation")

    assert set(found) == {"targets"}
    assert "those of site 7. Remove" in found["targets"]


def test_saved_filters_that_are_refused_are_named(environment, database_url):
    asyncio.run(save_filters(database_url))

    found = faults(environment)

    assert set(found) == {"filters"}
    assert (
        "segment 1 of site 1: not an accepted regular expression: invalid escape sequence: \\é. C"
        in found["filters"]
    )


def test_the_migration_lists_saved_filters_that_are_refused(footfall, database_url):
    asyncio.run(save_filters(database_url))

    result = footfall("migrate")

    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "the schema is current",
        "change segment 1 of site 1: not an accepted regular expression: invalid escape sequence: \\é",
    ]


def test_an_update_of_the_embedded_store_lists_saved_filters_that_are_refused(
    database_url, add_migration, caplog
):
    asyncio.run(save_filters(database_url))
    add_migration(b"create table later (number integer)")

    migrate_served(database_url)

    assert [record.getMessage() for record in caplog.records] == [
        "saved filters are refused, and footfall doctor says why: segment 1 of site 1"
    ]


async def save_filters(url):
    async with open_journal(url) as journal:
        commands, context = journal.commands, CommandContext()
        user = await commands.people.register(context)
        organization = await commands.organizations.register(name="A", owner=user, context=context)
        site = await commands.sites.register(
            organization, name="S", domain="e.com", created_by=user, context=context
        )
        for name, expression in (("Old", "\\é"), ("New", "é")):
            conditions = (Condition("page_title", "regex", (expression,)),)
            await commands.segments.define(
                site, name=name, owner=None, conditions=conditions, context=context
            )


def test_every_fault_of_the_configuration_is_named(environment):
    found = faults(environment, FOOTFALL_PORT="http", FOOTFALL_WORKERS="none")

    assert set(found) == {"FOOTFALL_PORT", "FOOTFALL_WORKERS"}


@pytest.mark.parametrize(
    ("url", "part"),
    [
        ("postgresql://somebody:hunter2@127.0.0.1:1/footfall", "127.0.0.1"),
        ("postgresql://somebody:hunter2@nowhere.invalid/footfall", "nowhere.invalid"),
        ("postgresql://somebody:hunt/er2@127.0.0.1:x/footfall", "cannot be read"),
    ],
)
def test_a_wrong_url_is_named_without_its_password(environment, url, part):
    found = faults(environment, FOOTFALL_DATABASE_URL=url)

    assert set(found) == {"store"}
    assert part in found["store"]
    assert "hunt" not in found["store"]


def test_a_database_that_is_not_there_is_named(environment, database_url):
    found = faults(environment, FOOTFALL_DATABASE_URL=make_conninfo(database_url, dbname="nothing_here"))

    assert "nothing_here" in found["store"]


def test_missing_rights_are_named(database_url):
    name = conninfo_to_dict(database_url)["dbname"]
    execute(database_url, f"drop role if exists guest_{name}")
    execute(database_url, f"create role guest_{name} login password 'guest'")
    execute(database_url, f"grant select on all tables in schema public to guest_{name}")
    execute(database_url, f'revoke temporary on database "{name}" from public')

    guest = make_conninfo(database_url, user=f"guest_{name}", password="guest")
    examined = examine(guest)

    execute(database_url, f'grant temporary on database "{name}" to public')
    assert {
        "insert on hit",
        "insert on event",
        "create in the schema",
        "temporary on the database",
        "ownership of the table hit",
    } <= set(examined.missing_rights)
    assert "select on hit" not in examined.missing_rights
    execute(database_url, f"drop owned by guest_{name}; drop role guest_{name}")


def test_an_old_schema_is_named(environment, empty_database_url):
    found = faults(environment, FOOTFALL_DATABASE_URL=empty_database_url)

    assert "footfall migrate" in found["schema"]


def test_a_server_that_forgets_what_it_acknowledged_is_named(environment, database_url):
    name = conninfo_to_dict(database_url)["dbname"]
    execute(database_url, f"alter database {name} set synchronous_commit = off")

    found = faults(environment)

    assert found == {"durability": "not durable: synchronous_commit is off"}


def test_an_unreadable_geolocation_database_is_named(environment, tmp_path):
    (tmp_path / "places.mmdb").write_bytes(b"no database at all")

    damaged = faults(environment, FOOTFALL_GEOIP_DATABASE=str(tmp_path / "places.mmdb"))
    missing = faults(environment, FOOTFALL_GEOIP_DATABASE=str(tmp_path / "nothing.mmdb"))

    assert "places.mmdb" in damaged["geolocation"]
    assert "nothing.mmdb" in missing["geolocation"]


def test_an_unreadable_database_of_networks_is_named(environment, tmp_path):
    (tmp_path / "networks.mmdb").write_bytes(b"no database at all")

    found = faults(environment, FOOTFALL_GEOIP_DATABASE=str(tmp_path / "places.mmdb"))

    assert "networks.mmdb" in found["networks"]


@pytest.mark.parametrize(("ahead", "words"), [(3600, "3,600 seconds ahead of"), (-90, "90 seconds behind")])
def test_a_clock_that_is_far_from_the_databases_is_named(environment, database_url, ahead, words):
    execute(database_url, OTHER_CLOCK.format(ahead))

    assert words in faults(environment)["clock"]


def test_the_clocks_of_one_machine_agree(database_url):
    # Half of what it takes to ask counts as a difference, and on a busy machine that may be long.
    assert abs(examine(database_url).clock_ahead) < timedelta(seconds=30)


@pytest.mark.skipif(sys.platform != "linux", reason="no file system here is always full")
def test_a_disk_that_is_nearly_full_is_named(environment):
    found = faults(environment, FOOTFALL_DATA_DIR="/proc")

    assert "only 0 MiB are free in /proc" in found["disk"]


def test_a_projector_that_lags_is_named(environment, database_url):
    then = datetime.now(UTC) - timedelta(hours=1)
    execute(database_url, f"select hit_partition('{then}')")
    execute(
        database_url,
        "insert into hit (site_id, visitor_id, occurred_at, received_at, type, device_type)"
        f" values (1, 1, '{then}', '{then}', 'pageview', 'desktop')",
    )

    found = faults(environment)

    assert found["projections"].startswith("1 event(s) wait for 3,6")


def test_a_secret_that_others_can_read_is_named(environment, tmp_path):
    assert faults(environment) == {}
    (tmp_path / "secret").chmod(0o640)

    found = faults(environment)

    assert "chmod 600" in found["secret"]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"FOOTFALL_HOST": "0.0.0.0"}, "FOOTFALL_TRUSTED_PROXIES"),
        ({"FOOTFALL_HOST": "::"}, "FOOTFALL_TRUSTED_PROXIES"),
        ({"FOOTFALL_HOST": "desk.example.com"}, "FOOTFALL_TRUSTED_PROXIES"),
        (
            {
                "FOOTFALL_HOST": "0.0.0.0",
                "FOOTFALL_TRUSTED_PROXIES": "10.0.0.0/8",
                "FOOTFALL_RATE_LIMIT": "off",
            },
            "FOOTFALL_RATE_LIMIT",
        ),
        ({"FOOTFALL_TRUSTED_PROXIES": "0.0.0.0/0"}, "can claim any address"),
        ({"FOOTFALL_TRUSTED_PROXIES": "::/0"}, "can claim any address"),
        ({"FOOTFALL_SECRET": "aaaaaaaaaaaaaaaa"}, "openssl rand"),
    ],
)
def test_an_unsafe_configuration_is_named(environment, changes, words):
    found = faults(environment, **changes)

    assert words in found["exposure"]


@pytest.mark.parametrize(
    "changes",
    [
        {"FOOTFALL_HOST": "localhost"},
        {"FOOTFALL_HOST": "0.0.0.0", "FOOTFALL_TRUSTED_PROXIES": "10.0.0.0/8,fd00::/8"},
        {"FOOTFALL_SECRET": "0123456789abcdef0123456789abcdef"},
    ],
)
def test_a_safe_configuration_is_left_alone(environment, changes):
    assert "exposure" not in faults(environment, **changes)


def test_the_command_ends_with_status_one_when_something_is_wrong(footfall):
    done = footfall("doctor", env={"FOOTFALL_HOST": "0.0.0.0"})

    assert done.exit_code == 1
    assert "FAULT exposure: 0.0.0.0 is open" in done.stdout
