"""Citus takes each statement of a store that a plain one takes."""

import re
from collections import defaultdict

import psycopg
import pytest

from footfall.adapters.postgres.cells.citus.layout import REPLACED
from footfall.adapters.postgres.database.connections import connect
from footfall.adapters.postgres.database.sql_files import compose, statement
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
EXPLAINED = re.compile(rb"(?:\s|--[^\n]*\n)*(?:select|with|insert|update|delete)\b")
PARAMETER = re.compile(r"%\((\w+)\)s")
OF_ERASURES = (
    "visitors/runs/make_gone_table",
    "visitors/runs/make_taken_table",
    "visitors/errors/make_touched_table",
)
WORKING_TABLES = [name for name in addresses() if name.startswith("projections/working_tables/")] + [
    *OF_ERASURES
]
# The projector's tests run it; what explains it asks for intermediate results over another connection.
NOT_EXPLAINED = {"projections/matching/match_slice", *REPLACED}


async def test_citus_takes_each_statement(citus_store, database_url):
    citus_store.empty()
    planned, refused = 0, {}
    async with await connect(database_url) as plain, await connect(citus_store.url) as home:
        for name in WORKING_TABLES:
            for connection in (plain, home):
                await connection.execute(statement(name))
        for name, text in whole_statements(plain):
            # Statements that begin with the tables of another one are explained with that one.
            if await explained(plain, text) is None:
                planned += 1
                refused[name] = await explained(home, text)

    assert planned > 200
    assert {name: reason for name, reason in refused.items() if reason} == {}


def whole_statements(connection):
    """Yield the statements that have no pieces of a caller, as they are run."""
    for name in addresses():
        if name.partition("/")[0] in ROOMS and name not in NOT_EXPLAINED:
            try:
                text = compose(name).as_bytes(connection)
            except (LookupError, ValueError):
                continue
            if EXPLAINED.match(text):
                yield name, text


async def explained(connection, text):
    """Explain a statement, and return why it was refused."""
    values = defaultdict(lambda: None)
    try:
        async with connection.transaction(force_rollback=True):
            await connection.execute(b"explain " + text, values if PARAMETER.search(text.decode()) else None)
    except psycopg.Error as failure:
        return str(failure)
    return None
