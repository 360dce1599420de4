"""Events of Google Analytics 4 as PostgreSQL has them after an import."""

import sys

import psycopg
import pytest

from tests.commands import commands
from tests.unit.imports.ga4_files import PAGE, event, written


@pytest.fixture
def footfall(database_url, tmp_path):
    return commands({"FOOTFALL_DATABASE_URL": database_url, "FOOTFALL_DATA_DIR": str(tmp_path / "data")})


@pytest.fixture
def site(footfall):
    names = ("--organization", "O", "--site", "Shop", "--domain", "shop.example")
    return str(footfall("init", *names, "--json")["siteId"])


def test_places_of_google_analytics_are_stored_by_their_codes(footfall, site, tmp_path, database_url):
    export = written(tmp_path, event(geo={"country": "Germany", "region": "Bavaria", "city": "Munich"}))

    first = footfall("import", site, str(export), "--json")
    again = footfall("import", site, str(export), "--json")

    assert (first["stored"], again["read"]) == (1, 0)
    with psycopg.connect(database_url) as connection:
        assert connection.execute("select country, region, city from hit").fetchall() == [
            ("DE", "BY", "Munich")
        ]


def test_extremes_are_stored_as_they_are_or_left_out_by_their_reason(footfall, site, tmp_path, database_url):
    kept = {
        "most": 2**63 - 1,
        "least": -(2**63),
        "odd": 2**53 + 1,
        "large": sys.float_info.max,
        "small": 5e-324,
        "text": "💩\u202e\ufffe",
        "": "no name",
    }
    path = written(
        tmp_path,
        event("kept", params=PAGE | kept, user_pseudo_id="a\0b"),
        event("NUL", params=PAGE | {"text": "a\0b"}),
        event("key", params=PAGE | {"a\0b": 1}),
        event("a\0b"),
        event("long", params=PAGE | {"text": "x" * 10_000}),
        event("early", at=0),
    )

    done = footfall("import", site, str(path), "--json")

    with psycopg.connect(database_url) as connection:
        stored = connection.execute("select event_name, properties from hit").fetchall()
    assert stored == [("kept", kept | {"large": 17_976_931_348_623_157 * 10**292})]
    assert {(row["leftOut"], row["rows"]) for row in done["ledger"]} == {
        (None, 1),
        ("a value cannot be stored", 3),
        ("a text is too long", 1),
        ("before 1990", 1),
    }
