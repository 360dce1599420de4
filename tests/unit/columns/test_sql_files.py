"""Queries of DuckDB stand in files and are assembled by one rule."""

from pathlib import Path

from footfall.adapters import columns
from footfall.adapters.columns.sql_files import compose

FILES = sorted((Path(columns.__file__).parent / "sql").rglob("*.sql"))


def test_every_file_begins_with_its_name():
    unnamed = [path for path in FILES if path.read_text().partition("\n")[0] != f"-- {path.stem}"]

    assert FILES
    assert unnamed == []


def test_a_place_takes_the_piece_of_the_caller_and_else_the_neighbouring_file():
    pieces = {"source": "select 1", "column": "browser", "shown": "value"}
    pieces |= {"visitors": "null", "chosen": "true", "rank": "null"}

    composed = compose("breakdowns/counts", **pieces)

    assert "from (select 1) as counted" in composed
    assert "order by count desc, value limit $limit" in composed
    assert "{source}" not in composed
