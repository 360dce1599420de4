"""`footfall import --follow` stores the lines of a log as they come."""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from tests.forked import Forked
from tests.integration.cli.imports.conftest import PAGE, hits, write_log
from tests.waiting import wait_until


def following(environment, site, log, told=Path(os.devnull)):
    """Start an import that follows a log."""
    arguments = ["import", site, log, "--follow", "--json"]
    return Forked(arguments, env=os.environ | environment, output=told, errors=Path(os.devnull))


def stored_in(told):
    """Return how many events an import says to have stored."""
    return json.loads(told.read_text())["stored"]


def paths_once_there_are(count, url):
    with psycopg.connect(url, autocommit=True) as connection:
        wait_until(lambda: connection.execute("select count(*) >= %s from hit", (count,)).fetchone()[0])
        return [row[0] for row in connection.execute("select pathname from hit order by pathname")]


def test_a_log_is_followed_once_over_rotations_and_deaths(
    environment, footfall, site, tmp_path, database_url
):
    log, rotated = tmp_path / "access.log", tmp_path / "access.log.1"

    def write(*pages):
        with log.open("a") as file:
            file.writelines(PAGE.format("10/Oct/2023:13:55:36").replace("/new", page) for page in pages)

    write("/1", "/2")
    first = following(environment, site, str(log))
    assert paths_once_there_are(2, database_url) == ["/1", "/2"]
    write("/3")
    log.rename(rotated)
    write("/4")
    assert paths_once_there_are(4, database_url) == ["/1", "/2", "/3", "/4"]
    first.send_signal(signal.SIGKILL)
    first.wait()
    rotated.rename(tmp_path / "access.log.2")
    write("/5")
    log.rename(rotated)
    write("/6")
    second = following(environment, site, str(log), tmp_path / "told")
    stored = paths_once_there_are(6, database_url)
    second.send_signal(signal.SIGTERM)
    second.wait(60)

    assert stored == ["/1", "/2", "/3", "/4", "/5", "/6"]
    assert (second.returncode, stored_in(tmp_path / "told")) == (0, 2)
    [listed] = footfall("import", "list", "--json")
    assert (listed["state"], listed["stored"]) == ("complete", 6)


def test_what_is_written_while_a_log_is_followed_is_not_in_the_future(
    environment, site, tmp_path, database_url
):
    log = tmp_path / "access.log"
    log.touch()
    process = following(environment, site, str(log))
    log.write_text(PAGE.format(datetime.now(UTC).strftime("%d/%b/%Y:%H:%M:%S")))
    stored = paths_once_there_are(1, database_url)
    process.send_signal(signal.SIGINT)
    process.wait(60)

    assert (stored, process.returncode) == (["/new"], 0)


def test_what_is_taken_back_while_it_is_followed_is_not_stored_anew(
    environment, footfall, site, tmp_path, database_url
):
    log = tmp_path / "access.log"
    log.write_text(PAGE.format("10/Oct/2023:13:55:36"))
    process = following(environment, site, str(log))
    paths_once_there_are(1, database_url)
    wait_until(lambda: footfall("import", "list", "--json")[0]["state"] == "complete")
    footfall("import", "undo", "1")
    with log.open("a") as file:
        file.write(PAGE.format("10/Oct/2023:13:55:37"))
    process.wait(60)

    assert (process.returncode, hits(database_url)) == (1, [])


@contextmanager
def away(url):
    """Let a database refuse all connections, those that are open too."""
    name = conninfo_to_dict(url)["dbname"]
    with psycopg.connect(make_conninfo(url, dbname="postgres"), autocommit=True) as other:
        switch = sql.SQL("alter database {} with allow_connections {}")
        other.execute(switch.format(sql.Identifier(name), sql.SQL("false")))
        try:
            other.execute(
                "select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = %s", (name,)
            )
            yield
        finally:
            other.execute(switch.format(sql.Identifier(name), sql.SQL("true")))


LEAVING = """
import os, sys
from pathlib import Path
from tests.forked import Forked
if __name__ == "__main__":
    command = Forked(["import", *sys.argv[1:], "--follow"], env=dict(os.environ), output=Path(os.devnull))
    print(command.pid, flush=True)
    sys.stdin.read()
"""


@pytest.mark.slow
def test_an_import_that_a_failed_test_leaves_ends_with_the_tests(
    environment, project, site, tmp_path, database_url
):
    log = tmp_path / "access.log"
    log.write_text(PAGE.format("10/Oct/2023:13:55:36").replace("/new", "/1"))
    pipe, tests = subprocess.PIPE, [sys.executable, "-c", LEAVING, site, str(log)]
    with subprocess.Popen(
        tests, cwd=project, env=os.environ | environment, stdin=pipe, stdout=pipe
    ) as process:
        number = int(process.stdout.readline())
        stored = paths_once_there_are(1, database_url)
        process.stdin.close()
        try:
            status = process.wait(60)
        except subprocess.TimeoutExpired:
            process.kill()
            os.kill(number, signal.SIGKILL)
            raise

    assert (stored, status) == (["/1"], 0)


def state_of_import(url):
    with psycopg.connect(url) as connection:
        return connection.execute("select state from site_import").fetchone()[0]


def test_a_store_that_is_away_is_waited_for(environment, site, tmp_path, database_url):
    log = tmp_path / "access.log"
    log.write_text(PAGE.format("10/Oct/2023:13:55:36").replace("/new", "/1"))
    process = following(environment, site, str(log), tmp_path / "told")
    assert paths_once_there_are(1, database_url) == ["/1"]
    # A commit that the store has not answered yet counts for the next run.
    wait_until(lambda: state_of_import(database_url) == "complete")
    with away(database_url):
        with log.open("a") as file:
            file.write(PAGE.format("10/Oct/2023:13:55:36").replace("/new", "/2"))
        time.sleep(3)
        is_there = process.poll() is None
    stored = paths_once_there_are(2, database_url)
    process.send_signal(signal.SIGTERM)
    process.wait(60)

    assert (is_there, stored, stored_in(tmp_path / "told")) == (True, ["/1", "/2"], 2)


@pytest.mark.parametrize(
    "arguments", [("--dry-run",), ("--verify",), ("--from", "umami")], ids=lambda options: options[0]
)
def test_only_imports_of_logs_follow(footfall, site, tmp_path, arguments):
    log = write_log(tmp_path / "access.log", 1)

    refused = footfall("import", site, str(log), "--follow", *arguments, status=2)

    assert "--follow is for access logs" in refused


def test_an_unreadable_line_ends_what_follows_a_log(footfall, site, tmp_path):
    log = tmp_path / "access.log"
    log.write_text("no line\n")

    assert "line 1" in footfall("import", site, str(log), "--follow", status=1)
