"""Hosts of referrers in DuckDB."""

import duckdb
import pytest

from footfall.adapters.columns.functions import functions
from footfall.adapters.columns.selection.expressions import column_of
from footfall.domain.tracking.acquisition.referrer import referrer_host

REFERRERS = [
    *("https://WWW.a.org/x?y#z", "https://", "://://a", "www.", "a://www.w?#/", "/a", "", "x" * 2048),
    *(
        "https://\u0130.example/",
        "a://b?c/d",
        "a://b#c?d",
        "http://[::1]:80/",
        "https://www.www.b/",
        "😀://😀/",
    ),
]


@pytest.mark.parametrize("referrer", REFERRERS)
def test_a_referrer_has_the_host_that_the_domain_gives_it(referrer):
    with duckdb.connect() as connection:
        for statements in functions():
            connection.execute(statements)
        query = f"select {column_of('referrer_host')} from (select $referrer as referrer)"
        [(host,)] = connection.execute(query, {"referrer": referrer}).fetchall()

    assert host == referrer_host(referrer)


def test_without_a_referrer_there_is_no_host():
    with duckdb.connect() as connection:
        for statements in functions():
            connection.execute(statements)
        query = (
            f"select {column_of('referrer_host', 'session_')} from (select null::varchar as session_referrer)"
        )
        assert connection.execute(query).fetchall() == [(None,)]
