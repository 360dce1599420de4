"""Parsers of settings: each returns the value of a text, or raises ValueError with the rule that the text breaks."""

import ipaddress
import os
import pwd
import re
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from urllib.parse import urlsplit

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from footfall.domain.accounts.organization import Role
from footfall.domain.accounts.person import parse_name
from footfall.domain.cells.cell import MAIN, NAME_RULE, split_place, valid_name
from footfall.domain.exceptions import Invalid
from footfall.domain.tracking.rate_limit import RateLimit

Network = ipaddress.IPv4Network | ipaddress.IPv6Network

SCRIPT_PATH = "/footfall.js"
UMAMI_SCRIPT_PATH = "/umami.js"
TRACK_PATH = "/api/track"
# The first segments of the paths that the service itself answers.
OWN_PATHS = frozenset(
    {
        "account",
        "api",
        "assets",
        "embed.js",
        "footfall.js",
        "invitations",
        "js",
        "livez",
        "metrics",
        "organizations",
        "readyz",
        "reports",
        "script.js",
        "share",
        "sign-in",
        "sign-out",
        "sites",
        "umami.js",
        "unsubscribe",
        "vitals.js",
    }
)
_WRITABLE = ("read-write", "primary")
_DOMAIN = re.compile(r"[a-z0-9-]+(\.[a-z0-9-]+)+")
_ORIGIN = re.compile(r"https?://([A-Za-z0-9.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(:[0-9]{1,5})?")
_PUBLIC_PATH = re.compile(r"(/[A-Za-z0-9_~-][A-Za-z0-9._~-]{0,63}){1,4}")


def number(least: int, most: int) -> Callable[[str], int]:
    """Return a parser of whole numbers from `least` to `most`."""

    def read(text: str) -> int:
        if not text.isdecimal() or not least <= int(text) <= most:
            raise ValueError(f"must be a whole number from {least} to {most}")
        return int(text)

    return read


def choice(choices: tuple[str, ...]) -> Callable[[str], str]:
    """Return a parser of one of these words."""

    def read(text: str) -> str:
        if text.lower() not in choices:
            raise ValueError(f"must be one of {', '.join(choices)}")
        return text.lower()

    return read


def public_path(*own: str) -> Callable[[str], str]:
    """Return a parser of paths that the service does not answer itself, besides its `own`."""

    def read(text: str) -> str:
        if text in own:
            return text
        if _PUBLIC_PATH.fullmatch(text) is None:
            raise ValueError(
                "must be a path such as /hello: 1 to 4 segments of letters, digits and . _ ~ - that begin with no dot"
            )
        first = text.split("/")[1]
        if first in OWN_PATHS:
            raise ValueError(f"must not begin with /{first}, which the service answers itself")
        return text

    return read


def script_path(text: str) -> str:
    """Return the path of a script."""
    if not text.endswith(".js"):
        raise ValueError("must be a path that ends in .js, such as /hello.js")
    return public_path(SCRIPT_PATH, UMAMI_SCRIPT_PATH, "/script.js")(text)


def database_url(text: str) -> str:
    """Return the URL of a PostgreSQL that accepts writes."""
    try:
        parts = {name: str(value) for name, value in conninfo_to_dict(text).items()}
    except psycopg.ProgrammingError:
        # The message of the driver quotes the whole URL with its password.
        raise ValueError(
            "must be a PostgreSQL URL such as postgresql://user@host/database, a password in it percent-encoded"
        ) from None
    hosts = max(parts.get("host", "").count(","), parts.get("hostaddr", "").count(",")) + 1
    ports = parts.get("port", "").count(",") + 1
    if ports not in {1, hosts}:
        raise ValueError(f"names {hosts} host(s) and {ports} ports: one port for all, or one for each host")
    attributes = parts.get("target_session_attrs", _WRITABLE[0])
    if attributes not in _WRITABLE and (hosts > 1 or attributes != "any"):
        raise ValueError("must have target_session_attrs=read-write (or primary): the service writes")
    # Among several hosts, libpq takes the first one that answers, a standby as well, unless it is told otherwise.
    return make_conninfo(text, target_session_attrs=attributes) if hosts > 1 else text


def cells(text: str) -> Mapping[str, str]:
    """Return the URLs of the places of cells by their names: `name=URL` pairs, or the file that holds them."""
    if text.startswith("@"):
        try:
            text = Path(text[1:]).expanduser().read_text()
        except (OSError, UnicodeDecodeError):
            raise ValueError("names a file that cannot be read") from None
    places: dict[str, str] = {}
    for number, pair in enumerate(text.split(), 1):
        name, equals, url = pair.partition("=")
        # The values are secret: a pair is called by its number, unless it is known to begin with a name.
        if not equals or not valid_name(name) or name == MAIN:
            raise ValueError(
                f"must be pairs name=URL: the name of pair {number} {NAME_RULE}, and other than {MAIN}"
            )
        if name in places:
            raise ValueError(f"names the place {name} twice")
        try:
            places[name] = _place(url)
        except ValueError as refusal:
            raise ValueError(f"the URL of {name} {refusal}") from None
        if not split_place(url)[1]:
            raise ValueError(f"gives no URL for {name}")
    return MappingProxyType(places)


def _place(url: str) -> str:
    """Return the URL of a place; of a cluster any server takes writes, so that the first one will do."""
    layout, database = split_place(url)
    checked = database_url(database)
    return checked if layout is None else url


def no_cells() -> Mapping[str, str]:
    """Return that there are no places of cells."""
    return MappingProxyType({})


def origin(text: str) -> str:
    """Return an origin in its usual spelling."""
    url = text.removesuffix("/").lower()
    if _ORIGIN.fullmatch(url) is None:
        raise ValueError("must be an origin such as https://stats.example.com, without path and user name")
    try:
        # Both properties refuse what the expression lets pass: ports above 65,535, malformed IPv6 addresses.
        parts = urlsplit(url)
        _ = parts.port, ipaddress.ip_address(str(parts.hostname)) if "[" in url else None
    except ValueError:
        raise ValueError("must have a valid host and a port from 0 to 65535") from None
    default_port = {"http": ":80", "https": ":443"}[parts.scheme]
    return url.removesuffix(default_port)


def secret(text: str) -> str:
    """Return a key of at least 16 characters."""
    if len(text) < 16:  # noqa: PLR2004
        raise ValueError("must have at least 16 characters")
    return text


def folder(text: str) -> Path:
    """Return an absolute path."""
    return Path(text).expanduser().absolute()


def networks(text: str) -> tuple[Network, ...]:
    """Return networks."""
    networks = []
    for entry in text.split(","):
        try:
            networks.append(ipaddress.ip_network(entry.strip(), strict=False))
        except ValueError:
            raise ValueError(f"must be a list of CIDR networks; {entry.strip()!r} is none") from None
    return tuple(networks)


def rate_limit(text: str) -> RateLimit | None:
    """Return a limit of requests; None for none."""
    if text.lower() == "off":
        return None
    requests, slash, seconds = text.partition("/")
    if (
        not slash
        or not requests.isdecimal()
        or not seconds.isdecimal()
        or not int(requests)
        or not int(seconds)
    ):
        raise ValueError("must be requests/seconds such as 500/600, or off")
    return RateLimit(int(requests), int(seconds))


def domain_list(text: str) -> tuple[str, ...]:
    """Return a list of domains in lower case."""
    domains = tuple(word.strip().lower() for word in text.split(","))
    if not all(_DOMAIN.fullmatch(domain) for domain in domains):
        raise ValueError("must be a list of domains such as example.com, separated by commas")
    return domains


def issuer(text: str) -> str:
    """Return the issuer of an OpenID Connect provider, exactly as it was given."""
    parts = urlsplit(text)
    is_local = parts.hostname in {"localhost", "127.0.0.1", "::1"}
    if (
        not parts.hostname
        or parts.query
        or parts.fragment
        or not (parts.scheme == "https" or (parts.scheme == "http" and is_local))
    ):
        raise ValueError(
            "must be the issuer's address such as https://login.example.com, with https unless it is local"
        )
    return text


def role(text: str) -> Role:
    """Return the role of newcomers, which never administers."""
    if text not in {Role.MEMBER, Role.VIEWER}:
        raise ValueError("must be member or viewer")
    return Role(text)


def duckdb_is_there() -> bool:
    """Return whether DuckDB is installed."""
    return find_spec("duckdb") is not None


def by_rule(parse: Callable[[str], str], field_name: str) -> Callable[[str], str]:
    """Return a parser that has the rule of the domain for a field."""

    def read(text: str) -> str:
        try:
            return parse(text)
        except Invalid as refusal:
            raise ValueError("; ".join(refusal.field_errors[field_name])) from None

    return read


def full_name() -> str | None:
    """Return the full name of the system's user; None for root, for unnamed users and for names that break the rule."""
    try:
        entry = pwd.getpwuid(os.getuid())
        name = parse_name(entry.pw_gecos.partition(",")[0])
    except (KeyError, Invalid):
        return None
    return None if entry.pw_uid == 0 or name == entry.pw_name else name
