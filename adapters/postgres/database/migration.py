"""Migrations: numbered SQL files, each applied once, in order, by one process at a time."""

import re
from importlib.resources import files
from typing import Any

import psycopg
from attrs import frozen

from footfall.adapters.postgres.database.failures import translated
from footfall.adapters.postgres.database.schemas import LOCK_CLASS, lock_class_of
from footfall.adapters.postgres.database.sql_files import statement

_FILE = re.compile(r"(\d{4})_(\w+)\.sql")
_COMMENT = re.compile(rb"--[^\n]*")
# What ends a statement, or may hold a semicolon that does not.
_PIECE = re.compile(rb"--[^\n]*|'[^']*'|\"[^\"]*\"|(\$\w*\$).*?\1|;", re.DOTALL)


class UnsupportedSchema(Exception):
    """The database has the schema of a version before the first release, which has no migration to this one."""

    def __init__(self) -> None:
        super().__init__(
            "this database was made by an earlier version whose schema cannot be migrated: "
            "save its sites with footfall export of that version, and footfall import them into a new database"
        )


@frozen
class Migration:
    """One step of the schema."""

    number: int
    name: str
    sql: bytes


def all_migrations() -> list[Migration]:
    """Return the migrations that this version brings, by number."""
    folder = files("footfall.adapters.postgres").joinpath("migrations")
    matches = [(match, entry) for entry in folder.iterdir() if (match := _FILE.fullmatch(entry.name))]
    migrations = [Migration(int(match[1]), match[2], entry.read_bytes()) for match, entry in matches]
    return sorted(migrations, key=lambda migration: migration.number)


def missing_migrations(url: str) -> list[Migration]:
    """Return the migrations that the database at this URL lacks.

    Raises:
        StoreUnavailable: the server does not answer.
        UnsupportedSchema: the database has migrations that this version never had.

    """
    with translated(), psycopg.connect(url, autocommit=True, connect_timeout=10) as connection:
        return _missing(connection)


def migrate(url: str) -> list[Migration]:
    """Apply the missing migrations and return them; a migration that fails is rolled back.

    Raises:
        StoreUnavailable: the server does not answer.
        UnsupportedSchema: the database has migrations that this version never had.

    """
    with translated(), psycopg.connect(url, autocommit=True, connect_timeout=10) as connection:
        lock_class = lock_class_of(url)
        connection.execute(statement("database/migration/lock_migrations"), {"lock_class": lock_class})
        connection.execute(statement("database/migration/create_schema_migration"))
        missing = _missing(connection)
        for migration in missing:
            _apply(connection, migration)
        return missing


def run_in_store(connection: psycopg.Connection[Any], script: bytes) -> None:
    """Run a script of the schema, whose advisory locks become those of the store of the connection."""
    lock_class = lock_class_of(connection.info.dsn)
    script = script.replace(str(LOCK_CLASS).encode(), str(lock_class).encode())
    for part in statements_of(script):
        connection.execute(part)


def statements_of(script: bytes) -> list[bytes]:
    """Return the statements of a script one by one; comments, texts and bodies of functions are not divided."""
    statements, rest = [], 0
    for match in _PIECE.finditer(script):
        if match[0] == b";":
            statements.append(script[rest : match.start()])
            rest = match.end()
    return [part for part in [*statements, script[rest:]] if _COMMENT.sub(b"", part).strip()]


def _missing(connection: psycopg.Connection[Any]) -> list[Migration]:
    if not _exists(connection, "schema_migration"):
        return all_migrations()
    applied: dict[int, str] = dict(connection.execute(statement("database/migration/applied_migrations")))
    migrations = all_migrations()
    if any(applied.get(migration.number, migration.name) != migration.name for migration in migrations):
        raise UnsupportedSchema
    return [migration for migration in migrations if migration.number not in applied]


def _apply(connection: psycopg.Connection[Any], migration: Migration) -> None:
    with connection.transaction():
        if _exists(connection, "projection_checkpoint"):
            connection.execute(statement("database/migration/lock_checkpoint"))
        run_in_store(connection, migration.sql)
        connection.execute(
            statement("database/migration/record_migration"),
            {"number": migration.number, "name": migration.name},
        )


def _exists(connection: psycopg.Connection[Any], table: str) -> bool:
    row = connection.execute(statement("database/migration/table_exists"), {"name": table}).fetchone()
    return row is not None and bool(row[0])
