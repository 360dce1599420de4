"""Makes the payload of a pageview from a WSGI or ASGI request."""

import ipaddress
from collections.abc import Mapping, Sequence
from typing import Any, cast
from urllib.parse import quote

from attrs import frozen

from footfall.client.event.addresses import Network, behind_hops, behind_networks
from footfall.client.event.payload import Payload

# Visitors choose these; the service refuses an event with a longer one (docs/track/ingestion.md#payload).
_LONGEST = {"hostname": 253, "querystring": 2_048, "referrer": 2_048}
# The beginning of a user agent names the browser; one without a user agent would be a bot.
_LONGEST_AGENT = 512
_LONGEST_PATH = 2_048
# The characters that a browser does not encode in the path of a URL.
_PATH_CHARACTERS = "!$%&'()*+,-./:;=@[\\]_|~"


class VisitReader:
    """Makes payloads of requests: address, user agent, host, path, query and referrer.

    `X-Forwarded-For` counts only from trusted proxies: either the number of them that each request passes, or the
    networks that they are in.

    Raises:
        ValueError: both are given, the number is negative, or a network is not one.

    """

    def __init__(self, *, trusted_hops: int = 0, trusted_networks: Sequence[str] = ()) -> None:
        if trusted_hops and trusted_networks:
            raise ValueError("Either trusted_hops or trusted_networks, not both")
        if trusted_hops < 0:
            raise ValueError("trusted_hops must be 0 or a positive integer")
        self._hops = trusted_hops
        self._networks: list[Network] = [ipaddress.ip_network(network) for network in trusted_networks]

    def wsgi(self, environ: Mapping[str, Any]) -> Payload:
        """Return the payload of a WSGI request, from its environment."""
        path = environ.get("SCRIPT_NAME", "") + environ.get("PATH_INFO", "")
        return self._payload(
            host=decoded(environ.get("HTTP_HOST") or environ.get("SERVER_NAME", "")),
            path=quote(path.encode("latin-1", "replace"), safe=_PATH_CHARACTERS.replace("%", "")),
            query=decoded(environ.get("QUERY_STRING", "")),
            referrer=decoded(environ.get("HTTP_REFERER", "")),
            agent=decoded(environ.get("HTTP_USER_AGENT", "")),
            address=self._address(environ.get("REMOTE_ADDR", ""), environ.get("HTTP_X_FORWARDED_FOR", "")),
        )

    def asgi(self, scope: Mapping[str, Any]) -> Payload:
        """Return the payload of an ASGI request, from its connection scope."""
        headers = _Headers(scope.get("headers", ()))
        client, server = scope.get("client") or ("", 0), scope.get("server") or ("", 0)
        return self._payload(
            host=headers.get(b"host") or server[0],
            path=_asgi_path(scope),
            query=scope.get("query_string", b"").decode("utf-8", "replace"),
            referrer=headers.get(b"referer"),
            agent=headers.get(b"user-agent"),
            address=self._address(client[0], headers.get(b"x-forwarded-for")),
        )

    def _address(self, peer: str, forwarded: str) -> str:
        if self._networks:
            found = behind_networks(peer, forwarded, self._networks)
        else:
            found = behind_hops(peer, forwarded, self._hops)
        return "" if found is None else str(found)

    def _payload(
        self, *, host: str, path: str, query: str, referrer: str, agent: str, address: str
    ) -> Payload:
        found = {
            "hostname": _without_port(host),
            # A page whose address is too long is one nevertheless.
            "pathname": path[:_LONGEST_PATH] or "/",
            "querystring": query,
            "referrer": referrer,
            "user_agent": agent[:_LONGEST_AGENT],
            "ip_address": address,
        }
        kept = {name: it for name, it in found.items() if it and _is_storable(name, it)}
        return cast(Payload, kept)


@frozen
class _Headers:
    """The headers of an ASGI scope; repeated headers are joined to one list."""

    _headers: Sequence[tuple[bytes, bytes]]

    def get(self, name: bytes) -> str:
        values = (value for header, value in self._headers if header.lower() == name)
        return b",".join(values).decode("utf-8", "replace")


def _asgi_path(scope: Mapping[str, Any]) -> str:
    raw: bytes = scope.get("raw_path") or b""
    if raw.startswith(b"/"):
        return quote(raw.partition(b"?")[0], safe=_PATH_CHARACTERS)
    return quote(scope.get("path", ""), safe=_PATH_CHARACTERS.replace("%", ""))


def decoded(text: str) -> str:
    """Return a text of a WSGI environment, which has the bytes of the request as characters of Latin-1."""
    return text.encode("latin-1", "replace").decode("utf-8", "replace")


def _is_storable(name: str, text: str) -> bool:
    return len(text) <= _LONGEST.get(name, len(text)) and "\0" not in text


def _without_port(host: str) -> str:
    name, colon, port = host.rpartition(":")
    return (name if colon and port.isdigit() and not name.endswith(":") else host).lower()
