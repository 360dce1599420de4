"""Views of the shards of a cell at its home, by which reports read them as plain tables.

Through Citus each statement would be planned twice, and one that joins temporary tables would send them to the node
over another connection.
"""

from psycopg import AsyncConnection, sql
from psycopg.conninfo import make_conninfo
from psycopg.rows import DictRow

from footfall.adapters.postgres.database.schemas import schema_of
from footfall.adapters.postgres.database.sql_files import compose, statement


def schema_of_shards(schema: str) -> str:
    """Return the schema, at the home of a store, that shows the shards of its tables."""
    return f"{schema}_shards"


async def show_shards(connection: AsyncConnection[DictRow]) -> None:
    """Show the shards of the store at its home, by views that have the names of its tables.

    It is left out where they are shown, or just being shown, and during a migration. A shard that leaves the node takes
    its view with it: its readers find the distributed table then.
    """
    [views] = await (await connection.execute(statement("cells/citus/schema/are_shown"))).fetchall()
    if not views["shown"]:
        await connection.execute(statement("cells/citus/schema/show_shards"))


async def hide_shards(connection: AsyncConnection[DictRow]) -> None:
    """Drop the views of the shards, which would keep migrations from changing tables.

    No other connection shows them until this one is closed.
    """
    await connection.execute(statement("cells/citus/schema/lock_shards"))
    shards = sql.Identifier(schema_of_shards(str(schema_of(url_of(connection)))))
    await connection.execute(compose("cells/citus/replacements/drop_copy_schema", schema=shards))


def url_of(connection: AsyncConnection[DictRow]) -> str:
    """Return the URL by which a connection was made."""
    info = connection.info
    return make_conninfo(info.dsn, password=info.password) if info.password else info.dsn
