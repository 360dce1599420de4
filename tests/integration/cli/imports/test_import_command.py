"""`footfall import` stores the rows of other services, exactly once, and takes them back."""

import os
import signal
import time
from pathlib import Path

import psycopg
import pytest
from click.testing import CliRunner

from footfall.entrypoints.cli import cli
from tests.forked import Forked
from tests.generated import at_length
from tests.integration.cli.imports.conftest import PAGE, hits, write_log


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
    process = Forked(["import", *arguments], env=os.environ | environment, output=Path(os.devnull))
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
