"""Host names: how a site's domain is written and compared."""

import ipaddress
import re
from functools import lru_cache
from urllib.parse import urlsplit

from footfall.domain.errors import Invalid

MAX_HOST = 253
_LABEL = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)")


@lru_cache(maxsize=8_192)
def normalize_host(text: str) -> str | None:
    """Return the host of a URL or host text: lower-case punycode, no port, no leading `www.`.

    None when there is no host in it. Decisions, section 1 (domain validation) and section 4 (domain).
    """
    host = _host_part(text.strip())
    if not host or len(host) > MAX_HOST:
        return None
    if address := _address(host):
        return address
    ascii_host = _to_ascii(host.rstrip(".").lower())
    if ascii_host is None or not all(_LABEL.fullmatch(label) for label in ascii_host.split(".")):
        return None
    return ascii_host.removeprefix("www.") or None


def parse_domain(text: str) -> str:
    """Return the domain of a site from what somebody typed.

    Raises:
        Invalid: no host name can be found in it.

    """
    host = normalize_host(text)
    if host is None:
        raise Invalid({"domain": ["must be a host name such as example.com"]})
    return host


def within(host: str, domain: str) -> bool:
    """Whether a normalized host is the domain or one of its sub-domains."""
    return host == domain or host.endswith("." + domain)


def _host_part(text: str) -> str | None:
    candidate = text if "://" in text else f"//{text}"
    if text.count(":") > 1 and "[" not in text and "://" not in text:
        return text  # a bare IPv6 address
    try:
        return urlsplit(candidate).hostname
    except ValueError:
        return None


def _address(host: str) -> str | None:
    try:
        return str(ipaddress.ip_address(host.strip("[]")))
    except ValueError:
        return None


def _to_ascii(host: str) -> str | None:
    if host.isascii():
        return host
    try:
        return host.encode("idna").decode("ascii")
    except UnicodeError:
        return None
