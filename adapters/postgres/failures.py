"""What the driver's failures mean to the application."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from psycopg import errors

from footfall.application.ports import StoreUnavailable

_log = logging.getLogger(__name__)

# The connection is gone, or the server is there and cannot do what it usually does, as after a fail-over, or will not.
_UNABLE = (
    psycopg.OperationalError,
    psycopg.InterfaceError,
    errors.ReadOnlySqlTransaction,
    errors.InsufficientPrivilege,
    OSError,
)


@contextmanager
def translated() -> Iterator[None]:
    """Raise StoreUnavailable for every failure of the connection or of the server."""
    try:
        yield
    except _UNABLE as failure:
        # The driver's text can name hosts and users: only the class and the code go on.
        _log.debug("store unavailable: %s %s", type(failure).__name__, getattr(failure, "sqlstate", None))
        raise StoreUnavailable(f"the store did not answer ({type(failure).__name__})") from None
