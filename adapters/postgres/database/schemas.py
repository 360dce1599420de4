"""Schemas: an installation's store has the schema of its connections, each cell one of its own."""

import re
import zlib

from psycopg import AsyncConnection
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.rows import DictRow

from footfall.adapters.postgres.database.sql_files import statement

# The class of the locks of an installation's own store, as the migrations have it.
LOCK_CLASS = 1181708916
_SEARCH_PATH = re.compile(r"-c\s*search_path=(\w+(?:,\w+)*)")


def options_of(url: str) -> str:
    """Return the settings that connections to a URL begin with."""
    return str(conninfo_to_dict(url).get("options") or "")


def with_option(url: str, name: str, value: str) -> str:
    """Return the URL with one more setting that its connections begin with."""
    return make_conninfo(url, options=f"{options_of(url)} -c {name}={value}".strip())


def in_schema(url: str, schema: str) -> str:
    """Return the URL of a database with a schema in which its connections look for tables."""
    return with_option(url, "search_path", schema)


def search_path_of(url: str) -> str | None:
    """Return the schemas that a URL names, divided by commas; None for the usual one."""
    paths: list[str] = _SEARCH_PATH.findall(options_of(url))
    return paths[-1] if paths else None


def schema_of(url: str) -> str | None:
    """Return the schema of the store at a URL; None for the usual one."""
    path = search_path_of(url)
    return None if path is None else path.rpartition(",")[2]


def server_of(url: str) -> str:
    """Return the server of a URL that names one, as host:port."""
    parts = conninfo_to_dict(url)
    return f"{parts['host']}:{parts['port']}"


def lock_class_of(url: str) -> int:
    """Return the class of the advisory locks of the store at a URL."""
    schema = schema_of(url)
    # A positive number that fits into the integer of PostgreSQL.
    return LOCK_CLASS if schema is None else zlib.crc32(schema.encode()) & 0x7FFFFFFF


async def use_search_path(connection: AsyncConnection[DictRow], path: str) -> None:
    """Look for tables in these schemas only; poolers do not pass on what a URL says about it."""
    await connection.execute(statement("database/session/use_search_path"), {"path": path})


async def look_first_in(connection: AsyncConnection[DictRow], schema: str) -> None:
    """Look for tables in a schema before the one in use, for as long as the connection lasts."""
    await connection.execute(statement("database/session/look_first_in"), {"schema": schema})
