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


# The last migration before the first release, and how many there were.
_LAST_BEFORE, _COUNT_BEFORE = (59, "erasure_list"), 48


class UnsupportedSchema(Exception):
    """The database has the schema of a version before the first release, and not that of the last one of these."""

    def __init__(self) -> None:
        super().__init__(
            "this database was made by a version before 1.0.0: let the last one of these serve it for some minutes,"
            " and then this one (docs/operate/updating.md#from-a-version-before-100)"
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


def is_later(number: int) -> bool:
    """Whether a later version made the schema that has this number as its last migration."""
    return number > all_migrations()[-1].number and number != _LAST_BEFORE[0]


def missing_migrations(url: str) -> list[Migration]:
    """Return the migrations that the database at this URL lacks.

    Raises:
        StoreUnavailable: the server does not answer.
        UnsupportedSchema: the database is that of a version before the first release which cannot be adopted.

    """
    with translated(), psycopg.connect(url, autocommit=True, connect_timeout=10) as connection:
        return _missing(connection)


def migrate(url: str) -> list[Migration]:
    """Apply the missing migrations and return them; a migration that fails is rolled back.

    Raises:
        StoreUnavailable: the server does not answer.
        UnsupportedSchema: the database is that of a version before the first release which cannot be adopted.

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
    applied, migrations = _applied(connection), all_migrations()
    if not applied or _is_adoptable(connection, applied):
        return migrations
    if any(applied.get(migration.number, migration.name) != migration.name for migration in migrations):
        raise UnsupportedSchema
    return [migration for migration in migrations if migration.number not in applied]


def _applied(connection: psycopg.Connection[Any]) -> dict[int, str]:
    if not _exists(connection, "schema_migration"):
        return {}
    return dict(connection.execute(statement("database/migration/applied_migrations")))


def _is_adoptable(connection: psycopg.Connection[Any], applied: dict[int, str]) -> bool:
    """Whether the database has what the first migration makes, from the versions before the first release."""
    if _LAST_BEFORE not in applied.items() or len(applied) != _COUNT_BEFORE:
        return False
    row = connection.execute(statement("database/migration/has_more_to_do")).fetchone()
    return row is not None and not row[0]


def _apply(connection: psycopg.Connection[Any], migration: Migration) -> None:
    with connection.transaction():
        if _exists(connection, "projection_checkpoint"):
            connection.execute(statement("database/migration/lock_checkpoint"))
        adopting = _is_adoptable(connection, _applied(connection))
        run_in_store(connection, statement("database/migration/adopt") if adopting else migration.sql)
        connection.execute(
            statement("database/migration/record_migration"),
            {"number": migration.number, "name": migration.name},
        )


def _exists(connection: psycopg.Connection[Any], table: str) -> bool:
    row = connection.execute(statement("database/migration/table_exists"), {"name": table}).fetchone()
    return row is not None and bool(row[0])
