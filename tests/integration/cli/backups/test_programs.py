"""The programs of PostgreSQL that write and read dumps."""

import re
import subprocess

import pytest

from footfall.adapters.backup.programs import Program, Target
from footfall.adapters.backup.programs import restored as restore_dump
from footfall.adapters.backup.refusal import BackupRefused
from tests.integration.cli.backups.conftest import one_line


@pytest.fixture
def written_program(tmp_path):
    """Write a program that says it is a version of PostgreSQL's, and does this instead."""

    def write(version, script):
        path = tmp_path / "programs" / "pg_dump"
        path.parent.mkdir(exist_ok=True)
        path.write_text(
            f'#!/bin/sh\n[ "$1" = --version ] && echo "pg_dump (PostgreSQL) {version}.1" && exit\n{script}\n'
        )
        path.chmod(0o755)

    return write


@pytest.fixture
def only_written(monkeypatch, without_own_programs, tmp_path):
    """Let no other programs of PostgreSQL be there."""
    without_own_programs()
    monkeypatch.setenv("PATH", str(tmp_path / "programs"))


@pytest.mark.usefixtures("only_written")
def test_a_missing_or_older_program_is_named(running, written_program, tmp_path):
    assert re.search(
        r"takes pg_dump \d+ or later on the PATH: none is installed",
        one_line(running("backup", tmp_path / "x")),
    )

    written_program(9, "exit 1")

    assert f"{tmp_path}/programs/pg_dump is version 9" in one_line(running("backup", tmp_path / "x"))
    assert not (tmp_path / "x").exists()


@pytest.mark.usefixtures("only_written")
def test_a_program_that_fails_is_told_in_one_line_and_leaves_nothing(running, written_program, tmp_path):
    written_program(99, 'printf part; echo "x: error: it broke" >&2; echo "DETAIL: anna" >&2; exit 3')

    assert one_line(running("backup", tmp_path / "x")) == "footfall: pg_dump failed: it broke\n"
    assert not (tmp_path / "x").exists()


@pytest.mark.usefixtures("only_written")
def test_programs_get_no_secret_among_their_arguments(running, written_program, database_url, tmp_path):
    written_program(99, f'echo "$@" > {tmp_path}/arguments; /usr/bin/env > {tmp_path}/environment; exit 3')
    with_password = f"{database_url} password=pass-word-of-the-role"
    env = {"FOOTFALL_DATABASE_URL": with_password, "FOOTFALL_SECRET": "the secret of the server"}

    result = running("backup", tmp_path / "x", env=env)

    assert result.exit_code == 1
    arguments, environment = (tmp_path / "arguments").read_text(), (tmp_path / "environment").read_text()
    assert "pass-word-of-the-role" not in arguments + result.stderr
    assert "PGPASSWORD=pass-word-of-the-role" in environment
    assert "FOOTFALL" not in environment


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
