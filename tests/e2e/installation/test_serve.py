"""Starting, stopping and starting again, as an operator does."""

import json
import subprocess
import tempfile
from pathlib import Path

import pytest

from footfall.application.journal.directory import POLL_SECONDS
from tests.e2e.service import COMMAND, Service, running
from tests.servers.location_files import IPV4, MAXMIND_CITY, build
from tests.servers.mirror import serving
from tests.waiting import LONG, wait_until


def curl_lines(output):
    return [line for line in output.splitlines() if line.startswith("curl ")]


def answer_of(line):
    return json.loads(subprocess.run(line, shell=True, capture_output=True, check=True, timeout=LONG).stdout)


@pytest.mark.needs("curl")
def test_the_printed_lines_work_as_they_stand(service):
    track, define, read = curl_lines(service.output())

    tracked, defined = answer_of(track), answer_of(define)
    service.settle()
    [goal] = answer_of(read)["data"]

    assert tracked == {"success": True}
    assert defined["success"] is True
    assert goal["goalId"] == defined["goalId"]
    assert (goal["total_conversions"], goal["total_sessions"], goal["conversion_rate"]) == (1, 1, 1.0)


def test_the_key_is_shown_once_and_works(service):
    status, site = service.get("/api/sites/1", key=service.first_key())

    assert (status, site["domain"]) == (200, "localhost")


@pytest.mark.parametrize(
    ("variable", "value", "said"),
    [
        ("FOOTFALL_PORT", None, "in use"),
        ("FOOTFALL_HOST", "203.0.113.9", "cannot listen on 203.0.113.9"),
        ("FOOTFALL_GEOIP_DATABASE", "/nowhere.mmdb", "/nowhere.mmdb"),
    ],
)
def test_what_cannot_work_is_said_in_one_line_before_anything_is_made(service, variable, value, said):
    with tempfile.TemporaryDirectory(prefix="footfall-e2e-") as folder:
        unlucky = Service(Path(folder) / "data", environment={variable: value or str(service.port)})
        environment = {"FOOTFALL_PORT": str(unlucky.port)} | unlucky.process_environment
        refused = subprocess.run(
            [*COMMAND, "serve"], env=environment, capture_output=True, text=True, timeout=120, check=False
        )
        left = list(Path(folder).iterdir())

    assert refused.returncode == 1
    *earlier, last = refused.stderr.strip().splitlines()
    assert last.startswith("footfall: ")
    assert said in last
    # An address that is in use is waited for, and the log says so.
    assert [line for line in earlier if "waiting up to" not in line] == []
    assert left == []


def test_that_countries_stay_unknown_is_said_once(service):
    assert service.output().count("countries are those of time zones") == 1


def test_a_second_service_on_the_same_data_is_refused_in_one_line(service):
    second = Service(service.data_dir)
    refused = subprocess.run(
        [*COMMAND, "serve", "--port", str(second.port)],
        env=second.process_environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )

    assert refused.returncode == 1
    assert len(refused.stderr.strip().splitlines()) == 1
    assert str(service.data_dir) in refused.stderr
    assert service.get("/readyz")[0] == 200


def test_a_site_of_the_command_line_takes_events_on_every_worker_at_once(service):
    created = service.administer("site", "create", "--organization", "1", "--name", "B", "--domain", "b.org")

    statuses = [
        service.send(
            "POST",
            "/api/track",
            {
                "site_id": str(created["siteId"]),
                "hostname": "b.org",
                "user_agent": "Mozilla/5.0 Firefox/140.0",
            },
        )[0]
        for _ in range(20)
    ]

    assert statuses == [200] * 20


def test_a_revoked_key_stops_on_every_worker_within_a_second(service):
    created = service.administer("key", "create", "--user", "1", "--name", "k")
    assert service.get("/api/sites/1", key=created["key"])[0] == 200

    service.administer("key", "revoke", str(created["keyId"]))

    # Far more patient than the half second that workers wait at most, for a machine that is slow.
    wait_until(lambda: {service.get("/api/sites/1", key=created["key"])[0] for _ in range(20)} == {401})
    assert POLL_SECONDS < 1


@pytest.mark.needs("curl")
def test_service_restarts_on_its_own_data(data_dir):
    with running(data_dir, is_forked=False) as first:
        key = first.first_key()
        first.send(
            "POST", "/api/sites/1/goals", {"goalType": "path", "config": {"pathPattern": "/"}}, key=key
        )
        first.stop()
        first.start()
        lines = curl_lines(first.output())
        [answer] = [answer_of(line) for line in lines if " -A " in line]
        goals = first.get("/api/sites/1/goals", key=key)[1]

    assert answer == {"success": True}
    assert goals["meta"]["total"] == 1


def test_a_service_that_ends_has_left_no_object_of_a_connection(data_dir):
    with running(data_dir, is_forked=False) as service:
        service.get("/api/sites/1", key=service.first_key())
        service.stop()

        # DuckDB names what is left when a process ends: a connection that is never freed keeps all modules.
        assert "leaked" not in service.output()


def test_service_writes_only_into_its_data_directory(data_dir):
    home = data_dir.parent / "home"
    home.mkdir()

    with running(data_dir, environment={"HOME": str(home)}, is_forked=False):
        left = list(home.iterdir())

    assert left == []


@pytest.mark.slow
def test_a_running_service_takes_the_location_database_that_is_fetched(data_dir, tmp_path):
    database = build(tmp_path / "built", MAXMIND_CITY, ip_version=4).read_bytes()

    with running(data_dir) as service, serving() as mirror:
        attempts, event = iter(range(10_000)), {"site_id": "1", "hostname": "localhost", "ip_address": IPV4}
        service.administer("geoip", "fetch", "--url", mirror.put("/city", database))

        def country():
            visitor = {**event, "user_agent": f"Mozilla/5.0 (X11; Linux x86_64) Firefox/{next(attempts)}"}
            service.send("POST", "/api/track", visitor, key=service.first_key())
            _, found = service.get("/api/sites/1/breakdown?by=country", key=service.first_key())
            return "DE" in json.dumps(found)

        wait_until(country)
