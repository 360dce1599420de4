"""Addresses of bots in one file, which `footfall geoip fetch` makes of the lists that their operators publish."""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import datetime
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from pathlib import Path
from typing import Any

from attrs import field, frozen

from footfall.adapters.geoip.bot_lists import LISTS_OF
from footfall.adapters.geoip.database_file import DatabaseUnreadable
from footfall.adapters.geoip.watched_file import WatchedFile
from footfall.domain.tracking.hit import BotVerification

MAX_FILE_BYTES = 32 << 20
MOST_NETWORKS = 20_000
# A wider network would verify the addresses of half the Internet.
WIDEST = {4: 8, 6: 19}

Network = IPv4Network | IPv6Network


class NoBotList(ValueError):
    """A document is no list of networks; the text is one line."""


@frozen
class BotList:
    """The networks of a list, and when they were downloaded."""

    fetched_at: datetime
    networks: tuple[Network, ...] = field(repr=False)


def networks_of(document: Any) -> tuple[Network, ...]:
    """Return the networks of a published list: `{"prefixes": [{"ipv4Prefix": "192.0.2.0/24"}, …]}`.

    Raises:
        NoBotList: it is none, or it is not plausible.

    """
    prefixes = document.get("prefixes") if isinstance(document, dict) else None
    if not isinstance(prefixes, list):
        raise NoBotList("it has no list of prefixes")
    return parsed_networks(_written(prefix) for prefix in prefixes)


def parsed_networks(texts: Iterable[Any]) -> tuple[Network, ...]:
    """Return networks in their order, each once.

    Raises:
        NoBotList: one of them is none, or too wide; there are none, or too many.

    """
    networks = dict.fromkeys(_network(text) for text in texts)
    if not 0 < len(networks) <= MOST_NETWORKS:
        raise NoBotList(f"it has {len(networks)} networks, which are 1 to {MOST_NETWORKS:,}")
    return tuple(networks)


def _written(prefix: Any) -> Any:
    return (prefix.get("ipv4Prefix") or prefix.get("ipv6Prefix")) if isinstance(prefix, dict) else None


def _network(text: Any) -> Network:
    try:
        network = ip_network(text.strip(), strict=False)
    except (AttributeError, ValueError):
        raise NoBotList("one of its prefixes is no network") from None
    if network.prefixlen < WIDEST[network.version]:
        raise NoBotList(f"a network of /{network.prefixlen} is too wide")
    return network


class BotAddressFile:
    """The lists of an open file; those of bots that it does not have are not known."""

    def __init__(self, path: Path) -> None:
        """Open the file.

        Raises:
            DatabaseUnreadable: it cannot be read; the message is one line.

        """
        self.lists = _read(path)
        self._by_length: dict[tuple[int, int], dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
        for name, listed in self.lists.items():
            for network in listed.networks:
                length = network.version, network.max_prefixlen - network.prefixlen
                self._by_length[length][int(network.network_address) >> length[1]].add(name)

    def describe(self) -> str:
        """Return the number of lists and networks, and the day of the oldest download, for people."""
        oldest = min(listed.fetched_at for listed in self.lists.values())
        return (
            f"{len(self.lists)} lists of {self.networks} networks of bots, downloaded since {oldest:%Y-%m-%d}"
        )

    @property
    def networks(self) -> int:
        """The number of networks in all lists."""
        return sum(len(listed.networks) for listed in self.lists.values())

    def lists_with(self, address: str) -> frozenset[str] | None:
        """Return the names of the lists that have an address; None for a text that is none. Never raises."""
        try:
            parsed = ip_address(address)
        except ValueError:
            return None
        lists: set[str] = set()
        for (version, bits), networks in self._by_length.items():
            if version == parsed.version:
                lists |= networks.get(int(parsed) >> bits, set())
        return frozenset(lists)


def _read(path: Path) -> Mapping[str, BotList]:
    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            raise DatabaseUnreadable(path, f"it is larger than {MAX_FILE_BYTES >> 20} MiB")
        document = json.loads(path.read_bytes())
        lists = {
            name: BotList(datetime.fromisoformat(entry["fetchedAt"]), parsed_networks(entry["networks"]))
            for name, entry in document["lists"].items()
        }
    except OSError as error:
        raise DatabaseUnreadable(path, error.strerror or type(error).__name__) from error
    except (AttributeError, KeyError, TypeError, ValueError, RecursionError) as error:
        raise DatabaseUnreadable(path, "it is not what footfall geoip fetch writes") from error
    if not lists:
        raise DatabaseUnreadable(path, "it has no lists")
    return lists


def written(lists: Mapping[str, BotList]) -> bytes:
    """Return lists as a file has them."""
    document = {
        name: {"fetchedAt": bots.fetched_at.isoformat(), "networks": list(map(str, bots.networks))}
        for name, bots in sorted(lists.items())
    }
    return json.dumps({"lists": document}, indent=1).encode()


class PublishedBotAddresses(WatchedFile[BotAddressFile, frozenset[str] | None]):
    """Verifies bots by the lists of a file; the options are those of a `WatchedFile`."""

    def __init__(self, path: Path, **options: Any) -> None:
        super().__init__(
            path,
            BotAddressFile,
            BotAddressFile.lists_with,
            nothing=None,
            lacking="bots are not verified",
            **options,
        )

    def verify(self, bot: str, address: str) -> BotVerification | None:
        """Return whether an address is one of a bot; None where its lists are not all there. Never raises."""
        lists, file = LISTS_OF.get(bot), self.database()
        if lists is None or file is None:
            return None
        listing = self.find(address)
        if listing is None:
            return None
        if not listing.isdisjoint(lists):
            return BotVerification.VERIFIED
        return BotVerification.UNVERIFIED if file.lists.keys() >= set(lists) else None
