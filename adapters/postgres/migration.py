"""Migrations: numbered SQL files, each applied once, in order, by one process at a time."""

import re
from importlib.resources import files
from typing import Any, LiteralString

import psycopg
from attrs import frozen

from footfall.adapters.postgres.failures import translated

# Class and number of the advisory lock, see 0001_logs.sql.
_LOCK = "select pg_advisory_lock(1181708916, 3)"
_TABLE = """
    create table if not exists schema_migration (
        number integer primary key,
        name text not null,
        applied_at timestamptz not null default now()
    )
"""
_EXISTS = "select to_regclass('schema_migration') is not null"
# Nobody changes what is projected while a migration does: what was added behind its back would be missing from what it
# makes of the rest. Those that wait see afterwards that the shape is another one.
_PROJECTED = "select to_regclass('projection_checkpoint') is not null"
_CHECKPOINT = "select from projection_checkpoint for update"
_FILE = re.compile(r"(\d{4})_(\w+)\.sql")


@frozen
class Migration:
    """One step of the schema."""

    number: int
    name: str
    sql: bytes


def all_migrations() -> list[Migration]:
    """Return the migrations that this version brings, by number."""
    folder = files("footfall.adapters.postgres").joinpath("migrations")
    found = [(match, entry) for entry in folder.iterdir() if (match := _FILE.fullmatch(entry.name))]
    migrations = [Migration(int(match[1]), match[2], entry.read_bytes()) for match, entry in found]
    return sorted(migrations, key=lambda migration: migration.number)


def missing_migrations(url: str) -> list[Migration]:
    """Return the migrations that the database at this URL lacks.

    Raises:
        StoreUnavailable: the server does not answer.

    """
    with translated(), psycopg.connect(url, autocommit=True, connect_timeout=10) as connection:
        return _missing(connection)


def migrate(url: str) -> list[Migration]:
    """Apply what is missing and return it; a migration that fails leaves nothing of itself behind.

    Raises:
        StoreUnavailable: the server does not answer.

    """
    with translated(), psycopg.connect(url, autocommit=True, connect_timeout=10) as connection:
        # Held by the session: several processes may start at once, the second finds the work done.
        connection.execute(_LOCK)
        connection.execute(_TABLE)
        missing = _missing(connection)
        for migration in missing:
            _apply(connection, migration)
        return missing


def _missing(connection: psycopg.Connection[Any]) -> list[Migration]:
    if not _is_there(connection, _EXISTS):
        return all_migrations()
    applied = {number for (number,) in connection.execute("select number from schema_migration")}
    return [migration for migration in all_migrations() if migration.number not in applied]


def _apply(connection: psycopg.Connection[Any], migration: Migration) -> None:
    with connection.transaction():
        if _is_there(connection, _PROJECTED):
            connection.execute(_CHECKPOINT)
        connection.execute(migration.sql)
        connection.execute(
            "insert into schema_migration (number, name) values (%s, %s)", (migration.number, migration.name)
        )


def _is_there(connection: psycopg.Connection[Any], question: LiteralString) -> bool:
    row = connection.execute(question).fetchone()
    return row is not None and bool(row[0])
