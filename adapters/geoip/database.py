"""The database file: opened once, read through a cache, opened again when another takes its place."""

import logging
import time
from collections.abc import Callable
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path

import maxminddb

from footfall.adapters.geoip.record import NOWHERE, location_of
from footfall.application.ports import Location

_log = logging.getLogger(__name__)

# Device, inode, size and time of the last change of a file; nothing for a file that is not there.
_State = tuple[int, ...]


class GeolocationDatabaseUnreadable(Exception):
    """The file is not there, may not be read, or is not in MaxMind's format."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"The geolocation database {path} cannot be read: {reason}")


class UnknownGeolocation:
    """Knows no address: what is used where no database is configured."""

    def locate(self, address: str) -> Location:  # noqa: ARG002 - the port asks for it
        """Return an empty location."""
        return NOWHERE

    def cache_counts(self) -> dict[str, int]:
        """Return zeros: nothing is looked up."""
        return {"hits": 0, "misses": 0, "currsize": 0}


class MaxMindGeolocation:
    """Looks addresses up in a City or Country database in MaxMind's format.

    The last `cache_size` addresses are remembered, in memory only. When it is asked, but every `check_every`
    seconds at most, it looks whether the file is another one, and takes that if it can be read; if not, the
    former one stays in use and the log says so once.
    """

    def __init__(
        self,
        path: Path,
        *,
        cache_size: int = 20_000,
        check_every: float = 1.0,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        """Open the file.

        Raises:
            GeolocationDatabaseUnreadable: it cannot be read; the message is one line.

        """
        self._path = path
        self._check_every = check_every
        self._monotonic = monotonic
        self._state = self._refused = _state(path)
        self._reader = _open(path)
        self._due = monotonic() + check_every
        self._cached = lru_cache(maxsize=cache_size)(self._find)

    def locate(self, address: str) -> Location:
        """Return what is known of an address; an empty location when nothing is. Never raises."""
        if self._monotonic() >= self._due:
            self._renew()
        return self._cached(address)

    def describe(self) -> str:
        """Return the type of the database and the day it was built, for people."""
        metadata = self._reader.metadata()
        return f"{metadata.database_type}, built {datetime.fromtimestamp(metadata.build_epoch, UTC):%Y-%m-%d}"

    def cache_counts(self) -> dict[str, int]:
        """Return how often the cache knew the answer (`hits`) or not (`misses`), and its sizes."""
        return dict(self._cached.cache_info()._asdict())

    def _find(self, address: str) -> Location:
        if self._written_over():
            return NOWHERE
        try:
            record = self._reader.get(_unmapped(address))
        except (TypeError, ValueError, maxminddb.InvalidDatabaseError):
            # No address, one of a family that the database lacks, or a damaged record: nothing is known of it.
            # The exception's text holds the address, which must not reach the log.
            return NOWHERE
        return location_of(record)

    def _written_over(self) -> bool:
        """Whether the open file itself was changed, not replaced: what is mapped into memory may be gone."""
        state = _state(self._path)
        return state != self._state and state[:2] == self._state[:2]

    def _renew(self) -> None:
        self._due = self._monotonic() + self._check_every
        state = _state(self._path)
        if state in (self._state, self._refused):
            return
        try:
            reader = _open(self._path)
        except GeolocationDatabaseUnreadable as error:
            if self._refused == self._state:
                _log.warning("%s; what was read before stays in use", error)
            self._refused = state
        else:
            self._reader, self._state, self._refused = reader, state, state
            self._cached.cache_clear()
            _log.info("Took the new geolocation database %s (%s)", self._path, self.describe())


def _unmapped(address: str) -> str:
    """Return an IPv4 address that is written as IPv6 as itself: not every database knows it by both."""
    return address.removeprefix("::ffff:") if "." in address else address


def _state(path: Path) -> _State:
    try:
        found = path.stat()
    except OSError:
        return ()
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


def _open(path: Path) -> maxminddb.Reader:
    try:
        return maxminddb.open_database(path)
    except OSError as error:
        raise GeolocationDatabaseUnreadable(path, error.strerror or type(error).__name__) from error
    except (maxminddb.InvalidDatabaseError, ValueError) as error:
        raise GeolocationDatabaseUnreadable(path, "it is not a whole file in MaxMind's format") from error
