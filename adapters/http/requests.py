"""What every request carries: its id, its credentials, and where it comes from."""

import ipaddress
import re
import secrets
from collections.abc import Sequence
from functools import lru_cache
from itertools import count

from falcon.asgi import Request

from footfall.application.access import Credentials
from footfall.application.commands import Cause
from footfall.application.ports import Actor
from footfall.domain.exclusion import parse_address

# Anybody can send header after header of 8 KB through a proxy: 10,000 of them would be kept.
_MOST_REMEMBERED = 256
_GIVEN_ID = re.compile(r"[A-Za-z0-9_.:-]{1,64}")

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


class RequestIds:
    """Ids of requests: a caller's own when it is well formed, else one that no other process hands out."""

    def __init__(self) -> None:
        self._prefix = secrets.token_hex(6)
        self._numbers = count(1)

    def of(self, req: Request) -> str:
        """Return the id of a request."""
        return self.named(req.get_header("X-Request-Id"))

    def named(self, given: str | None) -> str:
        """Return the id of a request whose caller has given it one, or has not."""
        if given is not None and _GIVEN_ID.fullmatch(given):
            return given
        return f"{self._prefix}-{next(self._numbers):x}"


def credentials(req: Request) -> Credentials:
    """Return what the request presents: a bearer key, a private link's key."""
    private_link = req.get_header("X-Private-Key") or req.get_param("private_key")
    return Credentials(key=bearer(req), private_link=private_link)


def bearer(req: Request) -> str | None:
    """Return the key of the Authorization header; None when there is no such header."""
    header = req.get_header("Authorization")
    return None if header is None else bearer_key(header)


def bearer_key(authorization: str) -> str:
    """Return the key in the value of an Authorization header; a header of another form is a key that nobody has."""
    scheme, _, key = authorization.partition(" ")
    return key.strip() if scheme.lower() == "bearer" else ""


def cause(req: Request, actor: Actor) -> Cause:
    """Return the circumstances of a command that the request gives."""
    return Cause(actor=actor, request_id=req.context.request_id)


class ClientAddress:
    """Finds the client behind trusted proxies; a forwarding header from anybody else means nothing."""

    def __init__(self, trusted: Sequence[Network]) -> None:
        self._trusted = tuple(trusted)
        self._resolve = lru_cache(maxsize=10_000)(self._behind_proxies)
        self._peer = lru_cache(maxsize=10_000)(_as_one_writes_it)

    def of(self, req: Request) -> str:
        """Return the client's address as text; empty for a Unix socket."""
        return self.behind(next(iter(req.scope.get("client") or ()), ""), req.get_header("X-Forwarded-For"))

    def behind(self, peer: str, forwarded: str | None) -> str:
        """Return the client's address, by who is connected and what it says in X-Forwarded-For."""
        if not self._trusted:
            return self._peer(peer)
        forwarded = forwarded or ""
        resolve = self._resolve if len(forwarded) <= _MOST_REMEMBERED else self._behind_proxies
        return resolve(peer, forwarded)

    def _behind_proxies(self, peer: str, forwarded: str) -> str:
        # From the right: the last address that no trusted proxy vouches for is the client.
        hops = [hop.strip() for hop in forwarded.split(",") if hop.strip()]
        address = peer
        for hop in reversed(hops):
            if not self._is_trusted(address):
                break
            address = _without_port(hop)
        return _as_one_writes_it(address)

    def _is_trusted(self, text: str) -> bool:
        try:
            address = parse_address(text)
        except ValueError:
            return text == ""  # a Unix socket: only a local proxy can reach it
        return any(address in network for network in self._trusted)


def _as_one_writes_it(text: str) -> str:
    """Return an address as the payload's is kept: whoever comes by two ways is one visitor."""
    try:
        return str(parse_address(text))
    except ValueError:
        return text


def _without_port(hop: str) -> str:
    if hop.startswith("["):
        return hop[1:].partition("]")[0]
    return hop.partition(":")[0] if hop.count(":") == 1 else hop
