"""Migrations on an empty database, again, and by several at once."""

import time
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256

import psycopg
import pytest
from attrs import fields
from psycopg.conninfo import make_conninfo

from footfall.adapters.postgres.database.migration import (
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
from tests.released.dumps import BEFORE, restore

MIGRATIONS = all_migrations()


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


def test_a_migration_waits_for_the_projector_and_sees_its_rows(empty_database_url, add_migration):
    migrate(empty_database_url)
    add_migration(b"create table seen as select count(*) as found from conversion")

    with ThreadPoolExecutor() as pool, psycopg.connect(empty_database_url) as projector:
        projector.execute("select from projection_checkpoint for update")
        projector.execute("insert into conversion values (1, 1, 1, now(), now(), now())")
        migrating = pool.submit(migrate, empty_database_url)
        wait_for_a_lock(empty_database_url, migrating)
        projector.commit()
        migrating.result(60)

        assert projector.execute("select found from seen").fetchone() == (1,)


def test_released_migrations_are_never_changed():
    digests = {one.name: sha256(one.sql).hexdigest() for one in all_migrations() if one.name in RELEASED}

    assert digests == RELEASED


def test_the_schema_of_the_last_version_before_the_first_release_becomes_that_of_a_new_database(
    empty_database_url, database_url
):
    restore(empty_database_url, BEFORE)
    before = missing_migrations(empty_database_url)

    with ThreadPoolExecutor(4) as pool:
        applied = list(pool.map(migrate, [empty_database_url] * 4))

    assert before == all_migrations()
    assert sorted(map(len, applied)) == [0, 0, 0, len(all_migrations())]
    assert objects(empty_database_url) == objects(database_url)


def test_a_database_that_such_a_version_has_not_brought_up_to_date_is_refused_and_left_unchanged(
    empty_database_url,
):
    restore(empty_database_url, BEFORE)
    with psycopg.connect(empty_database_url, autocommit=True) as connection:
        connection.execute(
            "insert into alert_target (site_id, target, url) values (1, 1, 'https://example.com/')"
        )

        refused(empty_database_url)

        connection.execute("delete from alert_target; delete from schema_migration where number = 57")
        refused(empty_database_url)
        assert connection.execute("select to_regclass('error_history') is not null").fetchone() == (True,)


def test_an_older_schema_is_refused_with_the_way_over(empty_database_url):
    with psycopg.connect(empty_database_url, autocommit=True) as connection:
        connection.execute(
            "create table schema_migration (number integer primary key, name text, applied_at timestamptz)"
        )
        connection.execute("insert into schema_migration values (1, 'baseline', now()), (2, 'person', now())")

    refused(empty_database_url)


def refused(url):
    for use in (migrate, missing_migrations):
        with pytest.raises(UnsupportedSchema, match="made by a version before 1"):
            use(url)


def objects(url):
    with psycopg.connect(url) as connection:
        return {query: sorted(connection.execute(query).fetchall()) for query in OBJECTS}


def wait_for_a_lock(url, work):
    waiting = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
    with psycopg.connect(url, autocommit=True) as looking:
        while not looking.execute(waiting).fetchall():
            assert not work.done()
            time.sleep(0.01)


def test_a_projector_of_a_version_before_leaves_the_read_models_to_newer_ones(empty_database_url):
    migrate(empty_database_url)

    with psycopg.connect(empty_database_url) as older:
        taken = older.execute(
            statement("projections/checkpoint/try_lock_checkpoint"),
            {"projection_version": PROJECTION_VERSION - 1},
        )

    assert taken.fetchall() == []


# By name; a migration is added with the release that it belongs to.
RELEASED = {"first_release": "984e9dc473b8e3ddf5ed50a47dfc57fdcc4ca53c739bc5cc522500de282e4b52"}
# Everything in the schema that has a definition, and the rows that a new database has.
OBJECTS = (
    (
        "select table_name, column_name, ordinal_position, data_type, column_default, is_nullable"
        " from information_schema.columns where table_schema = 'public'"
    ),
    (
        "select conrelid::regclass::text, conname, pg_get_constraintdef(oid) from pg_constraint"
        " where connamespace = 'public'::regnamespace"
    ),
    "select indexname, indexdef from pg_indexes where schemaname = 'public'",
    "select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal",
    "select oid::regprocedure::text, pg_get_functiondef(oid) from pg_proc where pronamespace = 'public'::regnamespace",
    "select relname, relkind::text, reloptions::text from pg_class where relnamespace = 'public'::regnamespace",
    (
        "select typname, array(select enumlabel from pg_enum where enumtypid = pg_type.oid)::text from pg_type"
        " where typnamespace = 'public'::regnamespace and typtype = 'e'"
    ),
    "select number, name from schema_migration",
    "select to_jsonb(projection_checkpoint)::text from projection_checkpoint",
    "select to_jsonb(engagement_settled)::text from engagement_settled",
)
