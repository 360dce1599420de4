"""`footfall backup` and `footfall restore`: what was acknowledged comes back, what was erased does not."""

import asyncio
import errno
import json
import os
import re
import shutil
import stat
import subprocess
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path

import psycopg
import pytest

from footfall.adapters.backup.folder import MANIFEST, new_backup, read_backup
from footfall.adapters.backup.programs import Program, Target, dumped
from footfall.adapters.backup.programs import found as programs_found
from footfall.adapters.backup.programs import restored as restore_dump
from footfall.adapters.backup.refusal import BackupRefused
from footfall.adapters.postgres.database.connections import Connections
from footfall.adapters.postgres.intake.salts import PostgresSalts
from footfall.adapters.postgres.maintenance.snapshot import exported_snapshot
from footfall.adapters.sealing import SecretSealing
from footfall.adapters.system import SystemRandomness
from footfall.domain.sites.visitor_reach import VisitorReach, span_of
from footfall.entrypoints.composition.commands import backups, restores
from footfall.entrypoints.composition.stores import UNFINISHED_RESTORE
from tests.commands import commands
from tests.conftest import _database
from tests.histories import hit
from tests.integration.cli.test_visitor_command import store_hits

NOW = datetime.now(UTC).replace(microsecond=0)
DAY = timedelta(days=1)
PHRASE = "a phrase of five words"
WITH_PHRASE = {"FOOTFALL_BACKUP_PASSPHRASE": PHRASE}


def rows(url, query):
    with psycopg.connect(url) as connection:
        return connection.execute(query).fetchall()


def fill(answered, url):
    """Make a site with hits of anna, of bob, and of a browser without a user, and return its number."""
    site = answered("init", "--organization", "Acme", "--site", "Shop", "--domain", "shop.example")["siteId"]
    store_hits(
        url,
        hit(NOW - 2 * DAY, site_id=site, user_id="anna", pathname="/first"),
        hit(NOW - DAY, site_id=site, user_id="anna", pathname="/second"),
        hit(NOW - DAY, site_id=site, user_id="bob", visitor_id=2, pathname="/secret"),
        hit(NOW - DAY, site_id=site, visitor_id=3),
    )
    return site


@pytest.fixture
def site(answered, database_url):
    return fill(answered, database_url)


@pytest.fixture
def running(footfall, site):
    """Run one command on the database of the test, which has a site."""
    assert site == 1
    return footfall


@pytest.fixture
def made(running, tmp_path):
    """A backup with the secret of the database of the test."""
    result = running("backup", tmp_path / "backup", "--with-secret", env=WITH_PHRASE)
    assert result.exit_code == 0, result.output
    return tmp_path / "backup"


@pytest.fixture(scope="module")
def once_made(server_url, template, tmp_path_factory):
    """A backup with the secret, whose installation is gone."""
    folder = tmp_path_factory.mktemp("once")
    with _database(server_url, f"template {template} strategy file_copy") as url:
        run = commands(
            {"FOOTFALL_DATABASE_URL": url, "FOOTFALL_DATA_DIR": str(folder / "data"), **WITH_PHRASE}
        )
        fill(lambda *arguments: run(*arguments, "--json"), url)
        run("backup", str(folder / "backup"), "--with-secret")
    return folder / "backup"


@pytest.fixture
def found(once_made, tmp_path):
    """A backup of its own for a test that needs nothing else of the installation."""
    return shutil.copytree(once_made, tmp_path / "found")


@pytest.fixture
def new_home(footfall_without_store, empty_database_url, tmp_path, monkeypatch):
    """Run one command on another data directory and another database."""

    def run(*arguments, **options):
        with monkeypatch.context() as patch:
            patch.setenv("FOOTFALL_DATABASE_URL", empty_database_url)
            patch.setenv("FOOTFALL_DATA_DIR", str(tmp_path / "home"))
            return footfall_without_store(*arguments, **options)

    return run


@pytest.fixture
def restored(new_home):
    """Restore a backup with its secret, and return the document."""

    def run(*arguments):
        result = new_home("restore", *arguments, "--json", env=WITH_PHRASE)
        assert result.exit_code == 0, result.output
        return json.loads(result.stdout)

    return run


@pytest.fixture
def refused(new_home, empty_database_url, tmp_path):
    """Return why a backup is not restored; nothing was touched then."""

    def run(*arguments, env=WITH_PHRASE):
        before = sorted((tmp_path / "home").rglob("*")) if (tmp_path / "home").exists() else None
        result = new_home("restore", *arguments, env=env)
        assert result.exit_code == 1, result.output
        after = sorted((tmp_path / "home").rglob("*")) if (tmp_path / "home").exists() else None
        assert after == before
        assert rows(empty_database_url, "select from pg_tables where schemaname = 'public'") == []
        return one_line(result)

    return run


def one_line(result):
    assert result.stderr.startswith("footfall: ")
    assert result.stderr.count("\n") == 1
    return result.stderr


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


def change(path, name, content):
    (path / name).unlink()
    (path / name).write_bytes(content)


def flipped(path):
    dump = bytearray((path / "database.dump").read_bytes())
    dump[len(dump) // 2] ^= 1
    change(path, "database.dump", bytes(dump))


def manifest(**facts):
    """Write other facts, as the server itself would have."""

    def write(path):
        written = json.loads((path / MANIFEST).read_text()) | facts
        secret = restores._unsealed(read_backup(path), PHRASE)
        change(path, MANIFEST, json.dumps(written).encode())
        with suppress(BackupRefused):
            written["signature"] = read_backup(path).manifest.signature_by(secret)
        change(path, MANIFEST, json.dumps(written).encode())

    return write


def forged(path):
    """Put another dump into a backup, with its digest, as one can who does not know the secret."""
    dump = (path / "database.dump").read_bytes() + b"more"
    change(path, "database.dump", dump)
    written = json.loads((path / MANIFEST).read_text())
    written["files"]["database.dump"] = {"bytes": len(dump), "sha256": sha256(dump).hexdigest()}
    change(path, MANIFEST, json.dumps(written).encode())


def unsigned(path):
    written = json.loads((path / MANIFEST).read_text())
    del written["signature"]
    change(path, MANIFEST, json.dumps(written).encode())


def written(content):
    return lambda path: change(path, MANIFEST, content)


def linked(path):
    (path / "database.dump").rename(path / "elsewhere")
    (path / "database.dump").symlink_to("elsewhere")


def piped(path):
    (path / "database.dump").unlink()
    os.mkfifo(path / "database.dump")


DAMAGES = {
    "flipped": (flipped, "database.dump is damaged: it differs"),
    "truncated": (lambda path: os.truncate(path / "database.dump", 1000), "damaged: it has another size"),
    "missing": (lambda path: (path / "erasures.log").unlink(), "erasures.log: No such file"),
    "link": (linked, "database.dump: Too many levels of symbolic links"),
    "pipe": (piped, "database.dump is no regular file"),
    "killed": (lambda path: (path / MANIFEST).unlink(), "holds no backup that was completed"),
    "manifest": (lambda path: os.truncate(path / MANIFEST, 40), "manifest.json is damaged"),
    "no manifest": (written(b"[]"), "manifest.json is damaged"),
    "binary manifest": (written(b"\xff\0"), "manifest.json is damaged"),
    "nested manifest": (written(b"[" * 60_000), "manifest.json is damaged"),
    "huge": (
        written(b'{"format": 1, "files": {"database.dump": {"bytes": 1e999, "sha256": ""}}}'),
        "manifest.json is damaged",
    ),
    "of a terminal": (manifest(version="\x1b[2J", migration=9999), "manifest.json is damaged"),
    "forged": (forged, "was changed since, or another server made it"),
    "unsigned": (unsigned, "manifest.json is damaged"),
    "place": (manifest(files={"../x": {"bytes": 0, "sha256": ""}}), "manifest.json is damaged"),
    "numbers": (manifest(migration="59"), "manifest.json is damaged"),
    "format": (manifest(format=2), "of a format that this version does not know"),
    "later": (manifest(migration=9999, version="99.0"), "version 99.0 made the backup, which is later"),
    "schema": (manifest(schema="another"), "the backup is of the schema another"),
    "program": (manifest(program=99), "takes pg_restore 99 or later on the PATH"),
    "folder": (shutil.rmtree, "No such file or directory"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_backup_that_is_not_as_it_was_written_is_refused(found, refused, tmp_path, damage):
    harm, reason = DAMAGES[damage]
    harm(found)
    # What a restore makes before it knows its target goes again.
    (tmp_path / "home").mkdir()

    result = refused(found, "--without-erasures") if damage not in ("schema", "program") else None

    assert result is None or reason in result


@pytest.mark.parametrize("damage", ["schema", "program"])
def test_a_backup_that_does_not_suit_the_server_leaves_nothing(found, new_home, tmp_path, damage):
    harm, reason = DAMAGES[damage]
    harm(found)

    result = new_home("restore", found, "--without-erasures", env=WITH_PHRASE)

    assert (result.exit_code, reason in one_line(result)) == (1, True)
    assert {file.name for file in (tmp_path / "home").iterdir()} <= {"serve.lock"}


def test_only_an_empty_place_is_restored_to(made, footfall, new_home, database_url, tmp_path):
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "mine").write_text("x")
    assert "is not empty, it has mine" in one_line(new_home("restore", made, "--without-erasures"))
    (tmp_path / "home" / "mine").unlink()
    before = rows(database_url, "select count(*) from event")

    result = footfall(
        "restore",
        made,
        "--without-erasures",
        env={**WITH_PHRASE, "FOOTFALL_DATA_DIR": str(tmp_path / "home")},
    )

    assert "the database of FOOTFALL_DATABASE_URL is not empty" in one_line(result)
    assert rows(database_url, "select count(*) from event") == before
    assert {file.name for file in (tmp_path / "home").iterdir()} == {"serve.lock"}


def test_a_backup_has_a_folder_of_its_own(made, footfall, data_dir, tmp_path):
    before = {file.name: file.read_bytes() for file in made.iterdir()}
    (tmp_path / "file").write_text("x")
    reasons = {
        made: "is not empty: a backup has a folder of its own",
        data_dir / "backups": "is inside of the data directory",
        data_dir: "is inside of the data directory",
        tmp_path / "file" / "backup": "Not a directory",
    }

    for place, reason in reasons.items():
        assert reason in one_line(footfall("backup", place))

    assert {file.name: file.read_bytes() for file in made.iterdir()} == before
    assert not (data_dir / "backups").exists()


def test_a_folder_that_cannot_be_written_is_named(running):
    # Also root may make no folder there.
    assert re.search(r"/proc/backup: \w+", one_line(running("backup", "/proc/backup")))


def test_there_is_nothing_to_back_up_without_a_store(footfall_without_store, data_dir, tmp_path, monkeypatch):
    monkeypatch.delenv("FOOTFALL_DATABASE_URL", raising=False)

    assert f"{data_dir} has no store" in one_line(footfall_without_store("backup", tmp_path / "backup"))


def test_a_store_of_another_version_is_refused(running, database_url, tmp_path):
    with psycopg.connect(database_url) as connection:
        connection.execute("delete from schema_migration where number = 1")

    assert "lacks 1 migration(s) of this version, up to 1" in one_line(running("backup", tmp_path / "backup"))


def test_the_installation_with_cells_is_not_backed_up_in_part(
    footfall_without_store, url_with_cells, tmp_path, monkeypatch
):
    monkeypatch.setenv("FOOTFALL_DATABASE_URL", url_with_cells)

    assert "sites are in cells (" in one_line(footfall_without_store("backup", tmp_path / "backup"))
    assert not (tmp_path / "backup").exists()


@pytest.fixture
def written_program(tmp_path):
    """Write a program that says it is a version of PostgreSQL's, and does this instead."""

    def write(version, script):
        path = tmp_path / "pg_dump"
        path.write_text(
            f'#!/bin/sh\n[ "$1" = --version ] && echo "pg_dump (PostgreSQL) {version}.1" && exit\n{script}\n'
        )
        path.chmod(0o755)
        return path

    return write


@pytest.fixture
def only(monkeypatch, tmp_path):
    """Let no other programs of PostgreSQL be there."""

    def place(path):
        monkeypatch.setattr(backups, "program", lambda _name: path)
        monkeypatch.setenv("PATH", str(tmp_path / "empty"))

    return place


def test_a_missing_or_older_program_is_named(running, only, written_program, tmp_path):
    only(tmp_path / "missing")
    assert re.search(
        r"takes pg_dump \d+ or later on the PATH: none is installed",
        one_line(running("backup", tmp_path / "x")),
    )

    only(written_program(9, "exit 1"))

    assert f"{tmp_path}/pg_dump is version 9" in one_line(running("backup", tmp_path / "x"))
    assert not (tmp_path / "x").exists()


def test_a_program_that_fails_is_told_in_one_line_and_leaves_nothing(
    running, only, written_program, tmp_path
):
    only(written_program(99, 'printf part; echo "x: error: it broke" >&2; echo "DETAIL: anna" >&2; exit 3'))

    assert one_line(running("backup", tmp_path / "x")) == "footfall: pg_dump failed: it broke\n"
    assert not (tmp_path / "x").exists()


def test_programs_get_no_secret_among_their_arguments(running, only, written_program, database_url, tmp_path):
    only(
        written_program(
            99, f'echo "$@" > {tmp_path}/arguments; /usr/bin/env > {tmp_path}/environment; exit 3'
        )
    )
    with_password = f"{database_url} password=pass-word-of-the-role"
    env = {"FOOTFALL_DATABASE_URL": with_password, "FOOTFALL_SECRET": "the secret of the server"}

    result = running("backup", tmp_path / "x", env=env)

    assert result.exit_code == 1
    arguments, environment = (tmp_path / "arguments").read_text(), (tmp_path / "environment").read_text()
    assert "pass-word-of-the-role" not in arguments + result.stderr
    assert "PGPASSWORD=pass-word-of-the-role" in environment
    assert "FOOTFALL" not in environment


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


@pytest.fixture
def erased(answered, made, site, data_dir):
    """The list of erasures, after anna was erased since the backup."""
    assert made.exists()
    answered("visitor", "erase", site, "--user-id", "anna", "--yes")
    return data_dir / "erasures.log"


def test_an_older_backup_loses_again_what_was_erased_since(
    erased, made, restored, new_home, database_url, empty_database_url, site
):
    document = restored(made, "--erasures", erased)

    assert (document["visitorsErased"], document["sitesErased"]) == (1, 0)
    query = "select user_id from hit order by position"
    assert rows(empty_database_url, query) == rows(database_url, query) == [("bob",), (None,)]
    [erasure] = json.loads(new_home("visitor", "erasures", site, "--json").stdout)
    assert (erasure["step"], erasure["certificate"]["proven"]) == ("finished", True)
    assert new_home("projections", "rebuild", "--verify").exit_code == 0


@pytest.mark.slow
def test_a_site_that_was_deleted_since_goes_again(
    answered, running, database_url, restored, empty_database_url, data_dir, tmp_path
):
    other = answered("site", "create", "--organization", "1", "--name", "Old", "--domain", "old.example")[
        "siteId"
    ]
    store_hits(database_url, hit(NOW - DAY, site_id=other, pathname="/gone"))
    running("backup", tmp_path / "backup", "--with-secret", env=WITH_PHRASE)
    assert running("site", "delete", other, "--yes").exit_code == 0
    # The list is brought up to date by each backup, as by the service.
    assert running("backup", tmp_path / "later", "--with-secret", env=WITH_PHRASE).exit_code == 0

    document = restored(tmp_path / "backup", "--erasures", tmp_path / "later" / "erasures.log")

    assert document["sitesErased"] == 1
    assert rows(empty_database_url, f"select from hit where site_id = {other}") == []
    assert len(rows(empty_database_url, "select from hit")) == 4
    assert (tmp_path / "home" / "erasures.log").read_bytes() == (data_dir / "erasures.log").read_bytes()


@pytest.mark.slow
def test_a_later_event_of_an_erased_visitor_stays_in_a_later_backup(
    erased, footfall, database_url, site, restored, empty_database_url, tmp_path
):
    store_hits(database_url, hit(NOW, site_id=site, user_id="anna", pathname="/again"), source="another")
    footfall("backup", tmp_path / "later", "--with-secret", env=WITH_PHRASE)

    document = restored(tmp_path / "later", "--erasures", erased)

    assert document["visitorsErased"] == 0
    assert rows(empty_database_url, "select pathname from hit where user_id = 'anna'") == [("/again",)]


def again(new_home, empty_database_url, tmp_path, *arguments):
    """Back the new home up, and restore that to an emptied place."""
    result = new_home("backup", tmp_path / "again", "--with-secret", env=WITH_PHRASE)
    assert result.exit_code == 0, result.output
    shutil.rmtree(tmp_path / "home")
    with psycopg.connect(empty_database_url) as connection:
        connection.execute("drop schema public cascade")
        connection.execute("create schema public")
    result = new_home("restore", tmp_path / "again", *arguments, "--json", env=WITH_PHRASE)
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


@pytest.mark.slow
def test_a_new_site_is_never_taken_for_one_that_was_deleted_in_another_past(
    answered, running, made, restored, new_home, empty_database_url, data_dir, tmp_path
):
    gone = answered("site", "create", "--organization", "1", "--name", "Gone", "--domain", "gone.example")
    assert running("site", "delete", gone["siteId"], "--yes").exit_code == 0
    assert running("backup", tmp_path / "later", "--with-secret", env=WITH_PHRASE).exit_code == 0
    assert restored(made, "--erasures", data_dir / "erasures.log")["sitesErased"] == 0
    new = ("site", "create", "--organization", "1", "--name", "New", "--domain", "new.example", "--json")
    site = json.loads(new_home(*new).stdout)["siteId"]
    shutil.copy(tmp_path / "home" / "erasures.log", tmp_path / "list")

    document = again(new_home, empty_database_url, tmp_path, "--erasures", tmp_path / "list")

    assert (site, document["sitesErased"]) == (gone["siteId"] + 1, 0)
    assert str(site) in new_home("site", "list", "--organization", "1").stdout


@pytest.mark.slow
def test_events_that_came_after_a_restore_are_no_part_of_an_erasure_before_it(
    answered, running, site, restored, new_home, database_url, empty_database_url, data_dir, tmp_path
):
    assert running("backup", tmp_path / "before", "--with-secret", env=WITH_PHRASE).exit_code == 0
    store_hits(database_url, hit(NOW, site_id=site, user_id="zoe"), source="another")
    answered("visitor", "erase", site, "--user-id", "zoe", "--yes")
    assert restored(tmp_path / "before", "--erasures", data_dir / "erasures.log")["visitorsErased"] == 0
    store_hits(empty_database_url, hit(NOW, site_id=site, user_id="zoe", pathname="/again"), source="another")
    shutil.copy(tmp_path / "home" / "erasures.log", tmp_path / "list")

    document = again(new_home, empty_database_url, tmp_path, "--erasures", tmp_path / "list")

    assert document["visitorsErased"] == 0
    assert rows(empty_database_url, "select pathname from hit where user_id = 'zoe'") == [("/again",)]


@pytest.mark.slow
def test_a_list_that_does_not_fit_is_refused(erased, made, refused, footfall, tmp_path):
    assert "what was erased since the backup would come back" in refused(made)
    assert "No such file" in refused(made, "--erasures", tmp_path / "none")
    (tmp_path / "damaged").write_text("x\n")
    assert "is no list of erasures, or damaged" in refused(made, "--erasures", tmp_path / "damaged")
    (tmp_path / "another").write_text('{"secret": "of another server"}\n')
    assert "does not go on from the list of the backup" in refused(made, "--erasures", tmp_path / "another")
    footfall("backup", tmp_path / "later", "--with-secret", env=WITH_PHRASE)
    assert "does not go on" in refused(tmp_path / "later", "--erasures", made / "erasures.log")
    kept = erased.read_text()
    (tmp_path / "keyed").write_text(
        kept.splitlines()[0] + '\n{"secret": "a later one"}\n' + kept.splitlines()[1] + "\n"
    )
    assert "made with another secret" in refused(made, "--erasures", tmp_path / "keyed")


def test_a_site_goes_again_also_without_the_secret(
    answered, running, new_home, empty_database_url, tmp_path, monkeypatch
):
    site = answered("site", "create", "--organization", "1", "--name", "Old", "--domain", "old.example")[
        "siteId"
    ]
    add = backups._add_store

    def delete_after(*arguments):
        add(*arguments)
        assert running("site", "delete", site, "--yes").exit_code == 0
        # As the service does, before the first event of the site goes.
        assert running("visitor", "erase", "1", "--user-id", "bob", "--yes").exit_code == 0

    monkeypatch.setattr(backups, "_add_store", delete_after)
    assert running("backup", tmp_path / "backup").exit_code == 0

    result = new_home("restore", tmp_path / "backup", "--without-erasures", "--without-secret", "--json")

    assert json.loads(result.stdout)["sitesErased"] == 1
    assert rows(empty_database_url, "select from erasure") != []


def test_an_erasure_that_was_under_way_at_the_backup_is_ended(
    running, site, restored, database_url, empty_database_url, data_dir, tmp_path
):
    with psycopg.connect(database_url) as connection:
        connection.execute(
            "insert into visitor_erasure (erasure, site_id, requested_at, users, visitors, not_found)"
            " values (gen_random_uuid(), %s, %s, '{anna}', '{}', '{}')",
            (site, NOW),
        )
    assert running("backup", tmp_path / "backup", "--with-secret", env=WITH_PHRASE).exit_code == 0

    document = restored(tmp_path / "backup", "--erasures", data_dir / "erasures.log")

    assert document["visitorsErased"] == 1
    assert rows(empty_database_url, "select from hit where user_id = 'anna'") == []
    assert rows(empty_database_url, "select step from visitor_erasure") == [("finished",)]


def test_a_list_in_which_a_line_was_begun_is_backed_up_to_its_last_whole_line(
    running, restored, data_dir, tmp_path, monkeypatch
):
    add = backups._add_store

    def begin_a_line(*arguments):
        add(*arguments)
        with (data_dir / "erasures.log").open("ab") as file:
            file.write(b'{"visitor": "')

    monkeypatch.setattr(backups, "_add_store", begin_a_line)
    assert running("backup", tmp_path / "backup", "--with-secret", env=WITH_PHRASE).exit_code == 0

    restored(tmp_path / "backup", "--without-erasures")


def test_a_folder_that_is_swapped_for_a_link_is_not_followed(running, tmp_path, monkeypatch):
    place, victim = tmp_path / "backup", tmp_path / "victim"
    place.mkdir()
    victim.mkdir(mode=0o755)
    iterate, entries = Path.iterdir, os.listdir

    def swapped(read):
        def swap(folder):
            found = list(read(folder))
            if (folder == place or isinstance(folder, int)) and not place.is_symlink():
                place.rename(tmp_path / "away")
                place.symlink_to(victim)
            return iter(found) if read is iterate else found

        return swap

    monkeypatch.setattr(Path, "iterdir", swapped(iterate))
    monkeypatch.setattr(os, "listdir", swapped(entries))

    running("backup", place)

    assert stat.S_IMODE(victim.stat().st_mode) == 0o755
    assert entries(victim) == []


def test_a_program_never_sees_the_end_of_a_dump_that_is_refused(tmp_path, monkeypatch):
    program = tmp_path / "pg_restore"
    program.write_text("#!/bin/sh\nexec cat\n")
    program.chmod(0o755)
    kill, ended = subprocess.Popen.kill, []

    def watched(process):
        ended.append(process.stdin.closed)
        kill(process)

    def pieces():
        yield b"a part"
        raise BackupRefused("it differs")

    monkeypatch.setattr(subprocess.Popen, "kill", watched)
    with pytest.raises(BackupRefused, match="it differs"):
        restore_dump(Program(program, 99), Target({}, "dbname=x"), "public", pieces())

    assert ended == [False]


def test_a_file_that_cannot_be_written_whole_leaves_none(tmp_path):
    def pieces():
        yield b"half of it"
        raise OSError(errno.ENOSPC, "No space left on device")

    # A place that is configured is outside of the data directory, and what is there is kept by the next restore.
    with pytest.raises(BackupRefused, match="No space left"):
        restores._write(tmp_path / "locations.mmdb", pieces())

    assert list(tmp_path.iterdir()) == []


def test_what_a_restore_left_unfinished_is_not_used_until_it_is_repeated(found, new_home, restored, tmp_path):
    home = tmp_path / "home"
    home.mkdir()
    (home / UNFINISHED_RESTORE).touch()
    (home / "locations.mmdb").write_bytes(b"half of it")
    for command in (("site", "list"), ("serve", "--port", "0")):
        assert "did not end: repeat footfall restore" in one_line(new_home(*command))

    restored(found, "--without-erasures")

    assert not (home / UNFINISHED_RESTORE).exists()
    assert not (home / "locations.mmdb").exists()
    assert new_home("site", "list").exit_code == 0


def test_a_disk_that_is_full_is_told_in_one_line(running, tmp_path):
    full = tmp_path / "full"
    full.mkdir()
    if os.system(f"mount -t tmpfs -o size=64k tmpfs {full} 2>/dev/null"):
        pytest.skip("no file system can be mounted here")
    try:
        assert "database.dump: No space left on device" in one_line(running("backup", full / "backup"))
        assert not (full / "backup").exists()
    finally:
        os.system(f"umount {full}")


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


def test_a_backup_of_an_earlier_version_is_brought_up_to_date(running, restored, database_url, tmp_path):
    # What the version before had: its schema, and nothing of what came later.
    with psycopg.connect(database_url) as connection:
        connection.execute("alter table visitor_erasure drop column selectors")
        connection.execute("delete from schema_migration where number = 59")
    with exported_snapshot(database_url) as snapshot, new_backup(tmp_path / "backup") as backup:
        server = snapshot.server
        target = Target.of(database_url, host=server.host, port=server.port, database=server.database)
        [program, *_] = programs_found("pg_dump", backups.program("pg_dump"))
        backup.add("database.dump", dumped(program, target, server.schema, snapshot.name, ()))
        backup.finish(
            b"the secret of that server",
            version="0.9",
            made_at="2026-01-01T00:00:00.000Z",
            migration=snapshot.migration,
            schema=server.schema,
            server=server.version,
            program=program.major,
            journal_position=snapshot.journal_position,
            hit_position=snapshot.hit_position,
            secret="",
        )
    assert running("site", "list").exit_code == 1

    document = restored(tmp_path / "backup", "--without-erasures", "--without-secret")

    assert (document["version"], document["migrations"], document["hitPosition"]) == ("0.9", 1, 4)
