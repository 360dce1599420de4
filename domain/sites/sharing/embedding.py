"""The origins of pages that may embed a site's public report."""

from collections.abc import Iterable
from urllib.parse import urlsplit

from footfall.domain.sites.excluded_addresses import parse_entries
from footfall.domain.sites.host import full_host

MAX_ORIGINS = 20
ANYWHERE = "*"
_DEFAULT_PORTS = {"http": 80, "https": 443}
_ANY_BELOW = "*."


def parse_embed_origins(entries: Iterable[str]) -> tuple[str, ...]:
    """Return canonical origins: `https://blog.example`, `https://*.example.com`, or `*` for every page.

    They are valid in a content security policy; a path is dropped.

    Raises:
        Invalid: an entry is not an origin or has no scheme (it is named), or there are more than 20.

    """
    return parse_entries(
        "embedOrigins",
        entries,
        _origin,
        maximum=MAX_ORIGINS,
        expected="an origin with its scheme, such as https://blog.example or http://localhost:3000, or *",
    )


def _origin(entry: str) -> str:
    if entry == ANYWHERE:
        return entry
    parts = urlsplit(entry)
    name = parts.hostname or ""
    wild = _ANY_BELOW if name.startswith(_ANY_BELOW) else ""
    host = full_host(name.removeprefix(wild))
    # A content security policy cannot name an IPv6 address.
    if parts.scheme not in _DEFAULT_PORTS or host is None or ":" in host or "@" in parts.netloc:
        raise ValueError
    port = "" if parts.port in {None, _DEFAULT_PORTS[parts.scheme]} else f":{parts.port}"
    return f"{parts.scheme}://{wild}{host}{port}"
