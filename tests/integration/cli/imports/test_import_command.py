"""`footfall import` stores the rows of other services, exactly once, and takes them back."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

import psycopg
import pytest
from click.testing import CliRunner
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from footfall.entrypoints.cli import cli
from tests.commands import commands
from tests.generated import at_length
from tests.waiting import wait_until

AGENTS = (
    "Mozilla/5.0 (X11; Linux x86_64; rv:120.0) Gecko/20100101 Firefox/120.0",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.1",
    "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
)
PAGE = '192.0.2.7 - - [{} +0000] "GET /new HTTP/1.1" 200 1 "-" "Mozilla/5.0 (X11) Firefox/120.0"\n'

# Twice the days that a log spans; each day is closed and counted by itself.
DAYS = 80


def write_log(path, lines, *, seed=1, first="2019-12-31T23:00:00+00:00"):
    """Write an access log over six weeks or so, with assets, bots, errors and late lines."""
    chance = random.Random(seed)
    at = datetime.fromisoformat(first).astimezone(UTC)
    with path.open("w") as log:
        for number in range(lines):
            at += timedelta(seconds=chance.random() * 60 * 60 * 24 * DAYS / lines)
            page = chance.choice(
                ["/", f"/blog/{number}", "/caf%C3%A9?utm_source=news", "/app.js", "/%F0%9F%92%A9"]
            )
            log.write(
                f"192.0.2.{chance.randrange(250)} - - [{at:%d/%b/%Y:%H:%M:%S} +0000]"
                f' "GET {page} HTTP/1.1" {chance.choice([200, 200, 200, 404])} 1'
                f' "{chance.choice(["-", "https://www.google.com/"])}" "{chance.choice(AGENTS)}"\n'
            )
    return path


@pytest.fixture
def environment(database_url, tmp_path):
    return {"FOOTFALL_DATABASE_URL": database_url, "FOOTFALL_DATA_DIR": str(tmp_path / "data")}


@pytest.fixture
def footfall(environment):
    return commands(environment)


@pytest.fixture
def site(footfall):
    names = ("--organization", "O", "--site", "Shop", "--domain", "shop.example")
    return str(footfall("init", *names, "--json")["siteId"])


def hits(url):
    with psycopg.connect(url) as connection:
        return connection.execute(
            "select site_id, occurred_at, visitor_id, pathname, browser, channel from hit order by position"
        ).fetchall()


def test_an_empty_log_is_named_and_passed_over_and_alone_is_refused(environment, footfall, site, tmp_path):
    whole, empty = write_log(tmp_path / "access.log.1", 10), tmp_path / "access.log"
    empty.write_text("")

    done = CliRunner().invoke(cli, ["import", site, str(empty), str(whole)], env=environment)
    refused = footfall("import", site, "--from", "access-log", str(empty), status=1)

    assert done.exit_code == 0
    assert f"{empty} holds no complete line, and is passed over\n" in done.stderr
    assert "read 10 row(s)" in done.stdout
    assert (
        refused == f"footfall: {empty} holds no complete line: it is empty, or its only line has no end yet\n"
    )


def test_an_import_from_umami_names_the_alias_of_its_website_until_the_site_has_it(
    environment, footfall, site, tmp_path
):
    website = "0b1f9a52-0000-4000-8000-000000000001"
    events = tmp_path / "website_event.csv"
    events.write_text(
        "event_id,website_id,session_id,created_at,event_type,url_path\n"
        f"0b1f9a52-0000-4000-8000-00000000000a,{website},0b1f9a52-0000-4000-8000-00000000000b,"
        "2023-12-31 23:59:00+00,1,/pricing\n"
    )

    first = CliRunner().invoke(cli, ["import", site, str(events)], env=environment)
    footfall("site", "alias", site, website)
    again = CliRunner().invoke(cli, ["import", site, str(events)], env=environment)

    proposed = f"footfall site alias {site} {website} lets its pages send here\n"
    assert (first.exit_code, again.exit_code) == (0, 0)
    assert (proposed in first.stderr, proposed in again.stderr) == (True, False)


def test_a_log_is_recognised_stored_once_verified_and_taken_back(footfall, site, tmp_path, database_url):
    log = str(write_log(tmp_path / "access.log", 2_000))

    expected = footfall("import", site, log, "--dry-run", "--json")
    assert hits(database_url) == []
    first = footfall("import", site, log, "--json")
    again = footfall("import", site, "--from", "access-log", log, "--json")

    assert (first["read"], first["stored"]) == (2_000, len(hits(database_url)))
    assert first["ledger"] == expected["ledger"]
    assert again["read"] == 0
    assert {row["leftOut"] for row in first["ledger"]} == {None, "bot", "not a page"}
    lines = footfall("import", site, log, "--verify", "--json")["pageviews"]
    assert sum(line["stored"] for line in lines) == first["stored"]
    assert {line["difference"] for line in lines} == {0}
    assert "/café" in {line["path"] for line in lines}
    [listed] = footfall("import", "list", "--json")
    assert (listed["state"], listed["read"], listed["stored"]) == ("complete", 2_000, first["stored"])
    number = str(listed["importId"])
    assert sum(row["rows"] for row in footfall("import", "show", number, "--json")) == 2_000

    footfall("import", "undo", number)

    assert (hits(database_url), footfall("import", "list", "--json")) == ([], [])
    with psycopg.connect(database_url) as connection:
        for table in ("session", "traffic_bucket", "import_ledger", "ingestion_outcome"):
            assert connection.execute(f"select count(*) from {table}").fetchone() == (0,), table


def test_a_difference_that_has_no_reason_is_shown_and_fails(footfall, site, tmp_path, database_url):
    log = str(write_log(tmp_path / "access.log", 100))
    footfall("import", site, log)
    with psycopg.connect(database_url) as connection:
        connection.execute("set footfall.erasing = 'on'")
        connection.execute("delete from hit where position = (select min(position) from hit)")

    refusal = footfall("import", site, log, "--verify", status=1)

    assert "1 without a reason" in refusal
    assert "1 line(s) differ" in refusal


def test_rows_that_a_source_has_gained_are_listed_by_day_and_type_and_the_rest_adds_up(
    footfall, site, tmp_path
):
    log, rotated = write_log(tmp_path / "access.log", 100), tmp_path / "access.log.1"
    footfall("import", site, str(log))
    log.rename(rotated)
    with rotated.open("a") as file:
        file.write(PAGE.format("31/Dec/2020:23:59:59") + PAGE.format("01/Jan/2021:00:00:00"))
    log.write_text(PAGE.format("01/Jan/2021:00:00:01").replace("/new", "/new.js"))

    verified = footfall("import", site, str(rotated), str(log), "--verify", "--json")

    assert {line["difference"] for line in verified["pageviews"]} == {0}
    assert "/new" not in {line["path"] for line in verified["pageviews"]}
    assert verified["notImported"] == [
        {"day": "2020-12-31", "type": "pageview", "notImported": 1},
        {"day": "2021-01-01", "type": "pageview", "notImported": 1},
        {"day": "2021-01-01", "type": "request", "notImported": 1},
    ]
    shown = footfall("import", site, str(rotated), str(log), "--verify")
    assert shown.splitlines()[-3:] == [
        "2020-12-31  pageview  1",
        "2021-01-01  pageview  1",
        "2021-01-01  request   1",
    ]
    footfall("import", site, str(rotated), str(log))
    assert footfall("import", site, str(rotated), str(log), "--verify", "--json")["notImported"] == []


def test_rows_older_than_the_retention_are_left_out_by_name(footfall, site, tmp_path, database_url):
    log = str(write_log(tmp_path / "access.log", 100))
    footfall("retention", "--site", site, "--days", "100", "--apply")

    outcome = footfall("import", site, log, "--json")

    assert (outcome["stored"], hits(database_url)) == (0, [])
    assert "older than the retention" in {row["leftOut"] for row in outcome["ledger"]}


def test_an_unreadable_line_is_named_and_can_be_skipped(footfall, site, tmp_path):
    log = write_log(tmp_path / "access.log", 10)
    log.write_text(log.read_text() + "a secret\n")

    refusal = footfall("import", site, "--from", "access-log", str(log), status=1)
    skipped = footfall("import", site, "--skip-unreadable", str(log), "--json")

    assert "access.log, line 11: it is neither a line of the combined format" in refusal
    assert "secret" not in refusal
    assert {row["leftOut"]: row["rows"] for row in skipped["ledger"]}["unreadable"] == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("7", "access.log"), "Site not found"),
        (("{site}", "missing.log"), "cannot be opened"),
        (("{site}", "unknown.txt"), "is not recognised from its first line"),
        (("{site}", "sums.csv"), "sums"),
        (("{site}", "-", "--from", "access-log"), "standard input cannot be read twice"),
        (("undo", "7"), "Import not found"),
        (("show", "7"), "Import not found"),
    ],
)
def test_what_cannot_be_imported_is_refused_in_one_line(footfall, site, tmp_path, arguments, message):
    write_log(tmp_path / "access.log", 1)
    (tmp_path / "unknown.txt").write_text("hello\n")
    (tmp_path / "sums.csv").write_text("date,visitors,pageviews,bounces\n2024-01-01,1,1,1\n")
    places = [
        str(tmp_path / one) if "." in one and "{" not in one else one.format(site=site) for one in arguments
    ]

    refusal = footfall("import", *places, status=1)

    assert message in refusal
    assert len(refusal.splitlines()) == 1


def killed_after(steps, environment, url, *arguments):
    """Start an import and kill it when it has stored so many pieces; return whether it was alive."""
    process = subprocess.Popen(
        [sys.executable, "-m", "footfall.entrypoints", "import", *arguments],
        env=os.environ | environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    with psycopg.connect(url, autocommit=True) as connection:
        while process.poll() is None:
            row = connection.execute("select coalesce(max(steps), 0) from site_import").fetchone()
            if row[0] >= steps:
                process.send_signal(signal.SIGKILL)
                break
            time.sleep(0.001)
    return process.wait() == -signal.SIGKILL


@pytest.mark.parametrize(
    ("lines", "kills"),
    [(12_000, 1), pytest.param(at_length(slow=24_000, thorough=60_000), 2, marks=pytest.mark.slow)],
)
def test_a_killed_import_loses_nothing_and_doubles_nothing(
    footfall, environment, site, tmp_path, database_url, lines, kills
):
    logs = [str(write_log(tmp_path / f"{number}.log", lines // 3, seed=number)) for number in range(3)]
    killed = sum(
        killed_after(number, environment, database_url, site, *logs) for number in range(1, kills + 1)
    )
    footfall("import", site, *logs)
    interrupted = hits(database_url)
    [listed] = footfall("import", "list", "--json")
    footfall("import", "undo", str(listed["importId"]))
    footfall("import", site, *logs)

    assert killed == kills
    assert interrupted == hits(database_url)
    verified = footfall("import", site, *logs, "--verify", "--json")
    assert {line["difference"] for line in verified["pageviews"]} == {0}
    assert verified["notImported"] == []


def following(environment, site, log):
    """Start an import that follows a log."""
    return subprocess.Popen(
        [sys.executable, "-m", "footfall.entrypoints", "import", site, log, "--follow", "--json"],
        env=os.environ | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )


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
    first.communicate()
    rotated.rename(tmp_path / "access.log.2")
    write("/5")
    log.rename(rotated)
    write("/6")
    second = following(environment, site, str(log))
    stored = paths_once_there_are(6, database_url)
    second.send_signal(signal.SIGTERM)
    told, _ = second.communicate(timeout=60)

    assert stored == ["/1", "/2", "/3", "/4", "/5", "/6"]
    assert (second.returncode, json.loads(told)["stored"]) == (0, 2)
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
    process.communicate(timeout=60)

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
    process.communicate(timeout=60)

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


def state_of_import(url):
    with psycopg.connect(url) as connection:
        return connection.execute("select state from site_import").fetchone()[0]


def test_a_store_that_is_away_is_waited_for(environment, site, tmp_path, database_url):
    log = tmp_path / "access.log"
    log.write_text(PAGE.format("10/Oct/2023:13:55:36").replace("/new", "/1"))
    process = following(environment, site, str(log))
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
    told, _ = process.communicate(timeout=60)

    assert (is_there, stored, json.loads(told)["stored"]) == (True, ["/1", "/2"], 2)


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
