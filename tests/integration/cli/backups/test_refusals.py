"""What is refused: damaged backups, wrong places, folders that are not written whole."""

import errno
import json
import os
import re
import shutil
import stat
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

import psycopg
import pytest

from footfall.adapters.backup.folder import MANIFEST, read_backup
from footfall.adapters.backup.refusal import BackupRefused
from footfall.adapters.postgres.database.migration import all_migrations
from footfall.entrypoints.composition.commands import restores
from footfall.entrypoints.composition.stores import UNFINISHED_RESTORE
from tests.integration.cli.backups.conftest import PHRASE, WITH_PHRASE, one_line, rows


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
    latest = all_migrations()[-1].number
    with psycopg.connect(database_url) as connection:
        connection.execute("delete from schema_migration where number = %s", (latest,))

    assert f"lacks 1 migration(s) of this version, up to {latest}" in one_line(
        running("backup", tmp_path / "backup")
    )


def test_the_installation_with_cells_is_not_backed_up_in_part(
    footfall_without_store, url_with_cells, tmp_path, monkeypatch
):
    monkeypatch.setenv("FOOTFALL_DATABASE_URL", url_with_cells)

    assert "sites are in cells (" in one_line(footfall_without_store("backup", tmp_path / "backup"))
    assert not (tmp_path / "backup").exists()


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
