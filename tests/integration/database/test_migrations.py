"""Migrations on an empty database, again, and by several at once."""

import time
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest
from attrs import fields
from psycopg.conninfo import make_conninfo
from psycopg.types.json import Jsonb

from footfall.adapters.postgres.database import migration
from footfall.adapters.postgres.database.migration import (
    Migration,
    UnsupportedSchema,
    all_migrations,
    migrate,
    missing_migrations,
)
from footfall.adapters.postgres.database.sql_files import statement
from footfall.adapters.postgres.projections.read_models import PROJECTION_VERSION
from footfall.application.ports.journal import StoreUnavailable
from footfall.domain.tracking.hit import Hit
from footfall.domain.traffic.session import SESSION_ATTRIBUTES
from footfall.domain.traffic.web_vitals import measure_class

MIGRATIONS = all_migrations()
NEXT = Migration(
    MIGRATIONS[-1].number + 1, "next", b"create table seen as select count(*) as found from conversion"
)


def test_an_empty_database_lacks_all_migrations_until_it_is_migrated(empty_database_url):
    before = missing_migrations(empty_database_url)
    applied = migrate(empty_database_url)
    again = migrate(empty_database_url)

    assert before == applied == all_migrations()
    assert again == missing_migrations(empty_database_url) == []


def test_concurrent_migrations_run_once(empty_database_url):
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


def test_each_attribute_that_the_domain_declares_has_a_column(empty_database_url):
    declared = [("hit", one.name) for one in fields(Hit)]
    declared += [("session", name) for name in SESSION_ATTRIBUTES]
    migrate(empty_database_url)

    with psycopg.connect(empty_database_url) as connection:
        columns = connection.execute("select table_name, column_name from information_schema.columns")

        assert set(declared) - set(columns.fetchall()) == set()


def test_numbers_are_given_once_and_ascend():
    numbers = [one.number for one in all_migrations()]

    assert numbers == sorted(set(numbers))


def test_names_of_users_who_were_forgotten_before_are_erased(empty_database_url, monkeypatch):
    erasing = next(one for one in MIGRATIONS if one.name == "former_proof")
    folder = "footfall.adapters.postgres.database.migration.all_migrations"
    monkeypatch.setattr(folder, lambda: [one for one in MIGRATIONS if one.number < erasing.number])
    migrate(empty_database_url)
    events = [
        ("apikey-1", "api-key-issued", {"user_id": "1", "name": "Eve's laptop", "prefix": "ff_1"}),
        ("apikey-2", "api-key-issued", {"user_id": "12", "name": "kept", "prefix": "ff_2"}),
        ("user-1", "passkey-registered", {"passkey_id": "p", "name": "Eve's phone"}),
        ("user-1", "user-forgotten", {}),
    ]
    with psycopg.connect(empty_database_url) as connection:
        for stream, kind, data in events:
            connection.execute(
                "insert into event (stream, version, type, schema_version, data, recorded_at)"
                " values (%s, (select count(*) + 1 from event where stream = %s), %s, 0, %s, now())",
                [stream, stream, kind, Jsonb(data)],
            )
    monkeypatch.undo()

    migrate(empty_database_url)

    with psycopg.connect(empty_database_url) as connection:
        found = [data for (data,) in connection.execute("select data from event order by position")]
    assert found == [
        {"user_id": "1", "name": "", "prefix": "ff_1"},
        {"user_id": "12", "name": "kept", "prefix": "ff_2"},
        {"passkey_id": "p", "name": ""},
        {},
    ]


def test_an_unreachable_server_is_reported_as_unreachable():
    with pytest.raises(StoreUnavailable) as caught:
        migrate("postgresql://user:hidden@127.0.0.1:1/nothing")

    assert "hidden" not in str(caught.value)


def test_missing_rights_to_create_tables_are_reported(empty_database_url):
    with psycopg.connect(empty_database_url, autocommit=True) as owner:
        owner.execute("drop role if exists footfall_test_guest; create role footfall_test_guest")
        owner.execute("revoke create on schema public from public")

        with pytest.raises(StoreUnavailable, match="InsufficientPrivilege"):
            migrate(make_conninfo(empty_database_url, options="-c role=footfall_test_guest"))

        owner.execute("drop role footfall_test_guest")


def test_a_migration_waits_for_the_projector_and_sees_its_rows(empty_database_url, monkeypatch):
    migrate(empty_database_url)
    monkeypatch.setattr(migration, "all_migrations", lambda: [*MIGRATIONS, NEXT])

    with ThreadPoolExecutor() as pool, psycopg.connect(empty_database_url) as projector:
        projector.execute("select from projection_checkpoint for update")
        projector.execute("insert into conversion values (1, 1, 1, now(), now(), now())")
        migrating = pool.submit(migrate, empty_database_url)
        wait_for_a_lock(empty_database_url, migrating)
        projector.commit()
        migrating.result(60)

        assert projector.execute("select found from seen").fetchone() == (1,)


def test_reports_read_hits_while_the_index_of_pageviews_is_made(empty_database_url, monkeypatch):
    making = next(one for one in MIGRATIONS if b"create index hit_of_pageview " in one.sql)
    monkeypatch.setattr(migration, "all_migrations", lambda: [one for one in MIGRATIONS if one != making])
    migrate(empty_database_url)

    with psycopg.connect(empty_database_url) as migrating, psycopg.connect(empty_database_url) as reader:
        migration.run_in_store(migrating, making.sql)
        reader.execute("set lock_timeout = '1s'")

        assert reader.execute("select count(*) from hit").fetchone() == (0,)


def test_a_schema_with_migrations_of_an_earlier_history_is_refused_with_the_way_over(empty_database_url):
    with psycopg.connect(empty_database_url, autocommit=True) as connection:
        connection.execute(
            "create table schema_migration (number integer primary key, name text, applied_at timestamptz)"
        )
        connection.execute("insert into schema_migration values (1, 'logs', now()), (2, 'admission', now())")

    for use in (migrate, missing_migrations):
        with pytest.raises(UnsupportedSchema, match="footfall export of that version"):
            use(empty_database_url)


def wait_for_a_lock(url, work):
    waiting = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
    with psycopg.connect(url, autocommit=True) as looking:
        while not looking.execute(waiting).fetchall():
            assert not work.done()
            time.sleep(0.01)


def test_measures_are_rounded_up_after_the_migration(empty_database_url, monkeypatch):
    every = migration.all_migrations()
    monkeypatch.setattr(
        migration, "all_migrations", lambda: [one for one in every if one.number < ROUNDED_UP]
    )
    migrate(empty_database_url)
    classes = "select measure_class(0.10004), measure_class(0.00774)"
    with psycopg.connect(empty_database_url) as before:
        assert before.execute(classes).fetchone() == (868, 77)
    monkeypatch.undo()

    migrate(empty_database_url)

    with psycopg.connect(empty_database_url) as connection:
        found = connection.execute(classes).fetchone()
    assert found == (measure_class(0.10004), measure_class(0.00774)) == (869, 78)


def test_a_version_that_still_counts_days_finds_none_counted_after_the_migration(
    empty_database_url, monkeypatch
):
    every = migration.all_migrations()
    monkeypatch.setattr(
        migration, "all_migrations", lambda: [one for one in every if one.number < WITHOUT_SUMS]
    )
    migrate(empty_database_url)
    with psycopg.connect(empty_database_url) as before:
        before.execute("insert into day_summary_state values (1, '2026-01-01Z', 'counted', now())")
    monkeypatch.undo()

    migrate(empty_database_url)

    with psycopg.connect(empty_database_url) as connection:
        states = connection.execute("select from day_summary_state").fetchall()
        [version] = connection.execute("select projection_version from projection_checkpoint").fetchone()
    assert states == []
    assert version == PROJECTION_VERSION


ROUNDED_UP, WITHOUT_SUMS = 27, 33


def test_a_version_that_counts_path_goals_without_their_property_leaves_them_to_newer_ones(
    empty_database_url,
):
    migrate(empty_database_url)

    with psycopg.connect(empty_database_url) as older:
        taken = older.execute(
            statement("projections/checkpoint/try_lock_checkpoint"),
            {"projection_version": WITHOUT_PAGE_PROPERTIES},
        )

    assert taken.fetchall() == []


WITHOUT_PAGE_PROPERTIES = 12


def test_small_days_of_sites_with_many_hits_get_files_after_the_migration(empty_database_url, monkeypatch):
    every = migration.all_migrations()
    monkeypatch.setattr(
        migration, "all_migrations", lambda: [one for one in every if one.number < SMALL_DAYS]
    )
    migrate(empty_database_url)
    with psycopg.connect(empty_database_url) as before:
        before.execute(SMALL_DAYS_OF_SITES)
    monkeypatch.undo()

    migrate(empty_database_url)

    with psycopg.connect(empty_database_url) as connection:
        found = connection.execute(
            "select site_id, state, version is not null, held_hits, count(*) from column_day"
            " group by site_id, state, version is not null, held_hits order by site_id, state"
        ).fetchall()
    assert found == [
        (1, "closed", True, 100, 50),
        (1, "small", False, 100, 1),
        (2, "small", False, 100, 49),
        (3, "small", False, 100, 50),
    ]


# A site with enough small days, one of them of today; one with a day less; and a deleted one.
SMALL_DAYS = 30
SMALL_DAYS_OF_SITES = """
    insert into column_day (site_id, day, state, since, changed_at, sessions)
    select site_id, day_of(now()) - day * interval '24 hours', 'small', now(), now(), 1
    from (values (1, 50), (2, 49), (3, 50)) as site (site_id, days)
    cross join lateral (
        select 9 + generate_series(1, days) as day
        union all
        select 0 where site_id = 1
    ) as one;
    insert into traffic_bucket
    select site_id, day + hour * interval '1 hour', 46, 1, 1, 1, 1, 0, 1, 1, 1, 0, 0, 0, 0, 0
    from column_day
    cross join (values (0), (23)) as at (hour);
    insert into erasure (deleted_site, deleted_at) values (3, now())
"""


def test_digits_hold_the_count_of_every_class(empty_database_url):
    migrate(empty_database_url)

    with psycopg.connect(empty_database_url) as connection:
        (digits,) = connection.execute(COUNTED_VITALS).fetchone()

    assert groups_of_twelve(digits) == list(range(1, 554))


# Everything that can be a class in the first three steps, as often as says its place among these.
COUNTED_VITALS = """
    select counts_as_digits(array_agg(class order by class), array_agg(place order by class), 0)
    from (
        select class, row_number() over (order by class)::integer as place
        from generate_series(0, 762) as class
        where class < 100 or class % 256 between 100 and 250
    ) as possible
"""


def groups_of_twelve(number):
    """Return what each twelve digits of a number say, from the right."""
    text = f"{number:f}"
    return [int(text[max(end - 12, 0) : end]) for end in range(len(text), 0, -12)]
