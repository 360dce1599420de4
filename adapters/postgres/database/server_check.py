"""Checks of a PostgreSQL server: whether it can hold the logs, and keeps each commit that it has acknowledged."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import psycopg
from attrs import frozen
from psycopg.conninfo import conninfo_to_dict

from footfall.adapters.postgres.database.replication import Replication, read_replication
from footfall.adapters.postgres.database.schemas import search_path_of
from footfall.adapters.postgres.database.sql_files import statement

OLDEST = 150_000
_LOCAL = ("", "localhost", "127.0.0.1", "::1")
_LOOKS = 5
_TOO_LOW = ("off", "local")

TRANSACTION_POOLER = (
    "a pooler in transaction mode stands before the database: set pool_mode = session, or name PostgreSQL itself"
    " (docs/operate/configuration.md#poolers)"
)
LOST_SCHEMA = (
    "the schema of the cell does not arrive there: a pooler before the database drops the startup parameter options;"
    " name PostgreSQL itself (docs/internals/servers/cells.md)"
)
_UNREADABLE = (
    "FOOTFALL_DATABASE_URL cannot be read; special characters in its password must be percent-encoded"
)


class Unreachable(Exception):
    """No server answers at a URL, or it refuses the connection; the text names the server, never the password."""


@frozen(kw_only=True)
class Examination:
    """The findings of a check."""

    version: str
    recent_enough: bool
    clock_ahead: timedelta
    missing_rights: tuple[str, ...]
    unsafe_settings: tuple[str, ...]
    encrypted: bool
    shared_sessions: bool
    # Whether connections look for tables where the URL says.
    in_schema: bool
    replication: Replication


def examine(url: str) -> Examination:
    """Check the server at a URL.

    Raises:
        Unreachable: no server answers there, or it refuses the connection.

    """
    try:
        with psycopg.connect(url, autocommit=True, connect_timeout=5) as connection:
            return _examine(connection, url, shared_sessions=is_behind_transaction_pooler(url))
    except (psycopg.Error, OSError) as fault:
        raise Unreachable(_described(url, fault)) from None


def is_behind_transaction_pooler(url: str) -> bool:
    """Whether connections to a URL share sessions of the server, as behind a pooler in transaction mode.

    Each connection must find again what it left in its session, and nothing of the other's. A pooler lends the
    session that was used last, or one after the other: a few looks suffice, also while others use it.

    Raises:
        psycopg.Error, OSError: no server answers, or it refuses the connections.

    """
    with _opened(url) as first, _opened(url) as second:
        return any(_mixes_up(first, second) for _ in range(_LOOKS))


def _opened(url: str) -> psycopg.Connection[Any]:
    # Prepared statements are one of the things that a shared session mixes up.
    return psycopg.connect(url, autocommit=True, connect_timeout=5, prepare_threshold=None)


def _mixes_up(first: psycopg.Connection[Any], second: psycopg.Connection[Any]) -> bool:
    token = uuid4().hex
    first.execute(statement("database/server_check/remember"), {"token": token})
    recalled = [
        connection.execute(statement("database/server_check/recall")).fetchall()
        for connection in (second, first)
    ]
    return recalled[0] == [(token,)] or recalled[1] != [(token,)]


def _examine(connection: psycopg.Connection[Any], url: str, *, shared_sessions: bool) -> Examination:
    info = connection.info
    return Examination(
        version=info.parameter_status("server_version") or "unknown",
        recent_enough=info.server_version >= OLDEST,
        clock_ahead=_clock_ahead(connection),
        missing_rights=_missing_rights(connection),
        unsafe_settings=_unsafe_settings(connection),
        encrypted=info.host.startswith("/") or info.host in _LOCAL or bool(info.pgconn.ssl_in_use),
        shared_sessions=shared_sessions,
        in_schema=search_path_of(url) in (None, _search_path(connection)),
        replication=read_replication(connection),
    )


def _clock_ahead(connection: psycopg.Connection[Any]) -> timedelta:
    before = datetime.now(UTC)
    there: datetime
    [[there]] = connection.execute(statement("database/server_check/server_time")).fetchall()
    # The server read its clock between the two readings of the local one: halfway, as far as is known.
    return before + (datetime.now(UTC) - before) / 2 - there


def _search_path(connection: psycopg.Connection[Any]) -> str:
    [[path]] = connection.execute(statement("database/server_check/search_path")).fetchall()
    return str(path)


def _missing_rights(connection: psycopg.Connection[Any]) -> tuple[str, ...]:
    missing = [
        f"{wanted} on {table}"
        for table, wanted in connection.execute(statement("database/server_check/missing_table_rights"))
    ]
    [[may_create]] = connection.execute(statement("database/server_check/may_create_tables")).fetchall()
    temporary = statement("database/server_check/may_create_temporary_tables")
    [[may_create_temporary]] = connection.execute(temporary).fetchall()
    [[owns]] = connection.execute(statement("database/server_check/owns_traffic_log")).fetchall()
    # Only the owner of the table can make a partition of it.
    return (
        *missing,
        *([] if may_create else ["create in the schema"]),
        *([] if may_create_temporary else ["temporary on the database"]),
        *([] if owns else ["ownership of the table hit"]),
    )


def _unsafe_settings(connection: psycopg.Connection[Any]) -> tuple[str, ...]:
    settings = connection.execute(statement("database/server_check/durability_settings"))
    return tuple(f"{name} is {value}" for name, value in settings if value in _TOO_LOW)


def _described(url: str, fault: Exception) -> str:
    try:
        parts = {name: str(value) for name, value in conninfo_to_dict(url).items()}
    except psycopg.Error:
        return _UNREADABLE
    ports = parts.get("port", "0").split(",")
    if not all(port.isdecimal() or not port for port in ports) or "@" in parts.get("dbname", ""):
        # A slash or question mark in the password splits it: its parts look like other fields, and would be shown.
        return _UNREADABLE
    # The driver names host, user and database, and not the password; that is not relied on.
    lines = [line.strip() for line in str(fault).splitlines() if line.strip()]
    reason = lines[-1] if lines else type(fault).__name__
    password = parts.get("password", "")
    asked = f"{parts.get('host', 'the local socket')}, database {parts.get('dbname', 'by default')}"
    return f"cannot use {asked}: {reason.replace(password, '…') if password else reason}"
