"""Resolution of hosts to addresses that requests may go to."""

import ipaddress
import socket
from collections.abc import Sequence

from footfall.application.ports.alerts.webhooks import WebhookFailed
from footfall.domain.alerts.addresses import Address, Network, is_public

REFUSED = "the address is not one of the public Internet"


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
