"""A database file that is watched: another file is taken without a restart."""

import logging
import time
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from footfall.adapters.geoip.database_file import DatabaseUnreadable

_log = logging.getLogger(__name__)

# Device, inode, size and time of the last change of a file; nothing for a file that is not there.
_State = tuple[int, ...]


class Described(Protocol):
    """An open database."""

    def describe(self) -> str:
        """Return the type of the database and the day it was built, for people."""


Database = TypeVar("Database", bound=Described)
Found = TypeVar("Found")


class WatchedFile(Generic[Database, Found]):
    """Looks addresses up in a database file.

    The last `cache_size` addresses are remembered, in memory only. When it is asked, but every `check_every`
    seconds at most, it looks whether the file is another one, and takes that if it can be read; if not, the
    former one stays in use and the log says so once. Until there is a file that can be read, and while the one in
    use is written over in place, nothing is known: every answer is `nothing`. The log says what is `lacking` without
    a file.
    """

    def __init__(
        self,
        path: Path,
        open_: Callable[[Path], Database],
        look_up: Callable[[Database, str], Found],
        *,
        nothing: Found,
        lacking: str,
        cache_size: int = 20_000,
        check_every: float = 1.0,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._path = path
        self._open = open_
        self._look_up = look_up
        self._nothing = nothing
        self._lacking = lacking
        self._check_every = check_every
        self._monotonic = monotonic
        self._state: _State = ()
        self._refused: _State = ()
        self._database: Database | None = None
        self._cached = lru_cache(maxsize=cache_size)(self._find)
        self._renew()

    def find(self, address: str) -> Found:
        """Return what the database knows of an address."""
        if self._monotonic() >= self._due:
            self._renew()
        return self._cached(address)

    def database(self) -> Database | None:
        """Return the database in use; None without one."""
        if self._monotonic() >= self._due:
            self._renew()
        return self._database

    def cache_counts(self) -> dict[str, int]:
        """Return how often the cache knew the answer (`hits`) or not (`misses`), and its sizes."""
        return dict(self._cached.cache_info()._asdict())

    def _find(self, address: str) -> Found:
        if self._database is None or self._written_over():
            return self._nothing
        return self._look_up(self._database, _unmapped(address))

    def _written_over(self) -> bool:
        """Whether the open file itself was changed, not replaced: the mapped memory may be invalid."""
        state = _state(self._path)
        return state != self._state and state[:2] == self._state[:2]

    def _renew(self) -> None:
        self._due = self._monotonic() + self._check_every
        state = _state(self._path)
        if state in (self._state, self._refused):
            return
        try:
            database = self._open(self._path)
        except DatabaseUnreadable as error:
            if self._refused == self._state:
                remains = self._lacking if self._database is None else "the former one stays in use"
                _log.warning("%s; %s", error, remains)
            self._refused = state
        else:
            self._database, self._state, self._refused = database, state, state
            self._cached.cache_clear()
            _log.info("Took the database %s (%s)", self._path, database.describe())


def _unmapped(address: str) -> str:
    """Return an IPv4 address that is written as IPv6 as itself: not every database knows it by both."""
    return address.removeprefix("::ffff:") if "." in address else address


def _state(path: Path) -> _State:
    try:
        status = path.stat()
    except OSError:
        return ()
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns
