"""The store of a cell in a cluster of Citus: made at the coordinator as a plain schema, and distributed then."""

from typing import Any

import psycopg
from psycopg import sql

from footfall.adapters.postgres.cells.citus.local_schemas import hide_shards, show_shards
from footfall.adapters.postgres.cells.citus.nodes import at_home
from footfall.adapters.postgres.database.connections import connect
from footfall.adapters.postgres.database.failures import translated
from footfall.adapters.postgres.database.migration import Migration, is_distributed, migrate, run_in_store
from footfall.adapters.postgres.database.schemas import is_citus
from footfall.adapters.postgres.database.sql_files import compose, statement

MONTHS_AHEAD = 3


def make_schema(connection: psycopg.Connection[Any], schema: str) -> None:
    """Make the role of a cell and its schema, both of one name, at the coordinator.

    The login needs the rights to make roles, and schemas in the database.
    """
    name, database = sql.Identifier(schema), sql.Identifier(connection.info.dbname)
    [found] = connection.execute(statement("cells/citus/role_exists"), {"role": schema}).fetchall()
    if not found["exists"]:
        connection.execute(compose("cells/citus/create_role", role=name))
    connection.execute(compose("cells/citus/join_role", role=name))
    connection.execute(compose("cells/citus/set_search_path", role=name, database=database, schema=name))
    connection.execute(compose("cells/citus/do_not_compile", role=name, database=database))
    connection.execute(compose("cells/citus/create_schema", schema=name, role=name))


def distribute(connection: psycopg.Connection[Any], url: str, first_import: int) -> None:
    """Distribute a migrated schema; one that is distributed already stays where it is."""
    if not is_distributed(connection):
        with connection.transaction():
            connection.execute(statement("cells/citus/prepare"))
            run_in_store(connection, url, statement("database/migration/adapt_to_citus"))
            connection.execute(statement("cells/citus/make_partitions"), {"ahead": MONTHS_AHEAD})
        connection.execute(statement("cells/citus/distribute"))
    connection.execute(statement("cells/citus/set_first_import"), {"first": first_import})


async def migrated(url: str) -> list[Migration]:
    """Apply the missing migrations to the store of a cell, and return them.

    At the home of a store of Citus its shards are not shown meanwhile: views of them would keep tables from changing.

    Raises:
        StoreUnavailable: a node does not answer.
        UnsupportedSchema: the store has migrations that this version never had.

    """
    if not is_citus(url):
        return migrate(url)
    async with await connect(await at_home(url)) as home:
        with translated():
            await hide_shards(home)
        found = migrate(url)
        with translated():
            await show_shards(home)
    return found
