"""Excluded addresses and countries of a site, and how entries of list settings are parsed."""

import ipaddress
from collections.abc import Callable, Iterable
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

from attrs import frozen

from footfall.domain.exceptions import Invalid

MAX_IPS = 100
MAX_COUNTRIES = 250
# An error names at most this many characters of an entry.
_NAMED_CHARACTERS = 100

_ISO_3166_ALPHA_2 = """
AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT
BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH
ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT
HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS
LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI
NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG
SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG
UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW
"""
# Geolocation databases use XK for Kosovo.
COUNTRIES = frozenset(_ISO_3166_ALPHA_2.split()) | {"XK"}


Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network


@frozen
class ExcludedIPs:
    """Excluded addresses in a form that is fast to look up on each request."""

    addresses: frozenset[Address]
    networks: tuple[Network, ...]

    def __contains__(self, address: Address) -> bool:
        return address in self.addresses or any(address in network for network in self.networks)


def parse_address(text: str) -> Address:
    """Return the address, without a zone; an IPv4 address that is mapped into IPv6 comes back as IPv4.

    Raises:
        ValueError: the text is not an address.

    """
    address = ipaddress.ip_address(text)
    if isinstance(address, IPv4Address):
        return address
    # A zone names a network interface of this machine, not a part of the visitor's address.
    return address.ipv4_mapped or IPv6Address(int(address))


def canonical_address(text: str) -> str:
    """Return the one spelling of an address, as `parse_address` reads it.

    Raises:
        ValueError: the text is not an address.

    """
    return _cached(text) if len(text) <= _LONGEST_CACHED else _canonical_address(text)


def _canonical_address(text: str) -> str:
    return str(parse_address(text))


# The length of an IPv6 address that ends as IPv4. A zone after it may be of any length.
_LONGEST_CACHED = 45
_cached = lru_cache(maxsize=10_000)(_canonical_address)


def compile_excluded_ips(entries: Iterable[str]) -> ExcludedIPs:
    """Compile canonical entries (as `parse_excluded_ips` returns them) for lookups."""
    networks = [network for entry in entries for network in _networks(entry)]
    single = [network for network in networks if network.prefixlen == network.max_prefixlen]
    wide = [network for network in networks if network.prefixlen < network.max_prefixlen]
    return ExcludedIPs(frozenset(network.network_address for network in single), tuple(wide))


def parse_excluded_ips(entries: Iterable[str]) -> tuple[str, ...]:
    """Return canonical entries: addresses, CIDR networks and IPv4 ranges `a-b`.

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
    """Return upper-case ISO 3166 alpha-2 codes of existing countries.

    Raises:
        Invalid: an entry is not a country code (it is named), or there are more than 250.

    """
    return parse_entries(
        "excludedCountries",
        entries,
        _country,
        maximum=MAX_COUNTRIES,
        expected="an ISO 3166 alpha-2 country code",
    )


def parse_entries(
    field: str, entries: Iterable[str], parse: Callable[[str], str], *, maximum: int, expected: str
) -> tuple[str, ...]:
    """Return the results of `parse` for the entries of a list setting, in their order and without duplicates.

    Raises:
        Invalid: `parse` raised ValueError for an entry (it is named), or there are more than `maximum`.

    """
    entries = list(entries)
    if len(entries) > maximum:
        raise Invalid({field: [f"must have at most {maximum} entries"]})
    parsed: dict[str, None] = {}
    errors = []
    for entry in entries:
        try:
            parsed[parse(entry.strip())] = None
        except ValueError:
            errors.append(f"{entry[:_NAMED_CHARACTERS]!r} is not {expected}")
    if errors:
        raise Invalid({field: errors})
    return tuple(parsed)


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
    # A mapped network address has a prefix of 96 bits or more.
    return network if mapped is None else IPv4Network((mapped, network.prefixlen - 96))
