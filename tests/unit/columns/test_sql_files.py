"""Queries of DuckDB stand in files, and read relations that stand in front of them."""

import duckdb

from footfall.adapters.columns.sql_files import Kept, compose, over


def test_a_query_without_pieces_stays_as_it_stands():
    assert '{"owner":["INTEGER"]' in compose("errors/costs")


def test_a_place_takes_the_piece_of_its_name():
    composed = compose("selection/valued", expression="a + 1", name="value")

    assert composed.endswith("select *, a + 1 as value from source")


def test_a_query_reads_those_in_front_of_it_and_they_those_before_them():
    query = over(
        "-- Comments; first\nwith own as (select max(b) as b from other)\nselect * from own",
        numbers="-- name: numbers\nselect unnest([1, 2]) as a",
        other=Kept("select a + 1 as b from numbers"),
    )

    assert "other as materialized" in query
    assert "numbers as not materialized" in query
    with duckdb.connect() as connection:
        assert connection.execute(query).fetchall() == [(3,)]
    assert over("select 1") == "select 1"
