"""Migrations on an empty database, again, and by several at once."""

import time
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from footfall.adapters.postgres import migration
from footfall.adapters.postgres.migration import all_migrations, migrate, missing_migrations
from footfall.application.ports import StoreUnavailable

CONVERSION_DAYS = 14


def test_an_empty_database_lacks_all_and_then_none(empty_database_url):
    before = missing_migrations(empty_database_url)
    applied = migrate(empty_database_url)
    again = migrate(empty_database_url)

    assert before == applied == all_migrations()
    assert again == missing_migrations(empty_database_url) == []


def test_several_at_once_do_it_once(empty_database_url):
    with ThreadPoolExecutor(4) as pool:
        applied = list(pool.map(migrate, [empty_database_url] * 4))

    assert sorted(len(one) for one in applied) == [0, 0, 0, len(all_migrations())]


def test_a_migration_that_fails_leaves_nothing_behind(empty_database_url):
    with psycopg.connect(empty_database_url, autocommit=True) as connection:
        connection.execute("create table visitor_salt (other text)")

    with pytest.raises(psycopg.errors.DuplicateTable):
        migrate(empty_database_url)

    with psycopg.connect(empty_database_url) as connection:
        assert connection.execute("select to_regclass('event'), to_regclass('hit')").fetchone() == (
            None,
            None,
        )


def test_numbers_are_given_once_and_ascend():
    numbers = [one.number for one in all_migrations()]

    assert numbers == sorted(set(numbers))


def test_a_server_that_is_not_there_is_named_as_such():
    with pytest.raises(StoreUnavailable) as caught:
        migrate("postgresql://user:hidden@127.0.0.1:1/nothing")

    assert "hidden" not in str(caught.value)


def test_a_user_who_may_not_make_tables_is_told_so(empty_database_url):
    with psycopg.connect(empty_database_url, autocommit=True) as owner:
        owner.execute("drop role if exists footfall_test_guest; create role footfall_test_guest")
        owner.execute("revoke create on schema public from public")

        with pytest.raises(StoreUnavailable, match="InsufficientPrivilege"):
            migrate(make_conninfo(empty_database_url, options="-c role=footfall_test_guest"))

        owner.execute("drop role footfall_test_guest")


def test_what_an_older_version_is_projecting_meanwhile_is_part_of_what_is_made_of_it(
    empty_database_url, monkeypatch
):
    older = [one for one in all_migrations() if one.number < CONVERSION_DAYS]
    with monkeypatch.context() as patch:
        patch.setattr(migration, "all_migrations", lambda: older)
        migrate(empty_database_url)

    with ThreadPoolExecutor() as pool, psycopg.connect(empty_database_url) as projector:
        projector.execute("select from projection_checkpoint for update")
        projector.execute("insert into conversion values (1, 1, 1, now(), now(), now())")
        migrating = pool.submit(migrate, empty_database_url)
        wait_for_a_lock(empty_database_url, migrating)
        projector.commit()
        migrating.result(60)

        assert projector.execute("select number, conversions from conversion_day").fetchall() == [(1, 1)]


def wait_for_a_lock(url, work):
    waiting = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
    with psycopg.connect(url, autocommit=True) as looking:
        while not looking.execute(waiting).fetchall():
            assert not work.done()
            time.sleep(0.01)


def test_vitals_that_were_counted_before_there_were_digits_get_theirs(empty_database_url):
    with psycopg.connect(empty_database_url, autocommit=True) as connection:
        for one in all_migrations():
            if one.name == "vitals_as_digits":
                connection.execute(COUNTED_VITALS)
            connection.execute(one.sql)

        digits = dict(connection.execute("select pathname, array[lcp, cls] from day_vitals").fetchall())

    assert digits["few"] == [None, None]
    assert [groups_of_twelve(number) for number in digits["many"]] == [list(range(1, 554)), [0]]


# Everything that can be a class in the first three steps, as often as says its place among these.
COUNTED_VITALS = """
    insert into day_vitals
    select 1, now(), 'many', array_agg(class order by class), array_agg(place order by class)
    from (
        select class, row_number() over (order by class)::integer as place
        from generate_series(0, 762) as class
        where class < 100 or class % 256 between 100 and 250
    ) as possible;
    insert into day_vitals values (1, now(), 'few', '{16384, 16386}', '{7, 9}')
"""


def groups_of_twelve(number):
    """Return what each twelve digits of a number say, from the right."""
    text = f"{number:f}"
    return [int(text[max(end - 12, 0) : end]) for end in range(len(text), 0, -12)]
