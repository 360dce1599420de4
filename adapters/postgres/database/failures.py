"""Translation of the driver's failures into those of the ports."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from psycopg import errors

from footfall.application.ports.journal import StoreMoved, StoreUnavailable

_log = logging.getLogger(__name__)

# The connection is lost, or the server refuses: it is read-only after a fail-over, or lacks a right.
_UNABLE = (
    psycopg.OperationalError,
    psycopg.InterfaceError,
    errors.ReadOnlySqlTransaction,
    errors.InsufficientPrivilege,
    OSError,
)
# The store was moved away, or has the schema of another version.
_ELSEWHERE = (
    errors.UndefinedTable,
    errors.UndefinedColumn,
    errors.UndefinedFunction,
    errors.UndefinedObject,
    errors.InvalidSchemaName,
)


@contextmanager
def translated() -> Iterator[None]:
    """Raise StoreUnavailable for every failure of the connection or of the server."""
    try:
        yield
    except errors.CannotConnectNow:
        # Said by the triggers of a store, too: nothing was stored.
        raise StoreMoved("the store is being moved, or starts") from None
    except _UNABLE as failure:
        # The driver's text can name hosts and users: only the class and the code are passed on.
        _log.debug("store unavailable: %s %s", type(failure).__name__, getattr(failure, "sqlstate", None))
        raise StoreUnavailable(f"the store did not answer ({type(failure).__name__})") from None
    except _ELSEWHERE as failure:
        # A cell that moves leaves nothing but a sign; a schema of another version is an obstacle of /readyz.
        _log.warning(
            "the store has moved, or lacks a part of this version's schema: %s", type(failure).__name__
        )
        raise StoreUnavailable(f"the store lacks a part of the schema ({type(failure).__name__})") from None
