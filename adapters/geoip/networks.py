"""Networks of addresses in one open database file of autonomous systems."""

import re
from datetime import datetime
from pathlib import Path

import maxminddb

from footfall.adapters.geoip.database_file import DatabaseFile
from footfall.application.ports.enrichment import LocationSource
from footfall.domain.tracking.network import UNKNOWN_NETWORK, KeptNetwork, kept_network

# MaxMind and DB-IP write a number, others a text such as AS64496.
_PLACES = ("autonomous_system_number", "asn", "as_number")
_NUMBER = re.compile(r"(?:AS)?([0-9]{1,10})", re.IGNORECASE)


class NetworkDatabase:
    """A database of autonomous systems that has been opened; it stays readable when the file is replaced."""

    def __init__(self, path: Path) -> None:
        """Open the file.

        Raises:
            GeolocationDatabaseUnreadable: it cannot be read; the message is one line.

        """
        self._file = DatabaseFile.at(path)

    def network(self, address: str) -> KeptNetwork:
        """Return the network of an address as far as it is kept. Never raises."""
        try:
            return kept_network(_number_of(self._file.record(address)))
        except (TypeError, ValueError, maxminddb.InvalidDatabaseError):
            # As of locations: nothing is known of it, and the address must not reach the log.
            return UNKNOWN_NETWORK

    def describe(self) -> str:
        """Return the type of the database and the day it was built, for people."""
        return self._file.describe()

    @property
    def built(self) -> datetime:
        """When the maker built the database."""
        return self._file.built

    def source(self) -> LocationSource:
        """Return what the database is called, and the credit that its licence asks for."""
        return self._file.source()

    def verify(self) -> None:
        """Read records from all parts of the file.

        Raises:
            GeolocationDatabaseUnreadable: one is damaged, or no autonomous system is among them.

        """
        self._file.probe(_number_of, "it knows no autonomous systems")


def _number_of(record: object) -> int | None:
    values = [record.get(place) for place in _PLACES] if isinstance(record, dict) else []
    for value in values:
        if isinstance(value, int | str) and (number := _NUMBER.fullmatch(str(value))):
            return int(number[1])
    return None
