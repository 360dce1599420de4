"""Finds the visitor's address behind proxies, believing only those that one is told to trust."""

import ipaddress
import re
from collections.abc import Sequence

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network

_V4_WITH_PORT = re.compile(r"([\d.]+):\d+")
_V6_WITH_PORT = re.compile(r"\[([^\]]+)\](?::\d+)?")


def parse_address(text: str) -> Address | None:
    """Return an address, given with or without a port; IPv4 in the clothes of IPv6 is IPv4 again."""
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

    Each of them appended the address that it was called from. A shorter list did not come by all of them, so
    nobody trusted wrote it: the peer's own address counts.
    """
    seen = _entries(forwarded)
    return parse_address(seen[-hops] if 0 < hops <= len(seen) else peer)


def behind_networks(peer: str, forwarded: str, networks: Sequence[Network]) -> Address | None:
    """Return the nearest address that is not in the trusted networks, walking from the peer outwards.

    None when a trusted proxy wrote something that is no address.
    """
    address = parse_address(peer)
    for further in reversed(_entries(forwarded)):
        if address is None or not any(address in network for network in networks):
            break
        address = parse_address(further)
    return address


def _entries(forwarded: str) -> list[str]:
    return [entry for entry in forwarded.split(",") if entry.strip()]
