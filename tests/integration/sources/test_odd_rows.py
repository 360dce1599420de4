"""Sources with every odd thing that their formats allow add up, whenever their imports are killed."""

from collections import Counter

import psycopg
import pytest

from tests.commands import commands
from tests.generated import at_length
from tests.integration.sources import odd_rows
from tests.integration.sources.killing import is_killed_at
from tests.servers.mariadb import running_mariadb

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1_800)]

# Files of many pieces, in which each odd thing meets each other one many times.
KILLS = at_length(slow=3, thorough=20)
KILLED_ROWS = at_length(slow=5_000, thorough=20_000)
ALL_ROWS = at_length(slow=KILLED_ROWS, thorough=100_000)
ROWS_OF_A_PIECE = 800
SOURCES = (
    "access-log",
    "ga4",
    "goatcounter",
    pytest.param("matomo", marks=pytest.mark.needs("mariadbd")),
    "umami",
    "plausible",
    "rybbit",
)
# Each row of another site in the same tables, in 97, and of Matomo the carts, which are not read.
WITH_ANOTHER_SITE = {"ga4", "matomo", "umami", "plausible", "rybbit"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("sources")


@pytest.fixture(scope="module")
def clickhouses(folder):
    """Return the arguments for ClickHouse with all rows and, in a place of their own, with those of the kills."""
    with odd_rows.clickhouse(folder, *{ALL_ROWS, KILLED_ROWS}) as arguments:
        yield arguments


@pytest.fixture(scope="module")
def mariadb():
    with running_mariadb() as server:
        yield server


@pytest.fixture
def source(request, folder, empty_database_url):
    def arguments(name, rows):
        match name:
            case "access-log":
                return odd_rows.access_log(folder, rows)
            case "ga4":
                return odd_rows.ga4(folder, rows)
            case "goatcounter":
                return odd_rows.goatcounter(folder, rows)
            case "matomo":
                return odd_rows.matomo(request.getfixturevalue("mariadb"), rows)
            case "umami":
                return odd_rows.umami(empty_database_url, rows)
        return request.getfixturevalue("clickhouses")[name, rows]

    return arguments


@pytest.fixture
def settings(database_url, tmp_path):
    return {"FOOTFALL_DATABASE_URL": database_url, "FOOTFALL_DATA_DIR": str(tmp_path / "data")}


@pytest.fixture
def footfall(settings):
    run = commands(settings)
    run("init", "--organization", "O", "--site", "Shop", "--domain", "shop.example")
    return lambda *arguments: run(*arguments, "--json")


def stored(url):
    with psycopg.connect(url) as connection:
        rows = connection.execute(
            "select (occurred_at at time zone 'UTC')::date::text, type::text, count(*) from hit group by 1, 2"
        ).fetchall()
    return Counter({(day, kind): number for day, kind, number in rows})


def is_read(name, number):
    return not ((name in WITH_ANOTHER_SITE and number % 97 == 0) or (name == "matomo" and number % 80 == 73))


def rows_of(name, rows):
    return sum(is_read(name, number) for number in range(1, rows + 1))


def assert_complete(ledger, name, rows):
    """Each row is in the ledger once, and for a known reason where it is left out."""
    assert sum(row["rows"] for row in ledger) == rows_of(name, rows)
    assert "unreadable" not in {row["leftOut"] for row in ledger}


def counted(ledger):
    return Counter({(row["day"], row["type"], row["leftOut"]): row["rows"] for row in ledger})


def kept(ledger):
    return Counter({(row["day"], row["type"]): row["rows"] for row in ledger if row["leftOut"] is None})


# An import that is killed is held to the same, and to what it would have read at one go.
@pytest.mark.thorough
@pytest.mark.parametrize("name", SOURCES)
def test_every_row_is_stored_or_left_out_by_its_reason_once(footfall, source, database_url, name):
    arguments = source(name, ALL_ROWS)

    first = footfall("import", "1", *arguments)
    again = footfall("import", "1", *arguments)

    assert (first["read"], again["read"]) == (rows_of(name, ALL_ROWS), 0)
    assert_complete(first["ledger"], name, ALL_ROWS)
    assert stored(database_url) == kept(first["ledger"])


@pytest.mark.parametrize("name", SOURCES)
def test_an_import_that_is_killed_often_adds_up(footfall, source, settings, database_url, name):
    arguments = source(name, KILLED_ROWS)
    expected = counted(footfall("import", "1", *arguments, "--dry-run")["ledger"])

    killed = sum(
        is_killed_at(
            number,
            database_url,
            arguments=["1", *arguments],
            environment=settings,
            rows_of_a_piece=ROWS_OF_A_PIECE,
        )
        for number in range(1, KILLS + 1)
    )
    footfall("import", "1", *arguments)
    again = footfall("import", "1", *arguments)
    [listed] = footfall("import", "list")
    ledger = footfall("import", "show", str(listed["importId"]))

    assert (killed, again["read"]) == (KILLS, 0)
    assert_complete(ledger, name, KILLED_ROWS)
    assert (listed["state"], counted(ledger)) == ("complete", expected)
    assert stored(database_url) == kept(ledger)
    verified = footfall("import", "1", *arguments, "--verify")
    assert {line["difference"] for line in verified["pageviews"]} == {0}
    assert verified["notImported"] == []
