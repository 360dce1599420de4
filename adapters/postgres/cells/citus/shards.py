"""Views of the shards of a cell at its home, by which reports read them as plain tables.

Through Citus each statement would be planned twice, and one that joins temporary tables would send them to the node
over another connection.
"""

from psycopg import sql
from psycopg.conninfo import make_conninfo

from footfall.adapters.postgres.database.connections import StoreConnection
from footfall.adapters.postgres.database.schemas import schema_of
from footfall.adapters.postgres.database.sql_files import compose


def schema_of_shards(schema: str) -> str:
    """Return the schema, at the home of a store, that shows the shards of its tables."""
    return f"{schema}_shards"


async def show_shards(connection: StoreConnection) -> None:
    """Show the shards of the store at its home, by views that have the names of its tables.

    It is left out where they are shown, or just being shown, and during a migration. A shard that leaves the node takes
    its view with it: its readers find the distributed table then.
    """
    if not await connection.value("cells/citus/schema/are_shown"):
        await connection.run("cells/citus/schema/show_shards")


async def hide_shards(connection: StoreConnection) -> None:
    """Drop the views of the shards, which would keep migrations from changing tables.

    No other connection shows them until this one is closed.
    """
    await connection.run("cells/citus/schema/lock_shards")
    shards = sql.Identifier(schema_of_shards(str(schema_of(url_of(connection)))))
    await connection.run(compose("cells/citus/replacements/drop_copy_schema", schema=shards))


def url_of(connection: StoreConnection) -> str:
    """Return the URL by which a connection was made."""
    info = connection.info
    return make_conninfo(info.dsn, password=info.password) if info.password else info.dsn
