"""`footfall projections`, the command."""

import psycopg
import pytest

from tests.histories import hit, record
from tests.stores.stored import catch_up


@pytest.fixture
async def stored(stored):
    await stored.append(record(hit(), hit(visitor_id=2)))
    await catch_up(stored.projector)
    return stored


@pytest.mark.usefixtures("stored")
def test_the_status_is_one_json_document(answered):
    document = answered("projections", "status")

    assert (document["lagEvents"], document["lagSeconds"], document["position"]) == (0, 0, 2)
    assert [one["name"] for one in document["readModels"]][:2] == ["session", "traffic_bucket"]


@pytest.mark.usefixtures("stored")
def test_the_status_counts_rows_that_no_analysis_has_seen(answered, database_url):
    with psycopg.connect(database_url, autocommit=True) as connection:
        # What a crash leaves of the statistics of a table.
        connection.execute("update pg_class set reltuples = -1, relpages = 0 where relname = 'session'")

    [size, *_] = answered("projections", "status")["readModels"]

    assert (size["name"], size["rows"], size["rowsEstimated"]) == ("session", 2, False)


@pytest.mark.usefixtures("stored")
def test_the_status_calls_the_rows_of_a_large_table_estimated(footfall, answered, database_url):
    with psycopg.connect(database_url) as connection:
        # A dozen rows a page.
        connection.execute("alter table conversion_bucket set (fillfactor = 10)")
        connection.execute(
            "insert into conversion_bucket (site_id, number, bucket, conversions, open_at_start)"
            " select 1, n, '2026-01-01', 1, 0 from generate_series(1, 60000) as n"
        )

    models = answered("projections", "status")["readModels"]
    told = footfall("projections", "status").stdout

    [size] = [one for one in models if one["name"] == "conversion_bucket"]
    assert size["rowsEstimated"]
    assert 30_000 < size["rows"] < 90_000
    assert "conversion_bucket    about" in told


@pytest.mark.usefixtures("stored")
def test_the_status_names_goals_that_are_set_aside_with_the_reason(footfall, answered, database_url):
    with psycopg.connect(database_url) as connection:
        connection.execute(
            "insert into goal_version (goal_id, site_id, version, number, set_aside)"
            " values (7, 1, 3, 3, 'it is too slow')"
        )

    told = footfall("projections", "status").stdout
    document = answered("projections", "status")

    assert "goal 7 of site 1 is set aside: it is too slow" in told
    assert document["goalsSetAside"] == [{"goalId": 7, "siteId": 1, "reason": "it is too slow"}]


@pytest.mark.usefixtures("stored")
def test_the_status_tells_a_lag(footfall, database_url):
    with psycopg.connect(database_url) as connection:
        connection.execute("update projection_checkpoint set position = 0")

    assert footfall("projections", "status").stdout.startswith("behind by 2 event(s), ")


@pytest.mark.usefixtures("stored")
def test_the_status_tells_of_sessions_that_a_former_version_formed(footfall, answered, database_url):
    of_today = answered("projections", "status")["sessions"], footfall("projections", "status").stdout
    with psycopg.connect(database_url) as connection:
        connection.execute("update projection_checkpoint set sessions = 1")

    assert (of_today[0], "formed anew" in of_today[1]) == (2, False)
    assert answered("projections", "status")["sessions"] == 1
    assert "sessions are being formed anew" in footfall("projections", "status").stdout


@pytest.mark.usefixtures("stored")
def test_a_faithful_set_is_verified(answered):
    assert answered("projections", "rebuild", "--verify") == {"verified": True, "differences": {}}


@pytest.mark.usefixtures("stored")
def test_a_tampered_set_is_told_and_then_rebuilt(footfall, database_url):
    with psycopg.connect(database_url) as connection:
        connection.execute("delete from session where session_id = 2")

    verified = footfall("projections", "rebuild", "--verify")
    rebuilt = footfall("projections", "rebuild")
    again = footfall("projections", "rebuild", "--verify")

    assert (verified.exit_code, rebuilt.exit_code, again.exit_code) == (1, 0, 0)
    assert verified.stderr == "footfall: session differs in 1 row(s)\n"
