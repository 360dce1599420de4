"""The database itself keeps both logs as they are."""

import psycopg
import pytest
from psycopg import errors

CHANGES = [
    "update event set data = '{}'",
    "delete from event",
    "truncate event",
    "update hit set pathname = 'x'",
    "delete from hit",
    "truncate hit",
    "update hit_202603 set pathname = 'x'",
    "delete from hit_202603",
    "truncate hit_202603",
]


@pytest.fixture
def connection(database_url):
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute(
            "insert into event (stream, version, type, schema_version, data, recorded_at)"
            " values ('site-1', 1, 'site-deleted', 0, '{}', now())"
        )
        connection.execute("select hit_partition('2026-03-14T12:00Z')")
        connection.execute(
            "insert into hit (site_id, visitor_id, occurred_at, received_at, type, device_type)"
            " values (1, 1, '2026-03-14T12:00Z', now(), 'pageview', 'desktop')"
        )
        yield connection


@pytest.mark.parametrize("change", CHANGES)
def test_no_statement_changes_written_rows(connection, change):
    with pytest.raises(errors.RestrictViolation):
        connection.execute(change)

    for table in ("event", "hit"):
        assert connection.execute(f"select count(*) from {table}").fetchone() == (1,)


def test_an_announced_erasure_may_change_written_rows(connection):
    with connection.transaction():
        connection.execute("set local footfall.erasing = 'on'")
        connection.execute("delete from hit where site_id = 1")

    assert connection.execute("select count(*) from hit").fetchone() == (0,)
    assert connection.execute("select current_setting('footfall.erasing', true)").fetchone() in [
        ("",),
        (None,),
    ]


def test_a_month_gets_one_partition_however_often_it_is_asked_for(connection):
    names = {
        connection.execute("select hit_partition(%s)", (at,)).fetchone()
        for at in ("2026-04-01T00:00Z", "2026-04-30T23:59:59.999999Z", "2026-04-01T00:00Z")
    }

    assert names == {("hit_202604",)}
