"""`footfall retention` says what would go, and does it when told to."""

import json
import os
import subprocess
import sys
from datetime import date, timedelta

import psycopg
import pytest


@pytest.fixture
def footfall(database_url, tmp_path):
    environment = os.environ | {
        "FOOTFALL_DATABASE_URL": database_url,
        "FOOTFALL_DATA_DIR": str(tmp_path),
    }

    def run(*arguments, status=0):
        done = subprocess.run(
            [sys.executable, "-m", "footfall.entrypoints", *arguments],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        assert done.returncode == status, done.stderr
        return json.loads(done.stdout) if "--json" in arguments else done.stdout + done.stderr

    return run


@pytest.fixture
def site(footfall):
    return str(footfall("demo", "--days", "40", "--json")["siteId"])


def hits(url):
    with psycopg.connect(url) as connection:
        return connection.execute("select count(*), min(occurred_at)::text from hit").fetchone()


def test_without_apply_nothing_changes(footfall, site, database_url):
    before = hits(database_url)

    [row] = footfall("retention", "--site", site, "--days", "10", "--json")

    assert row["days"] == 10
    assert 0 < row["eventsToErase"] < before[0]
    assert hits(database_url) == before
    [unchanged] = footfall("retention", "--json")
    assert (unchanged["days"], unchanged["eventsToErase"]) == (None, 0)


def test_with_apply_the_setting_is_kept_and_what_is_too_old_goes(footfall, site, database_url):
    before = hits(database_url)

    [row] = footfall("retention", "--site", site, "--days", "10", "--apply", "--json")

    # No service runs that would have projected the hits. A session that reaches over midnight is kept as a whole.
    left, day = hits(database_url), date.fromisoformat(row["keptSince"][:10])
    assert before[0] - row["eventsToErase"] <= left[0] < before[0] - row["eventsToErase"] + 100
    assert date.fromisoformat(left[1][:10]) >= day - timedelta(days=1)
    [again] = footfall("retention", "--json")
    assert again["days"] == 10
    assert again["dataSince"] >= row["keptSince"]
    assert "retention-set" in footfall("history", f"site-{site}")


def test_for_good_lifts_it(footfall, site):
    footfall("retention", "--site", site, "--days", "10", "--apply")

    footfall("retention", "--site", site, "--forever", "--apply")

    assert footfall("retention", "--site", site, "--json")[0]["days"] is None


@pytest.mark.parametrize(
    "arguments",
    [
        ("--days", "3"),
        ("--forever",),
        ("--site", "1", "--days", "3", "--forever"),
        ("--site", "1", "--days", "0"),
    ],
)
def test_wrong_usage_is_refused(footfall, arguments):
    footfall("retention", *arguments, status=2)
