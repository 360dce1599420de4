"""Lookups of addresses in files that may be replaced at any time."""

from pathlib import Path
from typing import Any

from footfall.adapters.geoip.networks import NetworkDatabase
from footfall.adapters.geoip.reader import LocationDatabase
from footfall.adapters.geoip.record import NOWHERE
from footfall.adapters.geoip.watched_file import WatchedFile
from footfall.application.ports.enrichment import Location, LocationSource
from footfall.domain.tracking.networks.network import UNKNOWN_NETWORK, KeptNetwork


class MaxMindGeolocation(WatchedFile[LocationDatabase, Location]):
    """Locations of addresses; the options are those of a `WatchedFile`."""

    def __init__(self, path: Path, **options: Any) -> None:
        super().__init__(
            path,
            LocationDatabase,
            LocationDatabase.locate,
            nothing=NOWHERE,
            lacking="countries are those of time zones",
            **options,
        )

    def locate(self, address: str) -> Location:
        """Return the location of an address, empty when it is unknown. Never raises."""
        return self.find(address)

    def locates(self) -> bool:
        """Whether there is a database to look into at present."""
        return self.database() is not None

    def source(self) -> LocationSource | None:
        """Return what the database in use is called and the credit it asks for; None without one."""
        database = self.database()
        return None if database is None else database.source()


class MaxMindNetworks(WatchedFile[NetworkDatabase, KeptNetwork]):
    """Networks of addresses; the options are those of a `WatchedFile`."""

    def __init__(self, path: Path, **options: Any) -> None:
        super().__init__(
            path,
            NetworkDatabase,
            NetworkDatabase.network,
            nothing=UNKNOWN_NETWORK,
            lacking="networks stay unknown",
            **options,
        )

    def network(self, address: str) -> KeptNetwork:
        """Return the network of an address, empty when it is no known one of servers. Never raises."""
        return self.find(address)

    def source(self) -> LocationSource | None:
        """Return what the database in use is called and the credit it asks for; None without one."""
        database = self.database()
        return None if database is None else database.source()
