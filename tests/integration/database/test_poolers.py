"""Footfall behind PgBouncer: in session mode it works, and in transaction mode it says so and does not start."""

import json
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import pytest
from psycopg.conninfo import conninfo_to_dict

from footfall.adapters.postgres.database.server_check import (
    LOST_SCHEMA,
    TRANSACTION_POOLER,
    examine,
    is_behind_transaction_pooler,
)
from footfall.entrypoints.cli.maintenance.doctor import diagnose
from tests.commands import commands
from tests.e2e.service import running
from tests.servers.pooler import PROGRAM, pooling

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(PROGRAM is None, reason="needs the program pgbouncer"),
]

AWAY = "postgresql://user:hidden@127.0.0.1:1/nothing"


@pytest.fixture
def settings(database_url, tmp_path):
    """The settings of a store with the cell west, which was added without a pooler."""
    direct = f"postgresql:///?{urlencode(conninfo_to_dict(database_url))}"
    settings = {"FOOTFALL_DATABASE_URL": database_url, "FOOTFALL_DATA_DIR": str(tmp_path)}
    commands({**settings, "FOOTFALL_CELLS": f"west={direct}"})("cell", "add", "west")
    return settings


def test_a_service_behind_sessions_tracks_and_answers_of_the_past(database_url, tmp_path):
    with (
        pooling(database_url, "session") as url,
        running(tmp_path / "data", environment={"FOOTFALL_DATABASE_URL": url}) as service,
    ):
        key, given = service.first_key(), []
        for path in ("/", "/b", "/c"):
            event = {"site_id": "1", "type": "pageview", "pathname": path, "user_id": "a"}
            assert service.send("POST", "/api/track", event, key=key)[0] == 200
            given.append(_asked(service, key, "overview"))
        again = [_asked(service, key, "overview", as_of=positions) for _, positions in given]
        ends = {"from": given[0][1], "to": given[-1][1]}
        changes, _ = _asked(service, key, "changes", report="overview", **ends)

    assert [found["data"]["pageviews"] for found, _ in given] == [1, 2, 3]
    assert again == given
    assert [part["pageviews"] for part in changes["data"]["rows"][0]["parts"]] == [2]


@pytest.mark.parametrize("mode", ["transaction", "statement"])
def test_a_service_does_not_start_behind_transactions_and_says_why(database_url, tmp_path, mode):
    with pooling(database_url, mode) as url:
        with pytest.raises(AssertionError, match="the service ended") as ended:
            running(tmp_path / "data", environment={"FOOTFALL_DATABASE_URL": url}).__enter__()
        findings = diagnose({"FOOTFALL_DATABASE_URL": url, "FOOTFALL_DATA_DIR": str(tmp_path)})

    assert "pool_mode = session" in str(ended.value)
    assert "Traceback" not in str(ended.value)
    [sessions] = [one for one in findings if one.subject == "sessions"]
    assert not sessions.healthy
    assert "pool_mode = session" in sessions.detail


@pytest.mark.parametrize("kind", ["", "citus+"])
def test_a_service_does_not_start_with_a_cell_behind_transactions_and_names_it(database_url, tmp_path, kind):
    with pooling(database_url, "session") as near, pooling(database_url, "transaction") as url:
        environment = {
            "FOOTFALL_DATABASE_URL": database_url,
            "FOOTFALL_CELLS": f"east={near} away={AWAY} west={kind}{url}",
        }
        with pytest.raises(AssertionError, match="the service ended") as ended:
            running(tmp_path / "data", environment=environment).__enter__()

    assert "the place west of FOOTFALL_CELLS: a pooler in transaction mode stands before" in str(ended.value)
    assert "Traceback" not in str(ended.value)


def test_a_service_starts_with_cells_behind_sessions_and_with_those_that_are_away(database_url, tmp_path):
    with pooling(database_url, "session") as url:
        environment = {"FOOTFALL_DATABASE_URL": database_url, "FOOTFALL_CELLS": f"east={url} away={AWAY}"}
        with running(tmp_path / "data", environment=environment) as service:
            assert service.send("GET", "/readyz")[0] == 200


def test_the_doctor_names_a_cell_behind_transactions_and_none_is_added_there(database_url, settings):
    with pooling(database_url, "transaction", ignored="options") as url:
        settings["FOOTFALL_CELLS"] = f"west={url} east={url}"
        [found] = [one for one in diagnose(settings) if one.subject == "cell west"]
        refused = commands(settings)("cell", "add", "east", status=1)

    assert (found.healthy, found.detail) == (False, f"the place west: {TRANSACTION_POOLER}")
    assert refused == f"footfall: the place east: {TRANSACTION_POOLER}\n"


def test_no_cell_is_added_or_migrated_behind_a_pooler_that_drops_its_schema(database_url, settings):
    with pooling(database_url, "session", ignored="options") as url:
        settings["FOOTFALL_CELLS"] = f"west={url} east={url}"
        run = commands(settings)
        added, migrated = run("cell", "add", "east", status=1), run("cell", "migrate", status=1)

    assert added == f"footfall: the place east: {LOST_SCHEMA}\n"
    assert migrated == f"footfall: the place west: {LOST_SCHEMA}\n"
    assert [row["cell"] for row in run("cell", "list", "--json")] == ["main", "west"]


@pytest.mark.parametrize("mode", ["session", "transaction"])
def test_a_pooler_that_is_busy_is_told_by_its_mode(database_url, mode):
    with pooling(database_url, mode) as url:
        found = [is_behind_transaction_pooler(url) for _ in range(20)]

    assert found == [mode == "transaction"] * 20


def test_a_server_without_a_pooler_gives_sessions_of_their_own(database_url):
    assert not is_behind_transaction_pooler(database_url)
    assert not examine(database_url).shared_sessions


def _asked(service, key, name, /, **parameters):
    """Return the answer of a report, and the positions that it names."""
    address = f"{service.base_url}/api/sites/1/{name}?{urlencode(parameters)}"
    request = Request(address, headers={"Authorization": f"Bearer {key}"})
    with urlopen(request, timeout=30) as response:
        return json.load(response), response.headers["Footfall-Positions"]
