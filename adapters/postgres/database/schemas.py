"""Schemas: an installation's store has the schema of its connections, each cell one of its own."""

import re
import zlib

from psycopg import AsyncConnection
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.rows import DictRow

from footfall.adapters.postgres.database.sql_files import statement

# Of the store of an installation, as the migrations have it.
LOCK_CLASS = 1181708916
_SEARCH_PATH = re.compile(r"-c\s*search_path=(\w+(?:,\w+)*)")
_ROLE = re.compile(r"-c role=\w+ ?")
# Marks the URL of a store that is a distributed schema of Citus. Servers take settings of any name with a point.
_CITUS = "-c footfall.store=citus"


def in_schema(url: str, schema: str) -> str:
    """Return the URL of a database with a schema in which its connections look for tables."""
    options = str(conninfo_to_dict(url).get("options") or "")
    return make_conninfo(url, options=f"{options} -c search_path={schema}".strip())


def search_path_of(url: str) -> str | None:
    """Return the schemas that a URL names, divided by commas; None for the usual one."""
    found: list[str] = _SEARCH_PATH.findall(str(conninfo_to_dict(url).get("options") or ""))
    return found[-1] if found else None


def schema_of(url: str) -> str | None:
    """Return the schema of the store at a URL; None for the usual one."""
    path = search_path_of(url)
    return None if path is None else path.rpartition(",")[2]


def for_reports(url: str) -> str:
    """Return the URL of a store for connections that only read.

    At the home of a store of Citus they read its shards as plain tables (docs/operations/citus.md); where these are not
    shown, or not any more, they find the distributed tables.
    """
    schema = schema_of(url)
    return in_schema(url, f"{schema_of_shards(schema)},{schema}") if schema and is_citus(url) else url


def schema_of_shards(schema: str) -> str:
    """Return the schema, at the home of a store of Citus, that shows the shards of its tables."""
    return f"{schema}_shards"


def as_citus(url: str, role: str) -> str:
    """Return the URL of a store that is distributed by Citus; its connections act as the role that owns it."""
    options = str(conninfo_to_dict(url).get("options") or "")
    return make_conninfo(url, options=f"{options} -c role={role} {_CITUS}".strip())


def as_login(url: str) -> str:
    """Return the URL without the role of a store of Citus: its login alone can make that."""
    options = str(conninfo_to_dict(url).get("options") or "")
    return make_conninfo(url, options=_ROLE.sub("", options)) if is_citus(url) else url


def is_citus(url: str) -> bool:
    """Whether the store at a URL is distributed by Citus."""
    return _CITUS in str(conninfo_to_dict(url).get("options") or "")


def at_node(url: str, host: str, port: int) -> str:
    """Return the URL of the same store, asked at one node of its cluster."""
    parts = {name: str(value) for name, value in conninfo_to_dict(url).items() if name != "hostaddr"}
    return make_conninfo("", **{**parts, "host": host, "port": str(port), "target_session_attrs": "any"})


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
