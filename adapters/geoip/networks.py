"""Networks of addresses in one open database file of autonomous systems."""

import re

import maxminddb

from footfall.adapters.geoip.database_file import DatabaseFile
from footfall.domain.tracking.networks.network import UNKNOWN_NETWORK, KeptNetwork, kept_network

# MaxMind and DB-IP write a number, others a text such as AS64496.
_PLACES = ("autonomous_system_number", "asn", "as_number")
_NUMBER = re.compile(r"(?:AS)?([0-9]{1,10})", re.IGNORECASE)


class NetworkDatabase(DatabaseFile):
    """A database of autonomous systems."""

    def network(self, address: str) -> KeptNetwork:
        """Return the network of an address as far as it is kept. Never raises."""
        try:
            return kept_network(_number_of(self.record(address)))
        except (TypeError, ValueError, maxminddb.InvalidDatabaseError):
            # As of locations: nothing is known of it, and the address must not reach the log.
            return UNKNOWN_NETWORK

    def verify(self) -> None:
        """Read records from all parts of the file.

        Raises:
            DatabaseUnreadable: one is damaged, or no autonomous system is among them.

        """
        self.probe(_number_of, "it knows no autonomous systems")


def _number_of(record: object) -> int | None:
    values = [record.get(place) for place in _PLACES] if isinstance(record, dict) else []
    for value in values:
        if isinstance(value, int | str) and (number := _NUMBER.fullmatch(str(value))):
            return int(number[1])
    return None
