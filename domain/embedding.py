"""Where pages of others may show what a site shows to everybody: a list of origins."""

from collections.abc import Iterable
from urllib.parse import urlsplit

from footfall.domain.entries import parse_entries
from footfall.domain.host import full_host

MAX_ORIGINS = 20
ANYWHERE = "*"
_DEFAULT_PORTS = {"http": 80, "https": 443}
_ANY_BELOW = "*."


def parse_embed_origins(entries: Iterable[str]) -> tuple[str, ...]:
    """Return canonical origins: `https://blog.example`, `https://*.example.com`, or `*` for every page.

    They can stand in a content security policy as they are. What is left out is https, a path is dropped.

    Raises:
        Invalid: an entry is no origin (it is named), or there are more than 20.

    """
    return parse_entries(
        "embedOrigins",
        entries,
        _origin,
        maximum=MAX_ORIGINS,
        expected="an origin such as https://blog.example, or *",
    )


def _origin(entry: str) -> str:
    if entry == ANYWHERE:
        return entry
    parts = urlsplit(entry if "://" in entry else f"https://{entry}")
    given = parts.hostname or ""
    wild = _ANY_BELOW if given.startswith(_ANY_BELOW) else ""
    host = full_host(given.removeprefix(wild))
    # A policy has no way to name an IPv6 address.
    if parts.scheme not in _DEFAULT_PORTS or host is None or ":" in host or "@" in parts.netloc:
        raise ValueError
    port = "" if parts.port in {None, _DEFAULT_PORTS[parts.scheme]} else f":{parts.port}"
    return f"{parts.scheme}://{wild}{host}{port}"
