"""Host names: how a site's domain is written and compared."""

import ipaddress
import re
import unicodedata
from functools import lru_cache
from urllib.parse import urlsplit

from footfall.domain.exceptions import Invalid

MAX_HOST = 253
# The standard library's codec (IDNA 2003) replaces these letters; browsers (IDNA 2008) keep them.
_KEPT_BY_BROWSERS = frozenset("\u00df\u03c2")
_LABEL = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)")


def normalize_host(text: str) -> str | None:
    """Return the host of a URL or host text: lower-case punycode, no port, no leading `www.`.

    None when the text contains no host.
    """
    return _cached(text) if len(text) <= _LONGEST_CACHED else _normalized(text)


def _normalized(text: str) -> str | None:
    host = full_host(text)
    if host is None or not host.startswith("www."):
        return host
    bare = host.removeprefix("www.")
    # `www.de` keeps its `www.`: every site of the top-level domain would belong to `de`.
    return bare if "." in bare else host


# Requests contain arbitrary texts: 4,096 texts of 256 characters and their hosts take at most 6 MB.
_LONGEST_CACHED = 256
_cached = lru_cache(maxsize=4_096)(_normalized)


def full_host(text: str) -> str | None:
    """Return the host as `normalize_host` does, but with its leading `www.`."""
    host = _host_part(text.strip())
    if not host or len(host) > MAX_HOST:
        return None
    if address := _address(host):
        return address
    ascii_host = _to_ascii(host.rstrip(".").lower())
    if ascii_host is None or not all(_LABEL.fullmatch(label) for label in ascii_host.split(".")):
        return None
    return ascii_host


def parse_domain(text: str) -> str:
    """Return the domain of a site from a host name or URL.

    Raises:
        Invalid: the text contains no host name.

    """
    host = normalize_host(text)
    if host is None:
        raise Invalid({"domain": ["must be a host name such as example.com"]})
    return host


def within(host: str, domain: str) -> bool:
    """Whether a normalized host is the domain or one of its sub-domains."""
    return host == domain or host.endswith("." + domain)


def is_this_machine(host: str) -> bool:
    """Whether a host is a name or an address by which a machine calls itself."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _host_part(text: str) -> str | None:
    candidate = text if "://" in text else f"//{text}"
    if text.count(":") > 1 and "[" not in text and "://" not in text:
        return text  # a bare IPv6 address
    try:
        return urlsplit(candidate).hostname
    except ValueError:
        return None


def _address(host: str) -> str | None:
    if "%" in host:
        # A zone belongs to one machine, and may be any text, which lines for a shell would quote.
        return None
    try:
        return str(ipaddress.ip_address(host.strip("[]")))
    except ValueError:
        return None


def _to_ascii(host: str) -> str | None:
    if host.isascii():
        return host
    try:
        return ".".join(_label_to_ascii(label) for label in host.split("."))
    except UnicodeError:
        return None


def _label_to_ascii(label: str) -> str:
    if _KEPT_BY_BROWSERS.isdisjoint(label):
        return label.encode("idna").decode("ascii")
    return "xn--" + unicodedata.normalize("NFKC", label).encode("punycode").decode("ascii")
