"""One open database file in MaxMind's format: locations of addresses, and metadata."""

from collections.abc import Callable
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import TypeVar

import geoip2.database
import maxminddb
from geoip2.errors import AddressNotFoundError
from geoip2.models import City, Country

from footfall.adapters.geoip.record import NOWHERE, location_of, location_of_model
from footfall.application.ports.enrichment import Location, LocationSource

Opened = TypeVar("Opened")

PROBED_NETWORKS = 1_000
PROBED_ADDRESSES = tuple(f"{first}.{third}.{third}.1" for first in range(1, 224) for third in (0, 127))

# Credits that the licences of free databases require on pages with their results.
_CREDITS = (
    ("dbip", "IP Geolocation by DB-IP", "https://db-ip.com"),
    ("geolite", "This product includes GeoLite Data created by MaxMind", "https://www.maxmind.com"),
)


class GeolocationDatabaseUnreadable(Exception):
    """The file is not there, may not be read, or is not in MaxMind's format."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"The geolocation database {path} cannot be read: {reason}")
        self.reason = reason


class LocationDatabase:
    """A database file that has been opened; it stays readable when the file is replaced."""

    def __init__(self, path: Path) -> None:
        """Open the file.

        Raises:
            GeolocationDatabaseUnreadable: it cannot be read; the message is one line.

        """
        self.path = path
        self._records = _opened(maxminddb.open_database, path)
        self._metadata = self._records.metadata()
        self._model = _lookup(_opened(geoip2.database.Reader, path), self._metadata.database_type)

    def locate(self, address: str) -> Location:
        """Return the location of an address, empty when it is unknown. Never raises."""
        try:
            location = self._modelled(address)
            return location_of(self._records.get(address)) if location == NOWHERE else location
        except (TypeError, ValueError, maxminddb.InvalidDatabaseError):
            # No address, one of a family that the database lacks, or a damaged record: nothing is known of it.
            # The exception's text holds the address, which must not reach the log.
            return NOWHERE

    def describe(self) -> str:
        """Return the type of the database and the day it was built, for people."""
        return f"{self._metadata.database_type}, built {self.built:%Y-%m-%d}"

    @property
    def built(self) -> datetime:
        """When the maker built the database."""
        return datetime.fromtimestamp(self._metadata.build_epoch, UTC)

    def source(self) -> LocationSource:
        """Return what the database is called, and the credit that its licence asks for."""
        name = self._metadata.database_type
        credits_ = ((text, url) for sign, text, url in _CREDITS if sign in name.lower())
        text, url = next(credits_, (None, None))
        return LocationSource(name=name, credit=text, credit_url=url)

    def verify(self) -> None:
        """Read records from all parts of the file.

        Raises:
            GeolocationDatabaseUnreadable: one is damaged, or no country is among them.

        """
        try:
            records = [record for _, record in islice(self._records, PROBED_NETWORKS)]
            records += [self._records.get(address) for address in PROBED_ADDRESSES]
        except (ValueError, maxminddb.InvalidDatabaseError) as error:
            raise GeolocationDatabaseUnreadable(self.path, "a part of it is damaged") from error
        if not any(location_of(record).country for record in records):
            raise GeolocationDatabaseUnreadable(self.path, "it knows no countries")

    def _modelled(self, address: str) -> Location:
        if self._model is None:
            return NOWHERE
        try:
            return location_of_model(self._model(address))
        except (AddressNotFoundError, TypeError, AttributeError):
            # Not in the database, or a record of another shape, which is read as it is.
            return NOWHERE


def _lookup(
    reader: geoip2.database.Reader, database_type: str
) -> Callable[[str], City] | Callable[[str], Country] | None:
    """Return how geoip2 reads databases of this type; None for types that it does not know."""
    if "City" in database_type:
        return reader.city
    if "Enterprise" in database_type:
        return reader.enterprise
    return reader.country if "Country" in database_type else None


def _opened(open_: Callable[[Path], Opened], path: Path) -> Opened:
    try:
        return open_(path)
    except OSError as error:
        raise GeolocationDatabaseUnreadable(path, error.strerror or type(error).__name__) from error
    except (maxminddb.InvalidDatabaseError, ValueError) as error:
        raise GeolocationDatabaseUnreadable(path, "it is not a whole file in MaxMind's format") from error
