"""Updates: two versions on one store, and migrations that are torn from their work."""

import asyncio
import os
import signal
import subprocess

import psycopg
import pytest

from footfall.adapters.embedded import EmbeddedPostgres
from footfall.adapters.postgres.database.migration import all_migrations
from footfall.entrypoints.composition.commands.command_stores import read_set_aside
from tests.e2e.failures.faults import assert_kept, loaded_during, stored, track
from tests.e2e.service import COMMAND, Service, running
from tests.released.dumps import SETTINGS, answers_to, releases, restore_release
from tests.waiting import wait_until

# What a newer version may do to the schema: add. And what it may write into the journal: what only it knows.
NEWER = """
    create table invention (id bigint primary key);
    alter table hit add column invention text;
    alter table session add column invention text;
    insert into schema_migration (number, name) values (9999, 'invention');
    insert into event (stream, version, type, schema_version, data, recorded_at)
    values
        ('site-1', (select max(version) + 1 from event where stream = 'site-1'), 'site-teleported', 0, '{}', now()),
        ('planet-1', 1, 'planet-registered', 0, '{}', now());
"""


@pytest.mark.slow
def test_an_older_version_goes_on_beside_a_newer_one(data_dir):
    def update():
        with EmbeddedPostgres(data_dir) as server, psycopg.connect(server.url, autocommit=True) as connection:
            connection.execute(NEWER)
        # A worker that starts now meets the newer schema from its beginning.
        before = service.workers()
        before[0].send_signal(signal.SIGTERM)
        wait_until(lambda: before[0] not in service.workers() and len(service.workers()) == 2)

    with running(data_dir) as service:
        ledger = loaded_during(service, update)
        key = service.first_key()
        created = service.send(
            "POST", "/api/sites/1/goals", {"goalType": "path", "config": {"pathPattern": "/load"}}, key=key
        )
        changed = service.send("PUT", "/api/sites/1/config", {"public": True}, key=key)
        organization = service.administer("org", "create", "--name", "Later")
        history = service.administer("history", "site-1")
        answers = {
            "track": track(service, "later")[0],
            "ready": service.get("/readyz")[0],
            "goal": created[0],
            "config": changed[0],
        }
        service.stop()

    assert answers == {"track": 200, "ready": 200, "goal": 201, "config": 409}
    assert "newer version" in changed[1]["error"]
    assert "organizationId" in organization
    assert "site-teleported" in {event["type"] for event in history}
    assert_kept(ledger, stored(service))


def test_killed_migration_is_completed_by_the_next_start(empty_database_url, tmp_path):
    environment = os.environ | {
        "FOOTFALL_DATABASE_URL": empty_database_url,
        "FOOTFALL_DATA_DIR": str(tmp_path),
    }
    with (
        psycopg.connect(empty_database_url) as holder,
        psycopg.connect(empty_database_url, autocommit=True) as looker,
    ):
        # The first migration makes this sequence somewhere in its middle; here another process is about to.
        holder.execute("create sequence hit_position")
        torn = subprocess.Popen([*COMMAND, "migrate"], env=environment)
        wait_until(lambda: waiting(looker))
        torn.kill()
        torn.wait()
        holder.rollback()
        wait_until(lambda: not waiting(looker))
        left = looker.execute("select to_regclass('event'), count(*) from schema_migration").fetchone()

        done = subprocess.run([*COMMAND, "migrate"], env=environment, timeout=60, check=False)

        applied = looker.execute("select number from schema_migration order by number").fetchall()
    assert left == (None, 0)
    assert done.returncode == 0
    assert [number for (number,) in applied] == [migration.number for migration in all_migrations()]


@pytest.mark.slow
@pytest.mark.parametrize("version", releases())
def test_a_database_of_a_release_is_read_as_it_was(empty_database_url, data_dir, version):
    key, answers = restore_release(empty_database_url, version)
    environment = SETTINGS | {"FOOTFALL_DATABASE_URL": empty_database_url}
    service = Service(data_dir, environment=environment)
    service.run("migrate")

    with running(data_dir, environment=environment) as service:
        found = answers_to(service, key, answers)
        tracked = track(service, "later")[0]

    assert without_newer_fields(found, answers) == answers
    assert tracked == 200
    assert asyncio.run(read_set_aside(empty_database_url)) == ()


def without_newer_fields(found, answers):
    """Return what was found without the fields that answers have gained since."""
    match found, answers:
        case dict(), dict():
            return {
                name: without_newer_fields(value, answers[name])
                for name, value in found.items()
                if name in answers
            }
        case list(), list():
            longer = found[len(answers) :]
            return [*map(without_newer_fields, found, answers), *longer]
        case _:
            return found


def waiting(connection):
    """Return how many sessions of the database wait for a lock."""
    [found] = connection.execute(
        "select count(*) from pg_stat_activity"
        " where datname = current_database() and wait_event_type = 'Lock'"
    ).fetchone()
    return found
