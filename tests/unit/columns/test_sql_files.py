"""Queries of DuckDB stand in files, and read relations that stand in front of them."""

import duckdb

from footfall.adapters.columns.sql_files import Kept, compose, over, select


def test_a_query_without_pieces_stays_as_it_stands():
    assert '{"owner":["INTEGER"]' in compose("errors/costs")


def test_a_place_takes_the_piece_of_its_name():
    composed = compose("selection/grouped", column="pathname")

    assert composed.endswith("left join grouped on grouped.path = source.pathname")


def test_rows_are_those_for_which_all_conditions_hold_and_else_all():
    assert select("hit", "a", "b").endswith("select * from hit where a and b")
    assert select("hit", columns="a + 1 as c").endswith("select a + 1 as c from hit where true")


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
