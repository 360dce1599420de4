"""The address of the client of a request: the peer, or the client behind trusted proxies."""

import ipaddress
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from falcon.asgi import Request

from footfall.domain.sites.excluded_addresses import canonical_address, parse_address

# The longest X-Forwarded-For in the cache, which keeps up to 10,000 of them.
_MOST_REMEMBERED = 256

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


def peer_of(scope: Mapping[str, Any]) -> str:
    """Return the address of the connected peer; empty for a Unix socket."""
    return next(iter(scope.get("client") or ()), "")


class ClientAddress:
    """Finds the client behind trusted proxies; ignores forwarding headers of other peers."""

    def __init__(self, trusted: Sequence[Network]) -> None:
        self._trusted = tuple(trusted)
        self._resolve = lru_cache(maxsize=10_000)(self._behind_proxies)

    def of(self, req: Request) -> str:
        """Return the client's address as text; empty for a Unix socket."""
        return self.behind(peer_of(req.scope), req.get_header("X-Forwarded-For"))

    def behind(self, peer: str, forwarded: str | None) -> str:
        """Return the client's address, by the connected peer and its X-Forwarded-For."""
        if not self._trusted:
            return _normalized(peer)
        forwarded = forwarded or ""
        resolve = self._resolve if len(forwarded) <= _MOST_REMEMBERED else self._behind_proxies
        return resolve(peer, forwarded)

    def _behind_proxies(self, peer: str, forwarded: str) -> str:
        # From the right: the first address that is not of a trusted proxy is the client.
        hops = [hop.strip() for hop in forwarded.split(",") if hop.strip()]
        address = peer
        for hop in reversed(hops):
            if not self._is_trusted(address):
                break
            address = _without_port(hop)
        return _normalized(address)

    def _is_trusted(self, text: str) -> bool:
        try:
            address = parse_address(text)
        except ValueError:
            return text == ""  # a Unix socket: only a local proxy can reach it
        return any(address in network for network in self._trusted)


def _normalized(text: str) -> str:
    """Return an address in the spelling of stored addresses, so that both spellings are one visitor."""
    try:
        return canonical_address(text)
    except ValueError:
        return text


def _without_port(hop: str) -> str:
    if hop.startswith("["):
        return hop[1:].partition("]")[0]
    return hop.partition(":")[0] if hop.count(":") == 1 else hop
