"""Queries of DuckDB stand in files and are assembled by one rule."""

from footfall.adapters.columns.sql_files import compose


def test_a_place_takes_the_piece_of_the_caller_and_else_the_section_of_its_subject():
    pieces = {"source": "select 1", "column": "browser", "shown": "value"}
    pieces |= {"visitors": "null", "chosen": "true", "rank": "null", "counts": "true"}

    composed = compose("breakdowns/counts", **pieces)

    assert "from (select 1) as counted" in composed
    assert "order by count desc, value limit $limit" in composed
    assert "{source}" not in composed
