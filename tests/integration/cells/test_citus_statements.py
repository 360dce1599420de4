"""Citus takes each statement of a store that a plain one takes."""

import re
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from types import MappingProxyType
from typing import Any
from uuid import UUID

import psycopg
import pytest
from psycopg.pq import ExecStatus
from psycopg.types.json import Jsonb

from footfall.adapters.postgres.database.connections import connect
from footfall.adapters.postgres.database.schemas import in_schema, schema_of
from footfall.adapters.postgres.database.sql_files import compose, statement
from footfall.adapters.postgres.projections.tables import drop_copy, make_copy, schema_of_copy
from tests.sql_addresses import addresses

pytestmark = [pytest.mark.citus, pytest.mark.slow]

# Those that are run in each store; others are run in that of the journal alone, or are about places of stores.
ROOMS = (
    "citations",
    "columns",
    "error_groups",
    "intake",
    "maintenance",
    "projections",
    "reports",
    "visitors",
)
STATEMENT = re.compile(rb"(?:\s|--[^\n]*\n)*(?:select|with|insert|update|delete)\b")
PARAMETER = re.compile(r"%\((\w+)\)s")
# Of each type that a parameter has: of a statement with nulls Citus plans another one, or none.
VALUES: Mapping[str, Any] = MappingProxyType(
    {
        "bool": True,
        "bytea": b"a",
        "date": date(2026, 3, 4),
        "float8": 1.0,
        "int2": 1,
        "int4": 1,
        "int8": 1,
        "interval": timedelta(days=1),
        "jsonb": Jsonb({}),
        "numeric": 1,
        "regclass": "hit",
        "text": "a",
        "timestamp": datetime(2026, 3, 4),  # noqa: DTZ001 - the type has no time zone
        "timestamptz": datetime(2026, 3, 4, tzinfo=UTC),
        "uuid": UUID(int=1),
        "xid8": 1,
    }
)
OF_ERASURES = (
    "visitors/runs/make_gone_table",
    "visitors/runs/make_taken_table",
    "visitors/errors/make_touched_table",
)
WORKING_TABLES = [name for name in addresses() if name.startswith("projections/working_tables/")] + [
    *OF_ERASURES
]
# The first is run at the coordinator, the other one in the store of the journal alone.
ELSEWHERE = {"intake/traffic_log/make_partition", "maintenance/snapshot/reserve_sites"}
# Those that are run in the tables of a rebuild, while the logs are those of the store.
OF_REBUILDS = ("columns/days/", "columns/export/", "projections/")


async def test_citus_takes_each_statement(citus_store, database_url):
    citus_store.empty()
    async with await connect(database_url) as plain, await connect(citus_store.url) as home:
        names = [name for name in addresses() if name.partition("/")[0] in ROOMS and name not in ELSEWHERE]
        refused = await refusals(plain, home, names)

    assert len(refused) > 350
    assert {name: reason for name, reason in refused.items() if reason} == {}


async def test_citus_takes_each_statement_of_a_rebuild(citus_store, database_url):
    citus_store.empty()
    copy = schema_of_copy(citus_store.url)
    async with await connect(database_url) as plain, await connect(citus_store.url) as home:
        await make_copy(home, copy)
        url = in_schema(citus_store.url, f"{copy},{schema_of(citus_store.url)}")
        async with await connect(url) as rebuilding:
            names = [name for name in addresses() if name.startswith(OF_REBUILDS)]
            refused = await refusals(plain, rebuilding, names)
        await drop_copy(home, copy)

    assert len(refused) > 90
    assert {name: reason for name, reason in refused.items() if reason} == {}


async def refusals(plain, store, names):
    """Run the statements that a plain store takes, and return why the other one refuses each, or None."""
    for name in WORKING_TABLES:
        for connection in (plain, store):
            await connection.execute(statement(name))
    refused = {}
    for name, text in whole_statements(plain, names):
        values = values_of(plain, text)
        # Statements that begin with the tables of another one are run with that one.
        if values is not None and await refusal(plain, text, values) is None:
            refused[name] = await refusal(store, text, values)
    return refused


def whole_statements(connection, names):
    """Yield the statements that have no pieces of a caller, as they are run."""
    for name in names:
        try:
            text = compose(name).as_bytes(connection)
        except (LookupError, ValueError):
            continue
        if STATEMENT.match(text):
            yield name, text


def values_of(connection, text):
    """Return a value of its type for each parameter of a statement, and none where a plain store does not take it."""
    names = list(dict.fromkeys(PARAMETER.findall(text.decode())))
    numbered = PARAMETER.sub(lambda match: f"${names.index(match[1]) + 1}", text.decode())
    connection.pgconn.prepare(b"", numbered.replace("%%", "%").encode())
    described = connection.pgconn.describe_prepared(b"")
    if described.status != ExecStatus.COMMAND_OK:
        return None
    values = {}
    for number, name in enumerate(names):
        kind = connection.adapters.types[described.param_type(number)]
        value = VALUES[kind.name]
        values[name] = [value] if described.param_type(number) == kind.array_oid else value
    return values


async def refusal(connection, text, values):
    """Run a statement without keeping what it does, and return why it was refused."""
    try:
        async with connection.transaction(force_rollback=True):
            await connection.execute(text, values or None)
    except psycopg.Error as failure:
        return str(failure)
    return None
