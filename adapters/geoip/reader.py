"""Locations of addresses in one open database file."""

from collections.abc import Callable
from pathlib import Path

import geoip2.database
import maxminddb
from geoip2.errors import AddressNotFoundError
from geoip2.models import City, Country

from footfall.adapters.geoip.database_file import DatabaseFile, opened
from footfall.adapters.geoip.record import NOWHERE, location_of, location_of_model
from footfall.application.ports.enrichment import Location


class LocationDatabase(DatabaseFile):
    """A database of locations."""

    def __init__(self, path: Path) -> None:
        """Open the file.

        Raises:
            DatabaseUnreadable: it cannot be read; the message is one line.

        """
        super().__init__(path)
        self._model = _lookup(opened(geoip2.database.Reader, path), self.type)

    def locate(self, address: str) -> Location:
        """Return the location of an address, empty when it is unknown. Never raises."""
        try:
            location = self._modelled(address)
            return location_of(self.record(address)) if location == NOWHERE else location
        except (TypeError, ValueError, maxminddb.InvalidDatabaseError):
            # No address, one of a family that the database lacks, or a damaged record: nothing is known of it.
            # The exception's text holds the address, which must not reach the log.
            return NOWHERE

    def verify(self) -> None:
        """Read records from all parts of the file.

        Raises:
            DatabaseUnreadable: one is damaged, or no country is among them.

        """
        self.probe(lambda record: location_of(record).country, "it knows no countries")

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
