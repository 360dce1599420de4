"""`footfall projections`, the command."""

import json

import psycopg
import pytest
from click.testing import CliRunner

from footfall.entrypoints.cli import cli
from tests.histories import hit, record
from tests.stored import Stored, catch_up


@pytest.fixture
def run(database_url):
    def run(*arguments):
        return CliRunner().invoke(
            cli, ["projections", *arguments], env={"FOOTFALL_DATABASE_URL": database_url}
        )

    return run


@pytest.fixture
async def stored(database_url):
    stored = Stored(database_url)
    await stored.connections.open()
    await stored.append(record(hit(), hit(visitor_id=2)))
    await catch_up(stored.projector)
    yield stored
    await stored.close()


@pytest.mark.usefixtures("stored")
def test_the_status_is_one_json_document(run):
    result = run("status", "--json")

    document = json.loads(result.stdout)
    assert result.exit_code == 0
    assert (document["lagEvents"], document["lagSeconds"], document["position"]) == (0, 0, 2)
    assert [one["name"] for one in document["readModels"]][:2] == ["session", "traffic_bucket"]


@pytest.mark.usefixtures("stored")
def test_the_status_tells_a_lag(run, database_url):
    with psycopg.connect(database_url) as connection:
        connection.execute("update projection_checkpoint set position = 0")

    assert run("status").stdout.startswith("behind by 2 event(s), ")


@pytest.mark.usefixtures("stored")
def test_a_faithful_set_is_verified(run):
    result = run("rebuild", "--verify", "--json")

    assert json.loads(result.stdout) == {"verified": True, "differences": {}}


@pytest.mark.usefixtures("stored")
def test_a_tampered_set_is_told_and_then_rebuilt(run, database_url):
    with psycopg.connect(database_url) as connection:
        connection.execute("delete from session where session_id = 2")

    verified, rebuilt, again = run("rebuild", "--verify"), run("rebuild"), run("rebuild", "--verify")

    assert (verified.exit_code, rebuilt.exit_code, again.exit_code) == (1, 0, 0)
    assert verified.stderr == "footfall: session differs in 1 row(s)\n"
