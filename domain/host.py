"""Host names: how a site's domain is written and compared."""

import ipaddress
import re
import unicodedata
from functools import lru_cache
from urllib.parse import urlsplit

from footfall.domain.errors import Invalid

MAX_HOST = 253
# What the codec of the standard library, of IDNA 2003, replaces by other letters, and browsers do not since IDNA 2008.
_KEPT_BY_BROWSERS = frozenset("\u00df\u03c2")
_LABEL = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)")


def normalize_host(text: str) -> str | None:
    """Return the host of a URL or host text: lower-case punycode, no port, no leading `www.`.

    None when there is no host in it. Decisions, section 1 (domain validation) and section 4 (domain).
    """
    return _remembered(text) if len(text) <= _MOST_REMEMBERED else _normalized(text)


def _normalized(text: str) -> str | None:
    host = full_host(text)
    if host is None or not host.startswith("www."):
        return host
    bare = host.removeprefix("www.")
    # Of `www.de` nothing may be taken away: every site of a country would belong to what is left.
    return bare if "." in bare else host


# What is compared is sent by anybody: 4,096 texts of 256 characters and their hosts are 6 MB at the very worst.
_MOST_REMEMBERED = 256
_remembered = lru_cache(maxsize=4_096)(_normalized)


def full_host(text: str) -> str | None:
    """Return the same host with the `www.` that it may begin with, for where that is another host."""
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
        return ".".join(_label_to_ascii(label) for label in host.split("."))
    except UnicodeError:
        return None


def _label_to_ascii(label: str) -> str:
    if _KEPT_BY_BROWSERS.isdisjoint(label):
        return label.encode("idna").decode("ascii")
    return "xn--" + unicodedata.normalize("NFKC", label).encode("punycode").decode("ascii")
