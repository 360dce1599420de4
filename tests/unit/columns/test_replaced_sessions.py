"""Fresh sessions replace those that are kept, however many are brought at once."""

import duckdb
import pytest

from footfall.adapters.columns.queries import ColumnsFailed
from footfall.adapters.columns.reader.fresh_tables import FreshTables
from footfall.adapters.columns.row_making import FRESH_COLUMNS

# More than are looked for in one piece.
MANY = 25_000
TABLES = FreshTables("kept")


def write(directory, sessions, hits):
    """Write the files of a store; of each session all columns but those that place and count it are null."""
    directory.mkdir()
    for name, relation, rows in (("sessions", "session", sessions), ("hits", "hit", hits)):
        columns = FRESH_COLUMNS[relation]
        lines = (",".join(str(row.get(column, "")) for column in columns) for row in rows)
        (directory / f"{name}.csv").write_text("\n".join([",".join(columns), *lines, ""]))
    return directory


def session(number, *, visitor, hits=1):
    time = "2026-03-14 12:00:00+00"
    counted = {
        "pageviews": hits,
        "custom_events": 0,
        "performance_measures": 0,
        "outbound_clicks": 0,
        "errors": 0,
    }
    return {
        "session_id": number,
        "visitor_id": visitor,
        "started_at": time,
        "ended_at": time,
        **counted,
    }


def hit(number, session_id):
    return {"session_id": session_id, "position": number, "type": "pageview"}


def counted(connection):
    """Return the number of sessions, that of the pageviews they count, and that of the hits."""
    counts = "select count(*), sum(pageviews), (select count(*) from kept_hit) from kept_session"
    return connection.execute(counts).fetchone()


@pytest.fixture
def connection():
    with duckdb.connect() as connection:
        yield connection


@pytest.fixture
def kept(connection, tmp_path):
    """Sessions of as many visitors, of one hit each."""
    sessions = [session(number, visitor=number) for number in range(MANY)]
    hits = [hit(number, number) for number in range(MANY)]
    TABLES.begin(connection, write(tmp_path / "kept", sessions, hits), agree=True)


@pytest.mark.usefixtures("kept")
def test_each_session_that_comes_again_takes_the_place_of_the_former(connection, tmp_path):
    sessions = [session(number, visitor=number, hits=2) for number in range(1, MANY)]
    hits = [hit(number + late * MANY, number) for number in range(1, MANY) for late in range(2)]

    TABLES.add(connection, write(tmp_path / "again", sessions, hits), agree=True)

    assert counted(connection) == (MANY, 2 * MANY - 1, 2 * MANY - 1)


@pytest.mark.usefixtures("kept")
def test_a_session_whose_first_hit_is_in_another_one_is_no_more(connection, tmp_path):
    # A late hit joins each two of those that are kept.
    sessions = [session(number, visitor=number, hits=3) for number in range(0, MANY, 2)]
    hits = [hit(at, number) for number in range(0, MANY, 2) for at in (number, number + 1, MANY + number)]

    TABLES.add(connection, write(tmp_path / "joined", sessions, hits), agree=True)

    assert counted(connection) == (MANY / 2, 3 * MANY / 2, 3 * MANY / 2)


@pytest.mark.usefixtures("kept")
def test_sessions_stay_whose_hits_are_given_to_those_of_the_time(connection, tmp_path):
    hits = [hit(position, 0) for position in range(2)]

    TABLES.add(connection, write(tmp_path / "again", [session(0, visitor=0)], hits), agree=False)

    assert counted(connection) == (MANY, MANY, MANY + 1)


@pytest.mark.usefixtures("kept")
def test_sessions_without_one_of_their_hits_are_refused(connection, tmp_path):
    sessions = [session(MANY + number, visitor=MANY + number) for number in range(MANY)]
    hits = [hit(MANY + number, MANY + number) for number in range(1, MANY)]

    with pytest.raises(ColumnsFailed, match="LostHits"):
        TABLES.add(connection, write(tmp_path / "lost", sessions, hits), agree=True)
