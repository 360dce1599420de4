"""`footfall backup` and `footfall restore`: what comes back, with the secret and without it."""

import asyncio
import stat

import psycopg
import pytest

from footfall.adapters.backup.folder import new_backup
from footfall.adapters.backup.programs import Target, dumped
from footfall.adapters.backup.programs import found as programs_found
from footfall.adapters.postgres.database.connections import Connections
from footfall.adapters.postgres.database.migration import all_migrations
from footfall.adapters.postgres.intake.salts import PostgresSalts
from footfall.adapters.postgres.maintenance.dumped_store import exported_snapshot
from footfall.adapters.sealing import SecretSealing
from footfall.adapters.system import SystemRandomness
from footfall.domain.sites.visitor_reach import VisitorReach, span_of
from footfall.entrypoints.composition.commands import backups
from tests.integration.cli.backups.conftest import NOW, PHRASE, WITH_PHRASE, one_line, rows
from tests.released import dumps


def test_a_restore_has_every_row_and_projections_that_verify(
    made, restored, new_home, database_url, empty_database_url
):
    document = restored(made, "--without-erasures")

    assert document["hitPosition"] == 4
    query = "select * from hit order by position"
    assert rows(empty_database_url, query) == rows(database_url, query)
    query = "select * from event order by position"
    assert rows(empty_database_url, query) == rows(database_url, query)
    assert new_home("projections", "rebuild", "--verify").exit_code == 0


def test_only_the_owner_reads_a_backup(found):
    assert stat.S_IMODE(found.stat().st_mode) == 0o700
    assert {stat.S_IMODE(file.stat().st_mode) for file in found.iterdir()} == {0o600}


def test_files_of_places_and_the_list_of_erasures_are_part_of_a_backup(running, data_dir, restored, tmp_path):
    data_dir.mkdir(exist_ok=True)
    (data_dir / "locations.mmdb").write_bytes(b"places" * 500_000)
    (data_dir / "bots.json").write_text("{}")

    assert running("backup", tmp_path / "backup", "--with-secret", env=WITH_PHRASE).exit_code == 0
    restored(tmp_path / "backup", "--without-erasures")

    home = tmp_path / "home"
    kept = {
        name: (home / name).read_bytes() for name in ("locations.mmdb", "bots.json", "erasures.log", "secret")
    }
    assert kept == {name: (data_dir / name).read_bytes() for name in kept}
    assert {file.name for file in home.iterdir()} == {*kept, "serve.lock"}
    assert {stat.S_IMODE((home / name).stat().st_mode) for name in kept} == {0o600}


def test_the_secret_is_in_no_file_as_it_is(running, data_dir, made, tmp_path):
    secret = (data_dir / "secret").read_text().strip()
    assert running("backup", tmp_path / "without").exit_code == 0

    everything = b"".join(
        file.read_bytes() for folder in (made, tmp_path / "without") for file in folder.iterdir()
    )

    assert secret.encode() not in everything
    assert bytes.fromhex(secret) not in everything
    assert PHRASE.encode() not in everything
    assert not (tmp_path / "without" / "secret.sealed").exists()
    assert (data_dir / "salts.key").exists() is False


def test_a_configured_secret_is_restored_as_a_file(running, new_home, tmp_path):
    secret = "a configured secret of a server"
    env = {**WITH_PHRASE, "FOOTFALL_SECRET": secret}
    assert running("backup", tmp_path / "backup", "--with-secret", env=env).exit_code == 0

    assert new_home("restore", tmp_path / "backup", "--without-erasures", env=WITH_PHRASE).exit_code == 0

    assert bytes.fromhex((tmp_path / "home" / "secret").read_text()) == secret.encode()
    assert new_home("site", "list").exit_code == 0


def test_a_passphrase_comes_from_a_file_too(found, new_home, tmp_path):
    (tmp_path / "phrase").write_text(f"{PHRASE}\nanother line\n")

    result = new_home("restore", found, "--without-erasures", "--passphrase-file", tmp_path / "phrase")

    assert result.exit_code == 0, result.output


@pytest.mark.parametrize(
    ("env", "arguments", "reason"),
    [
        ({"FOOTFALL_BACKUP_PASSPHRASE": "another phrase"}, (), "the passphrase is not that of the backup"),
        ({"FOOTFALL_BACKUP_PASSPHRASE": ""}, (), "give the passphrase as FOOTFALL_BACKUP_PASSPHRASE or with"),
        ({}, ("--passphrase-file", "/none"), "/none: No such file or directory"),
        (
            {"FOOTFALL_SECRET": "a secret of another one"},
            (),
            "is not that of the server which made the backup",
        ),
    ],
)
def test_without_its_secret_a_backup_is_not_restored(found, refused, env, arguments, reason):
    assert reason in refused(found, "--without-erasures", *arguments, env=env)


def test_a_restore_goes_on_without_the_secret_knowingly(running, refused, new_home, tmp_path):
    assert running("backup", tmp_path / "backup").exit_code == 0
    assert "does not hold the secret" in refused(tmp_path / "backup", "--without-erasures")
    assert "does not hold the secret" in refused(
        tmp_path / "backup", "--without-secret", "--erasures", tmp_path / "x"
    )

    result = new_home("restore", tmp_path / "backup", "--without-erasures", "--without-secret")

    assert result.exit_code == 0, result.output
    assert not (tmp_path / "home" / "secret").exists()


@pytest.mark.parametrize("phrase", ["short", ""])
def test_a_secret_needs_a_passphrase(running, tmp_path, phrase):
    result = running(
        "backup", tmp_path / "backup", "--with-secret", env={"FOOTFALL_BACKUP_PASSPHRASE": phrase}
    )

    assert "passphrase" in one_line(result)
    assert not (tmp_path / "backup").exists()


async def draw(url):
    connections = Connections(url)
    await connections.open()
    salts = PostgresSalts(connections, SystemRandomness(), SecretSealing(b"key"))
    await salts.of(span_of(VisitorReach.YEAR, NOW))
    await salts.of(span_of(VisitorReach.DAY, NOW))
    await connections.close()


def test_no_backup_has_a_salt(running, restored, database_url, empty_database_url, tmp_path):
    asyncio.run(draw(database_url))
    assert running("backup", tmp_path / "backup", "--with-secret", env=WITH_PHRASE).exit_code == 0

    restored(tmp_path / "backup", "--without-erasures")

    for table in ("visitor_salt", "visitor_span_salt"):
        assert len(rows(database_url, f"select from {table}")) == 1
        assert rows(empty_database_url, f"select from {table}") == []
    assert "salts.key" not in {file.name for file in (tmp_path / "backup").iterdir()}


def test_events_of_a_new_month_are_stored_while_a_dump_reads(site, database_url):
    with psycopg.connect(database_url) as dumping:
        # What pg_dump holds until its end.
        tables = dumping.execute(
            "select quote_ident(tablename) from pg_tables where schemaname = 'public'"
        ).fetchall()
        dumping.execute(f"lock table {', '.join(name for [name] in tables)} in access share mode")
        with psycopg.connect(database_url) as connection:
            connection.execute("set lock_timeout = '1s'")
            connection.execute("select hit_partition('2031-05-01')")

    assert rows(database_url, "select to_regclass('hit_203105') is not null") == [(True,)]
    assert site == 1


def test_a_backup_of_an_earlier_version_is_brought_up_to_date(
    made, restored, empty_database_url, add_migration
):
    add_migration(b"create table later (number integer)")

    document = restored(made, "--without-erasures")

    assert (document["migrations"], document["hitPosition"]) == (1, 4)
    assert rows(empty_database_url, "select count(*) from later") == [(0,)]


def test_a_backup_of_the_last_version_before_the_first_release_is_adopted(
    restored, database_url, empty_database_url, tmp_path
):
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute("drop schema public cascade; create schema public")
    dumps.restore(database_url, dumps.BEFORE)
    with exported_snapshot(database_url) as snapshot, new_backup(tmp_path / "backup") as backup:
        server = snapshot.server
        target = Target.of(database_url, host=server.host, port=server.port, database=server.database)
        [program, *_] = programs_found("pg_dump", backups.program("pg_dump"))
        backup.add("database.dump", dumped(program, target, server.schema, snapshot.name, ()))
        backup.finish(
            b"the secret of that server",
            version="1.0.0",
            made_at="2026-01-01T00:00:00.000Z",
            migration=snapshot.migration,
            schema=server.schema,
            server=server.version,
            program=program.major,
            journal_position=snapshot.journal_position,
            hit_position=snapshot.hit_position,
            secret="",
        )

    document = restored(tmp_path / "backup", "--without-erasures", "--without-secret")

    migrations = [(migration.number, migration.name) for migration in all_migrations()]
    assert document["migrations"] == len(migrations)
    query = "select number, name from schema_migration order by number"
    assert rows(empty_database_url, query) == migrations
