"""Opening database files in MaxMind's format, and what they say of themselves."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

import maxminddb

from footfall.application.ports.enrichment import LocationSource

Opened = TypeVar("Opened")

PROBED_NETWORKS = 1_000
PROBED_ADDRESSES = tuple(f"{first}.{third}.{third}.1" for first in range(1, 224) for third in (0, 127))

# Credits that the licences of free databases require on pages with their results.
_CREDITS = (
    ("dbip", "IP Geolocation by DB-IP", "https://db-ip.com"),
    ("geolite", "This product includes GeoLite Data created by MaxMind", "https://www.maxmind.com"),
)


class DatabaseUnreadable(Exception):
    """A database file is not there, may not be read, or does not have the format of its kind."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"The database {path} cannot be read: {reason}")
        self.reason = reason


class DatabaseFile:
    """The records of an open file by address, and its metadata; it stays readable when the file is replaced."""

    def __init__(self, path: Path) -> None:
        """Open the file.

        Raises:
            DatabaseUnreadable: it cannot be read; the message is one line.

        """
        self._path = path
        self._records = opened(maxminddb.open_database, path)

    def record(self, address: str) -> Any:
        """Return the record of an address, or None.

        Raises:
            ValueError: it is no address, or one of a family that the database lacks.
            TypeError: it is no text of an address.
            maxminddb.InvalidDatabaseError: the record is damaged.

        """
        return self._records.get(address)

    @property
    def type(self) -> str:
        """The type of the database, as its maker calls it."""
        return self._records.metadata().database_type

    @property
    def built(self) -> datetime:
        """When the maker built the database."""
        return datetime.fromtimestamp(self._records.metadata().build_epoch, UTC)

    def describe(self) -> str:
        """Return the type of the database and the day it was built, for people."""
        return f"{self.type}, built {self.built:%Y-%m-%d}"

    def source(self) -> LocationSource:
        """Return what the database is called, and the credit that its licence asks for."""
        credits_ = ((text, url) for sign, text, url in _CREDITS if sign in self.type.lower())
        text, url = next(credits_, (None, None))
        return LocationSource(name=self.type, credit=text, credit_url=url)

    def probe(self, knows: Callable[[Any], object], lacking: str) -> None:
        """Read records from all parts of the file, of which one has to satisfy a condition.

        Raises:
            DatabaseUnreadable: one is damaged, or none satisfies it.

        """
        try:
            records = list(self._probed())
        except (ValueError, maxminddb.InvalidDatabaseError) as error:
            raise DatabaseUnreadable(self._path, "a part of it is damaged") from error
        if not any(map(knows, records)):
            raise DatabaseUnreadable(self._path, lacking)

    def _probed(self) -> Iterator[Any]:
        yield from (record for _, record in islice(self._records, PROBED_NETWORKS))
        yield from map(self._records.get, PROBED_ADDRESSES)


def opened(open_: Callable[[Path], Opened], path: Path) -> Opened:
    """Return what a library opens.

    Raises:
        DatabaseUnreadable: it cannot be read; the message is one line.

    """
    try:
        return open_(path)
    except OSError as error:
        raise DatabaseUnreadable(path, error.strerror or type(error).__name__) from error
    except (maxminddb.InvalidDatabaseError, ValueError) as error:
        raise DatabaseUnreadable(path, "it is not a whole file in MaxMind's format") from error
