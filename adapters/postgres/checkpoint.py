"""The checkpoint of the projections: read models change in the hands of whoever holds it, and of nobody else."""

from psycopg import AsyncConnection
from psycopg.rows import DictRow

from footfall.adapters.postgres.read_models import SHAPE
from footfall.adapters.postgres.statements import statement
from footfall.application.ports import StoreUnavailable


class OtherShape(StoreUnavailable):
    """The read models are those of another version, which knows what must change together in them."""


async def hold_checkpoint(connection: AsyncConnection[DictRow]) -> DictRow:
    """Hold the checkpoint until the transaction ends; return with it how far the log is `projected`.

    Raises:
        OtherShape: the schema was changed beside this version.

    """
    cursor = await connection.execute(statement("projection/hold_checkpoint"), {"shape": SHAPE})
    row = await cursor.fetchone()
    if row is None:
        raise OtherShape("the projections are those of another version of the service")
    return row
