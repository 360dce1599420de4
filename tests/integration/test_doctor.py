"""`footfall doctor` finds what is wrong, and names no secret."""

import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from footfall.adapters.postgres.examination import examine
from footfall.entrypoints import diagnosis
from footfall.entrypoints.diagnosis import diagnose


@pytest.fixture
def environment(database_url, tmp_path):
    return {
        "FOOTFALL_DATABASE_URL": database_url,
        "FOOTFALL_DATA_DIR": str(tmp_path),
    }


def faults(environment, **changes):
    return {
        finding.subject: finding.detail
        for finding in diagnose({**environment, **changes})
        if not finding.healthy
    }


def execute(url, statement):
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(statement)


def test_a_healthy_installation_has_no_faults(environment):
    assert faults(environment) == {}


def test_every_thing_that_is_looked_at_has_a_finding(environment):
    assert [finding.subject for finding in diagnose(environment)] == [
        "configuration",
        "exposure",
        "secret",
        "geolocation",
        "disk",
        "store",
        "rights",
        "durability",
        "encryption",
        "clock",
        "schema",
        "projections",
    ]


def test_every_fault_of_the_configuration_is_named(environment):
    found = faults(environment, FOOTFALL_PORT="http", FOOTFALL_WORKERS="none")

    assert set(found) == {"FOOTFALL_PORT", "FOOTFALL_WORKERS"}


@pytest.mark.parametrize(
    ("url", "part"),
    [
        ("postgresql://somebody:hunter2@127.0.0.1:1/footfall", "127.0.0.1"),
        ("postgresql://somebody:hunter2@nowhere.invalid/footfall", "nowhere.invalid"),
        ("postgresql://somebody:hunt/er2@127.0.0.1:x/footfall", "cannot be read"),
    ],
)
def test_a_wrong_url_is_named_without_its_password(environment, url, part):
    found = faults(environment, FOOTFALL_DATABASE_URL=url)

    assert set(found) == {"store"}
    assert part in found["store"]
    assert "hunt" not in found["store"]


def test_a_database_that_is_not_there_is_named(environment, database_url):
    found = faults(environment, FOOTFALL_DATABASE_URL=make_conninfo(database_url, dbname="nothing_here"))

    assert "nothing_here" in found["store"]


def test_missing_rights_are_named(database_url):
    name = conninfo_to_dict(database_url)["dbname"]
    execute(database_url, f"drop role if exists guest_{name}")
    execute(database_url, f"create role guest_{name} login password 'guest'")
    execute(database_url, f"grant select on all tables in schema public to guest_{name}")

    guest = make_conninfo(database_url, user=f"guest_{name}", password="guest")
    examined = examine(guest)

    assert {"insert on hit", "insert on event", "create in the schema", "ownership of the table hit"} <= set(
        examined.missing_rights
    )
    assert "select on hit" not in examined.missing_rights
    execute(database_url, f"drop owned by guest_{name}; drop role guest_{name}")


def test_an_old_schema_is_named(environment, empty_database_url):
    found = faults(environment, FOOTFALL_DATABASE_URL=empty_database_url)

    assert "footfall migrate" in found["schema"]


def test_a_server_that_forgets_what_it_acknowledged_is_named(environment, database_url):
    name = conninfo_to_dict(database_url)["dbname"]
    execute(database_url, f"alter database {name} set synchronous_commit = off")

    found = faults(environment)

    assert found == {"durability": "not durable: synchronous_commit is off"}


def test_an_unreadable_geolocation_database_is_named(environment, tmp_path):
    (tmp_path / "places.mmdb").write_bytes(b"no database at all")

    damaged = faults(environment, FOOTFALL_GEOIP_DATABASE=str(tmp_path / "places.mmdb"))
    missing = faults(environment, FOOTFALL_GEOIP_DATABASE=str(tmp_path / "nothing.mmdb"))

    assert "places.mmdb" in damaged["geolocation"]
    assert "nothing.mmdb" in missing["geolocation"]


@pytest.mark.parametrize(("ahead", "words"), [(3600, "3,600 seconds ahead of"), (-90, "90 seconds behind")])
def test_a_clock_that_is_far_from_the_databases_is_named(ahead, words):
    with pytest.raises(diagnosis.Unhealthy, match=words):
        diagnosis._clock(ahead)


def test_the_clocks_of_one_machine_agree(database_url):
    # Half of what it takes to ask counts as a difference, and on a busy machine that may be long.
    assert abs(examine(database_url).clock_ahead) < timedelta(seconds=30)


def test_a_disk_that_is_nearly_full_is_named(environment, monkeypatch):
    monkeypatch.setattr(diagnosis, "LITTLE_SPACE", 1 << 62)

    found = faults(environment)

    assert "MiB are free" in found["disk"]


def test_a_projector_that_lags_is_named(environment, database_url):
    then = datetime.now(UTC) - timedelta(hours=1)
    execute(database_url, f"select hit_partition('{then}')")
    execute(
        database_url,
        "insert into hit (site_id, visitor_id, occurred_at, received_at, type, device_type)"
        f" values (1, 1, '{then}', '{then}', 'pageview', 'desktop')",
    )

    found = faults(environment)

    assert found["projections"].startswith("1 event(s) wait for 3,6")


def test_a_secret_that_others_can_read_is_named(environment, tmp_path):
    assert faults(environment) == {}
    (tmp_path / "secret").chmod(0o640)

    found = faults(environment)

    assert "chmod 600" in found["secret"]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"FOOTFALL_HOST": "0.0.0.0"}, "FOOTFALL_TRUSTED_PROXIES"),
        ({"FOOTFALL_HOST": "::"}, "FOOTFALL_TRUSTED_PROXIES"),
        ({"FOOTFALL_HOST": "stats.example.com"}, "FOOTFALL_TRUSTED_PROXIES"),
        (
            {
                "FOOTFALL_HOST": "0.0.0.0",
                "FOOTFALL_TRUSTED_PROXIES": "10.0.0.0/8",
                "FOOTFALL_RATE_LIMIT": "off",
            },
            "FOOTFALL_RATE_LIMIT",
        ),
        ({"FOOTFALL_TRUSTED_PROXIES": "0.0.0.0/0"}, "can claim any address"),
        ({"FOOTFALL_TRUSTED_PROXIES": "::/0"}, "can claim any address"),
        ({"FOOTFALL_SECRET": "aaaaaaaaaaaaaaaa"}, "openssl rand"),
    ],
)
def test_an_unsafe_configuration_is_named(environment, changes, words):
    found = faults(environment, **changes)

    assert words in found["exposure"]


@pytest.mark.parametrize(
    "changes",
    [
        {"FOOTFALL_HOST": "localhost"},
        {"FOOTFALL_HOST": "0.0.0.0", "FOOTFALL_TRUSTED_PROXIES": "10.0.0.0/8,fd00::/8"},
        {"FOOTFALL_SECRET": "0123456789abcdef0123456789abcdef"},
    ],
)
def test_a_safe_configuration_is_left_alone(environment, changes):
    assert "exposure" not in faults(environment, **changes)


def test_the_command_ends_with_status_one_when_something_is_wrong(environment):
    done = subprocess.run(
        [sys.executable, "-m", "footfall.entrypoints", "doctor"],
        env={**os.environ, **environment, "FOOTFALL_HOST": "0.0.0.0"},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 1
    assert "FAULT exposure: 0.0.0.0 is open" in done.stdout
