"""Finds the visitor's address behind trusted proxies."""

import ipaddress
import re
from collections.abc import Sequence

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network

# A visitor can forge a list of proxies as long as headers may be.
_MAX_PROXIES = 32
_V4_WITH_PORT = re.compile(r"([\d.]+):\d+")
_V6_WITH_PORT = re.compile(r"\[([^\]]+)\](?::\d+)?")


def parse_address(text: str) -> Address | None:
    """Return an address, given with or without a port; an IPv4-mapped IPv6 address comes as IPv4."""
    text = text.strip().strip('"')
    bare = _V4_WITH_PORT.fullmatch(text) or _V6_WITH_PORT.fullmatch(text)
    try:
        address = ipaddress.ip_address(bare[1] if bare else text)
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return mapped or address


def behind_hops(peer: str, forwarded: str, hops: int) -> Address | None:
    """Return the address that the outermost of `hops` trusted proxies saw.

    Each proxy appends the address of its caller. A shorter list did not pass all of them and is not trusted: the
    peer's own address counts.
    """
    seen = _entries(forwarded)
    return parse_address(seen[-hops] if 0 < hops <= len(seen) else peer)


def behind_networks(peer: str, forwarded: str, networks: Sequence[Network]) -> Address | None:
    """Return the first address outside the trusted networks, from the peer outwards.

    None when a trusted proxy wrote a text that is not an address.
    """
    address = parse_address(peer)
    for further in reversed(_entries(forwarded)[-_MAX_PROXIES:]):
        if address is None or not any(address in network for network in networks):
            break
        address = parse_address(further)
    return address


def _entries(forwarded: str) -> list[str]:
    return [entry for entry in forwarded.split(",") if entry.strip()]
