"""Schemas: an installation's store has the schema of its connections, each cell one of its own."""

import re
import zlib

from psycopg import AsyncConnection
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.rows import DictRow

from footfall.adapters.postgres.database.sql_files import statement

# Of the store of an installation, as the migrations have it.
LOCK_CLASS = 1181708916
_SEARCH_PATH = re.compile(r"-c\s*search_path=(\w+)")


def in_schema(url: str, schema: str) -> str:
    """Return the URL of a database with a schema in which its connections look for tables."""
    options = str(conninfo_to_dict(url).get("options") or "")
    return make_conninfo(url, options=f"{options} -c search_path={schema}".strip())


def schema_of(url: str) -> str | None:
    """Return the schema that a URL names; None for the usual one."""
    found = _SEARCH_PATH.findall(str(conninfo_to_dict(url).get("options") or ""))
    return found[-1] if found else None


def lock_class_of(url: str) -> int:
    """Return the class of the advisory locks of the store at a URL."""
    schema = schema_of(url)
    # A positive number that fits into the integer of PostgreSQL.
    return LOCK_CLASS if schema is None else zlib.crc32(schema.encode()) & 0x7FFFFFFF


async def use_schema(connection: AsyncConnection[DictRow], schema: str) -> None:
    """Look for tables in this schema only; poolers do not pass on what a URL says about it."""
    await connection.execute(statement("database/session/use_schema"), {"schema": schema})


async def look_first_in(connection: AsyncConnection[DictRow], schema: str) -> None:
    """Look for tables in a schema before the one in use, for as long as the connection lasts."""
    await connection.execute(statement("database/session/look_first_in"), {"schema": schema})
