"""Lookups for a hit: location, network, device, and the addresses of bots."""

from collections.abc import Callable
from typing import Protocol

from attrs import frozen

from footfall.domain.tracking.hit import BotVerification, DeviceType
from footfall.domain.tracking.networks.network import KeptNetwork

# Whether a location database is installed.
Locates = Callable[[], bool]


@frozen(kw_only=True)
class LocationSource:
    """A geolocation database, and the credit that its licence asks for beside results."""

    name: str
    credit: str | None = None
    credit_url: str | None = None


@frozen(kw_only=True)
class Location:
    """The location of an address as far as the database has it; codes are ISO 3166, coordinates degrees."""

    country: str | None = None
    region: str | None = None
    city: str | None = None
    latitude: float | None = None
    longitude: float | None = None


class Geolocation(Protocol):
    """Finds the location of an address."""

    def locates(self) -> bool:
        """Whether a database is installed."""

    def locate(self, address: str) -> Location:
        """Return the location of a valid IPv4 or IPv6 address, empty if unknown. Never raises."""

    def source(self) -> LocationSource | None:
        """Return the database in use; None without a database. Never raises."""


class Networks(Protocol):
    """Finds the network of an address."""

    def network(self, address: str) -> KeptNetwork:
        """Return the network of a valid IPv4 or IPv6 address, empty if it is no known one of servers. Never raises."""

    def source(self) -> LocationSource | None:
        """Return the database in use; None without a database. Never raises."""


@frozen(kw_only=True)
class Device:
    """The device that a user agent string describes; one of a bot has the name of the bot."""

    browser: str | None = None
    browser_version: str | None = None
    operating_system: str | None = None
    operating_system_version: str | None = None
    device_type: DeviceType = DeviceType.UNKNOWN
    bot_name: str | None = None

    @property
    def bot(self) -> bool:
        """Whether it belongs to a bot."""
        return self.bot_name is not None


class BotAddresses(Protocol):
    """Knows the addresses that operators of bots publish."""

    def verify(self, bot: str, address: str) -> BotVerification | None:
        """Return whether an address is one of a bot; None where it is none, or those of the bot are not known.

        Never raises.
        """


class UserAgents(Protocol):
    """Reads user agent strings."""

    def parse(self, user_agent: str) -> Device:
        """Return the device of a user agent string; an empty one is a bot. Never raises."""
