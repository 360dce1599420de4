"""Looking a PostgreSQL server over: whether it can hold the logs, and keeps what it has acknowledged."""

from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg
from attrs import frozen
from psycopg.conninfo import conninfo_to_dict

OLDEST = 150_000
_LOCAL = ("", "localhost", "127.0.0.1", "::1")
_MUST_BE_ON = ("fsync", "synchronous_commit", "full_page_writes")
_TOO_LOW = ("off", "local")

_UNREADABLE = (
    "FOOTFALL_DATABASE_URL cannot be read; special characters in its password must be percent-encoded"
)
_RIGHTS = """
    select tablename, wanted
    from pg_tables
    cross join unnest(array['select', 'insert', 'update', 'delete']) as wanted
    where schemaname = current_schema() and not has_table_privilege(format('%I.%I', schemaname, tablename), wanted)
    order by tablename, wanted
"""
_CREATE = """
    select coalesce(has_schema_privilege(current_schema(), 'create'), false) as allowed
"""
_OWNER = """
    select coalesce(pg_has_role(tableowner, 'usage'), true) as owned
    from (select 1) as one
    left join pg_tables on schemaname = current_schema() and tablename = 'hit'
"""


class Unreachable(Exception):
    """Nobody answers under a URL, or not to us; the text says who was asked, without the password."""


@frozen(kw_only=True)
class Examination:
    """What a server is like."""

    version: str
    recent_enough: bool
    clock_ahead: timedelta
    missing_rights: tuple[str, ...]
    unsafe_settings: tuple[str, ...]
    encrypted: bool


def examine(url: str) -> Examination:
    """Look over the server that a URL leads to.

    Raises:
        Unreachable: nobody answers there, or not to us.

    """
    try:
        with psycopg.connect(url, autocommit=True, connect_timeout=5) as connection:
            return _examine(connection)
    except (psycopg.Error, OSError) as fault:
        raise Unreachable(_described(url, fault)) from None


def _examine(connection: psycopg.Connection[Any]) -> Examination:
    info = connection.info
    return Examination(
        version=info.parameter_status("server_version") or "unknown",
        recent_enough=info.server_version >= OLDEST,
        clock_ahead=_clock_ahead(connection),
        missing_rights=_missing_rights(connection),
        unsafe_settings=_unsafe_settings(connection),
        encrypted=info.host.startswith("/") or info.host in _LOCAL or bool(info.pgconn.ssl_in_use),
    )


def _clock_ahead(connection: psycopg.Connection[Any]) -> timedelta:
    before = datetime.now(UTC)
    there: datetime
    [[there]] = connection.execute("select clock_timestamp()").fetchall()
    # The answer was written at some time between the two looks at our own clock.
    return before + (datetime.now(UTC) - before) / 2 - there


def _missing_rights(connection: psycopg.Connection[Any]) -> tuple[str, ...]:
    missing = [f"{wanted} on {table}" for table, wanted in connection.execute(_RIGHTS)]
    [[may_create]] = connection.execute(_CREATE).fetchall()
    [[owns]] = connection.execute(_OWNER).fetchall()
    # A partition can be made by the owner of the table only.
    return (
        *missing,
        *([] if may_create else ["create in the schema"]),
        *([] if owns else ["ownership of the table hit"]),
    )


def _unsafe_settings(connection: psycopg.Connection[Any]) -> tuple[str, ...]:
    shown = [(name, connection.execute(f"show {name}").fetchall()[0][0]) for name in _MUST_BE_ON]
    return tuple(f"{name} is {value}" for name, value in shown if value in _TOO_LOW)


def _described(url: str, fault: Exception) -> str:
    try:
        parts = {name: str(value) for name, value in conninfo_to_dict(url).items()}
    except psycopg.Error:
        return _UNREADABLE
    if not parts.get("port", "0").isdecimal() or "@" in parts.get("dbname", ""):
        # Pieces of a password with a slash or a question mark in it are taken for something else, and would be shown.
        return _UNREADABLE
    # What the driver says names host, user and database; a password it does not name, but let nobody depend on that.
    lines = [line.strip() for line in str(fault).splitlines() if line.strip()]
    reason = lines[-1] if lines else type(fault).__name__
    password = parts.get("password", "")
    asked = f"{parts.get('host', 'the local socket')}, database {parts.get('dbname', 'by default')}"
    return f"cannot use {asked}: {reason.replace(password, '…') if password else reason}"
