"""A backup beside a service that stores events, kills of it and of a restore, and the same reports afterwards."""

import asyncio
import random
import re
import signal
import threading
import time
import urllib.error
import urllib.request
from http import HTTPStatus

import psutil
import psycopg
import pytest

from footfall.adapters.embedded import EmbeddedPostgres
from tests.commands import commands
from tests.e2e.load import send_events
from tests.e2e.service import Service, running
from tests.forked import Forked
from tests.generated import at_length
from tests.waiting import LONG, wait_until

# Beside events that are stored, and on a machine that does other things.
PATIENCE = 240
KILLED_BACKUPS = at_length(slow=3, thorough=12)
KILLED_RESTORES = at_length(slow=2, thorough=8)
PHRASE = "a phrase of five words"
PERIOD = "start_date=2026-01-01&end_date=2027-12-31&time_zone=UTC"
REPORTS = (
    f"overview?{PERIOD}",
    f"goals?{PERIOD}",
    f"breakdown?by=browser&{PERIOD}",
    f"pages?{PERIOD}",
    f"sessions?{PERIOD}",
    f"errors?{PERIOD}",
    f"timeseries?bucket=day&{PERIOD}",
    f"journeys?after=page:/load&{PERIOD}",
    f"retention?{PERIOD}",
    "visitor-erasures",
    "history",
)


def home_of(folder):
    """Return another installation beside one."""
    return Service(folder, environment={"FOOTFALL_BACKUP_PASSPHRASE": PHRASE})


def answers(service, key):
    """Return the answers to all reports as they were sent."""
    found = {}
    for report in REPORTS:
        request = urllib.request.Request(
            f"{service.base_url}/api/sites/1/{report}",
            headers={"Authorization": f"Bearer {key}"},
        )
        try:
            with urllib.request.urlopen(request, timeout=LONG) as answer:
                # A period that is not over ends at the moment of the question.
                found[report] = answer.status, re.sub(rb'"end":"[^"]+"', b'"end":"now"', answer.read())
        except urllib.error.HTTPError as refused:
            with refused:
                found[report] = refused.code, refused.read()
    return found


def begun(service, *arguments):
    """Begin a command on the data directory of a service, in a process of its own."""
    environment = {**service.process_environment, "FOOTFALL_BACKUP_PASSPHRASE": PHRASE}
    said_by(service).unlink(missing_ok=True)
    return Forked([str(one) for one in arguments], env=environment, output=said_by(service))


def said_by(service):
    """Return the file with what the last command on a data directory has said."""
    return service.data_dir.with_name(f"{service.data_dir.name}.command")


def programs_of(name):
    return [one for one in psutil.process_iter(["name"]) if one.info["name"] == name]


@pytest.mark.slow
def test_a_restored_installation_answers_as_the_one_that_was_backed_up(data_dir):
    backup, home = data_dir.with_name("backup"), data_dir.with_name("home")
    with running(data_dir) as service:
        key = service.first_key()
        asyncio.run(send_events(service.port, connections=8, until=lambda ledger: ledger.sent >= 2_000))
        service.administer("visitor", "erase", "1", "--user-id", "event-3", "--yes")
        service.settle()
        before = answers(service, key)
        done = begun(service, "backup", backup, "--with-secret")
        assert (done.wait(PATIENCE), said_by(service).read_text().count("\n")) == (0, 1)
    restored = home_of(home)
    commands(restored.settings)("restore", str(backup), "--erasures", str(data_dir / "erasures.log"))
    assert commands(restored.settings)("projections", "rebuild", "--verify", "--json")["verified"] is True

    with running(home) as other:
        found = answers(other, key)

    assert {name: (before[name], now) for name, now in found.items() if now != before[name]} == {}
    assert {report: answer for report, answer in before.items() if answer[0] != HTTPStatus.OK} == {}
    assert b'"pageviews":20' in before[REPORTS[0]][1]


@pytest.mark.slow
def test_every_event_that_was_acknowledged_before_a_backup_is_in_it(data_dir):
    finished, at_the_start = threading.Event(), []
    with running(data_dir) as service:

        def until(ledger):
            if len(ledger.acknowledged) >= 1_000 and not at_the_start:
                at_the_start.append(frozenset(ledger.acknowledged))
            return finished.is_set()

        sending = threading.Thread(
            target=lambda: asyncio.run(send_events(service.port, connections=8, until=until))
        )
        sending.start()
        known = wait_until(lambda: at_the_start)[0]
        done = begun(service, "backup", data_dir.with_name("backup"), "--with-secret")
        assert done.wait(PATIENCE) == 0, said_by(service).read_text()
        finished.set()
        sending.join()
    home = home_of(data_dir.with_name("home"))
    commands(home.settings)("restore", str(data_dir.with_name("backup")), "--without-erasures")

    with EmbeddedPostgres(home.data_dir) as server, psycopg.connect(server.url) as connection:
        stored = {name for (name,) in connection.execute("select user_id from hit")}
    assert known <= stored
    assert commands(home.settings)("projections", "rebuild", "--verify", "--json")["verified"] is True


@pytest.mark.slow
def test_a_backup_that_is_killed_is_whole_or_refused(data_dir):
    randomness = random.Random(20261127)
    with running(data_dir) as service:
        asyncio.run(send_events(service.port, connections=8, until=lambda ledger: ledger.sent >= 3_000))
        started = time.monotonic()
        assert begun(service, "backup", data_dir.with_name("whole")).wait(PATIENCE) == 0
        usual = time.monotonic() - started
        for number in range(KILLED_BACKUPS):
            place, home = data_dir.with_name(f"backup{number}"), data_dir.with_name(f"home{number}")
            process = begun(service, "backup", place, "--with-secret")
            time.sleep(randomness.uniform(0.4, 1.05) * usual)
            process.send_signal(signal.SIGKILL)
            process.wait()

            wait_until(lambda: not programs_of("pg_dump"))
            other = commands(home_of(home).settings)
            if (place / "manifest.json").exists():
                other("restore", str(place), "--without-erasures")
            else:
                refusal = other("restore", str(place), "--without-erasures", status=1)
                assert refusal.count("\n") == 1
                assert "holds no backup that was completed" in refusal or "No such file" in refusal
                assert not home.exists()
        assert service.get("/readyz")[0] == 200


@pytest.mark.slow
def test_a_restore_that_is_killed_is_repeated(data_dir):
    randomness = random.Random(20261128)
    with running(data_dir) as service:
        asyncio.run(send_events(service.port, connections=8, until=lambda ledger: ledger.sent >= 1_000))
        service.administer("visitor", "erase", "1", "--user-id", "event-1", "--yes")
        backup = data_dir.with_name("backup")
        assert begun(service, "backup", backup, "--with-secret").wait(PATIENCE) == 0
        service.administer("visitor", "erase", "1", "--user-id", "event-2", "--yes")
    listed = data_dir / "erasures.log"
    home = home_of(data_dir.with_name("home"))
    started = time.monotonic()
    for number in range(1 + KILLED_RESTORES):
        process = begun(home, "restore", backup, "--erasures", listed)
        if not number:
            assert process.wait(PATIENCE) == 0, said_by(home).read_text()
            usual = time.monotonic() - started
            home = home_of(data_dir.with_name("another"))
            continue
        time.sleep(randomness.uniform(0.4, 1.05) * usual)
        process.send_signal(signal.SIGKILL)
        process.wait()
        wait_until(lambda: not programs_of("pg_restore"))
        if process.returncode != 0 and (home.data_dir / "restore.unfinished").exists():
            refusal = commands(home.settings)("site", "list", status=1)
            assert "did not end: repeat footfall restore" in refusal
        elif (home.data_dir / "postgres").exists():
            home = home_of(data_dir.with_name(f"another{number}"))

    if not (home.data_dir / "postgres").exists() or (home.data_dir / "restore.unfinished").exists():
        commands(home.settings)("restore", str(backup), "--erasures", str(listed))
    with EmbeddedPostgres(home.data_dir) as server, psycopg.connect(server.url) as connection:
        stored = {name for (name,) in connection.execute("select user_id from hit")}
    assert len(stored) >= 998
    assert not stored & {"event-1", "event-2"}
