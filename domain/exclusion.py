"""Addresses and countries that a site does not want to count."""

import ipaddress
from collections.abc import Iterable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

from attrs import frozen

from footfall.domain.country import COUNTRIES
from footfall.domain.entries import parse_entries

MAX_IPS = 100
MAX_COUNTRIES = 250

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network


@frozen
class ExcludedIPs:
    """Excluded addresses in the form that is asked on every request."""

    addresses: frozenset[Address]
    networks: tuple[Network, ...]

    def __contains__(self, address: Address) -> bool:
        return address in self.addresses or any(address in network for network in self.networks)


def parse_address(text: str) -> Address:
    """Return the address, without a zone; an IPv4 address that is mapped into IPv6 comes back as IPv4.

    Raises:
        ValueError: the text is no address.

    """
    address = ipaddress.ip_address(text)
    if isinstance(address, IPv4Address):
        return address
    # A zone names the network card by which an address is reached: it is no part of who that is.
    return address.ipv4_mapped or IPv6Address(int(address))


def compile_excluded_ips(entries: Iterable[str]) -> ExcludedIPs:
    """Prepare canonical entries (as `parse_excluded_ips` returns them) for being asked."""
    networks = [network for entry in entries for network in _networks(entry)]
    single = [network for network in networks if network.prefixlen == network.max_prefixlen]
    wide = [network for network in networks if network.prefixlen < network.max_prefixlen]
    return ExcludedIPs(frozenset(network.network_address for network in single), tuple(wide))


def parse_excluded_ips(entries: Iterable[str]) -> tuple[str, ...]:
    """Return canonical entries: addresses, CIDR networks and IPv4 ranges `a-b` (decisions, section 4).

    Raises:
        Invalid: an entry cannot be read (it is named), or there are more than 100.

    """
    return parse_entries(
        "excludedIPs",
        entries,
        _canonical,
        maximum=MAX_IPS,
        expected="an IP address, a CIDR network or an IPv4 range a-b",
    )


def parse_excluded_countries(entries: Iterable[str]) -> tuple[str, ...]:
    """Return upper-case ISO 3166 alpha-2 codes: one that no country has would never exclude anybody.

    Raises:
        Invalid: an entry is no country code (it is named), or there are more than 250.

    """
    return parse_entries(
        "excludedCountries",
        entries,
        _country,
        maximum=MAX_COUNTRIES,
        expected="an ISO 3166 alpha-2 country code",
    )


def _country(entry: str) -> str:
    code = entry.upper()
    if code not in COUNTRIES:
        raise ValueError
    return code


def _canonical(entry: str) -> str:
    if "-" in entry:
        first, last = _range(entry)
        return f"{first}-{last}"
    if "/" not in entry:
        return str(parse_address(entry))
    return str(_network(entry))


def _networks(entry: str) -> list[Network]:
    if "-" in entry:
        first, last = _range(entry)
        return list(ipaddress.summarize_address_range(first, last))
    if "/" in entry:
        return [_network(entry)]
    return [ipaddress.ip_network(parse_address(entry))]


def _range(entry: str) -> tuple[IPv4Address, IPv4Address]:
    first, _, last = entry.partition("-")
    start, end = parse_address(first.strip()), parse_address(last.strip())
    if isinstance(start, IPv6Address) or isinstance(end, IPv6Address) or start > end:
        raise ValueError
    return start, end


def _network(entry: str) -> Network:
    network = ipaddress.ip_network(entry, strict=False)
    mapped = getattr(network.network_address, "ipv4_mapped", None)
    # An address that begins with the 96 bits of all mapped ones has a prefix that is as long at least.
    return network if mapped is None else IPv4Network((mapped, network.prefixlen - 96))
