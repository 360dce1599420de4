"""Goals of Rybbit: its own table in PostgreSQL, and the same table as CSV, become goals once."""

from urllib.parse import urlencode

import psycopg
import pytest

from footfall.adapters.sources.rybbit_goals import open_database
from footfall.application.ports.imports import UnreadableSource
from tests.commands import commands

SCHEMA = """
create table goals (
    goal_id serial primary key, site_id integer not null, name text, goal_type text not null, config jsonb not null,
    created_at timestamp default now()
);
insert into goals (site_id, name, goal_type, config) values
    (7, 'Danke', 'path', '{"pathPattern": "/danke"}'),
    (7, null, 'event', '{"eventName": "Bestellung", "propertyFilters": [{"key": "plan", "value": "pro"}]}'),
    (7, 'Links', 'outbound', '{}'),
    (8, null, 'path', '{"pathPattern": "/other"}');
"""


@pytest.fixture
def rybbit(empty_database_url):
    """Return the URL of a database with goals, and fill it."""
    with psycopg.connect(empty_database_url) as connection:
        connection.execute(SCHEMA)
    parts = psycopg.conninfo.conninfo_to_dict(empty_database_url)
    name = parts.pop("dbname")
    return f"postgresql:///{name}?{urlencode(parts)}"


def test_one_of_several_sites_has_to_be_named_and_the_url_is_not_shown(rybbit):
    with pytest.raises(UnreadableSource, match="has 2 sites: name one with --source-site: 7, 8"):
        open_database(rybbit, None)

    assert rybbit not in repr(open_database(rybbit, "7"))


def test_a_database_without_goals_is_refused(empty_database_url):
    with pytest.raises(UnreadableSource, match="has not the tables of Rybbit"):
        open_database(empty_database_url, "7")


def test_the_command_defines_goals_once_and_takes_them_back(rybbit, database_url, tmp_path):
    run = commands({"FOOTFALL_DATABASE_URL": database_url, "FOOTFALL_DATA_DIR": str(tmp_path / "data")})

    def footfall(*arguments, **expected):
        return run(*arguments, "--json", **expected)

    def reasons(outcome):
        return {row["leftOut"]: (row["type"], row["rows"]) for row in outcome["ledger"]}

    names = ("--organization", "O", "--site", "Shop", "--domain", "shop.example")
    site = str(footfall("init", *names)["siteId"])
    path = tmp_path / "goals.csv"
    with (
        psycopg.connect(rybbit) as connection,
        path.open("wb") as file,
        connection.cursor().copy("copy goals to stdout with (format csv, header)") as copy,
    ):
        file.writelines(copy)

    first = footfall("import", site, "--from", "rybbit", "--source-site", "7", rybbit)
    again = footfall("import", site, "--source-site", "7", str(path))
    refusal = footfall("import", site, "--source-site", "7", str(path), "--verify", status=2)

    assert reasons(first) == {None: ("goal", 2), "type is not carried": ("goal", 1)}
    assert (again["read"], again["importId"]) == (0, first["importId"])
    assert "goals have none" in refusal
    assert goals(database_url) == [
        ("Danke", "import-1-goal-1"),
        ('Bestellung (plan: "pro")', "import-1-goal-2"),
    ]

    undone = footfall("import", "undo", str(first["importId"]))

    assert undone == {"importId": first["importId"], "rows": 2}
    assert footfall("import", "list") == []
    with psycopg.connect(database_url) as connection:
        [deleted] = connection.execute("select count(*) from event where type = 'goal-deleted'").fetchone()
    assert deleted == 2


def goals(url):
    with psycopg.connect(url) as connection:
        return connection.execute(
            "select data ->> 'name', request_id from event where type = 'goal-defined' order by position"
        ).fetchall()
