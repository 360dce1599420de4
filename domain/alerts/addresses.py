"""The addresses that requests of alerts may go to: those of the public Internet, and what the operator allows."""

import ipaddress
import socket
from collections.abc import Sequence

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network

_LOOPBACK = (ipaddress.IPv4Address("127.0.0.1"), ipaddress.IPv6Address("::1"))
# Networks of special purposes, whatever this version of Python knows of them; some IPv6 ones embed another address,
# which a translator or a tunnel could reach.
_SPECIAL: tuple[Network, ...] = tuple(
    map(
        ipaddress.ip_network,
        (
            "100.64.0.0/10",
            "192.0.0.0/24",
            "192.88.99.0/24",
            "::/96",
            "::ffff:0:0/96",
            "64:ff9b::/96",
            "64:ff9b:1::/48",
            "2001::/23",
            "2002::/16",
            "3fff::/20",
            "5f00::/16",
        ),
    )
)


def is_public(address: Address) -> bool:
    """Return whether an address belongs to the public Internet.

    Private, loopback, link-local, multicast, shared (CGNAT), reserved and unspecified ones do not, nor do IPv6
    addresses in which an IPv4 address is embedded.
    """
    if any(address in network for network in _SPECIAL):
        return False
    if isinstance(address, ipaddress.IPv6Address) and (address.is_site_local or address.scope_id is not None):
        return False
    return address.is_global and not address.is_multicast and not address.is_reserved


def is_refused(host: str, networks: Sequence[Network]) -> bool:
    """Return whether a host is written as an address that is neither public nor in one of some networks.

    It may be written in every form that the resolver reads as an address: with fewer than four parts, in octal or
    hexadecimal digits. Names are not resolved, but `localhost` and those below it are the loopback addresses.
    """
    written = _written_addresses(host.lower().removesuffix("."))
    return bool(written) and not any(
        is_public(address) or any(address in network for network in networks) for address in written
    )


def _written_addresses(host: str) -> Sequence[Address]:
    if host == "localhost" or host.endswith(".localhost"):
        return _LOOPBACK
    try:
        return [ipaddress.ip_address(host)]
    except ValueError:
        pass
    try:
        return [ipaddress.IPv4Address(socket.inet_aton(host))]
    except (OSError, UnicodeError):
        return []
