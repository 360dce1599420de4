"""The checkpoint of the projections: only the holder of its lock may change the read models."""

from psycopg.rows import DictRow

from footfall.adapters.postgres.database.connections import StoreConnection
from footfall.adapters.postgres.projections.read_models import PROJECTION_VERSION
from footfall.application.ports.journal import StoreUnavailable

_VERSION = {"projection_version": PROJECTION_VERSION}


class ProjectionVersionMismatch(StoreUnavailable):
    """The read models are those of another version of the service, whose projector alone can change them."""


async def lock_checkpoint(connection: StoreConnection) -> DictRow:
    """Lock the checkpoint until the transaction ends; return with it how far the log is `projected`.

    Raises:
        ProjectionVersionMismatch: the read models are those of another version.

    """
    row = await connection.row("projections/checkpoint/lock_checkpoint", **_VERSION)
    if row is None:
        raise ProjectionVersionMismatch("the projections are those of another version of the service")
    return row


async def try_lock_checkpoint(connection: StoreConnection) -> DictRow | None:
    """Lock the checkpoint until the transaction ends, and return the positions that it stands for.

    The result is None when another transaction holds the lock, or when the read models are those of another version.
    """
    return await connection.row("projections/checkpoint/try_lock_checkpoint", **_VERSION)
