"""The addresses that a target may have: those of the public Internet, and what the operator allows."""

import ipaddress
import socket
from collections.abc import Sequence

from footfall.application.ports.alerts.webhooks import WebhookFailed

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network

# Of special purposes, whatever this version of Python knows of them; in some IPv6 ones another address is embedded,
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
REFUSED = "the address is not one of the public Internet"


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


def allowed_addresses(host: str, port: int, networks: Sequence[Network]) -> list[tuple[Address, bool]]:
    """Resolve a host and return its addresses, each with whether the operator allows it by a network.

    Raises:
        WebhookFailed: the name cannot be resolved, or one of its addresses is neither public nor allowed.

    """
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise WebhookFailed("the name of the host cannot be resolved") from None
    addresses = list(dict.fromkeys(ipaddress.ip_address(one[4][0]) for one in found))
    checked = [(one, any(one in network for network in networks)) for one in addresses]
    # A name with a public and a private address would be tried until the private one is reached.
    if not checked or not all(is_allowed or is_public(one) for one, is_allowed in checked):
        raise WebhookFailed(REFUSED, final=True)
    return checked
