"""The configuration: read from the environment, validated together, every fault reported at once."""

import ipaddress
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import platformdirs
import psycopg
from attrs import field, frozen
from psycopg.conninfo import conninfo_to_dict

from footfall.domain.rate_limit import RateLimit

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
Value = TypeVar("Value")

MOST_WORKERS = 4
LOG_FORMATS = ("json", "text")
LOG_LEVELS = ("debug", "info", "warning", "error")


class InvalidSettings(Exception):
    """The configuration cannot be used; the text names every fault."""

    def __init__(self, faults: Mapping[str, str]) -> None:
        super().__init__("; ".join(f"{name} {fault}" for name, fault in faults.items()))
        self.faults = dict(faults)


@frozen(kw_only=True)
class Settings:
    """How this installation runs (operator's guide, Configuration)."""

    database_url: str | None = field(default=None, repr=False)
    data_dir: Path
    secret: str | None = field(default=None, repr=False)
    host: str = "127.0.0.1"
    port: int = 8000
    workers: int = 1
    geoip_database: Path | None = None
    trusted_proxies: tuple[Network, ...] = ()
    rate_limit: RateLimit | None = None
    log_format: str = "text"
    log_level: str = "info"

    @property
    def base_url(self) -> str:
        """Where a browser on this machine reaches the service."""
        shown = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(self.host, self.host)  # noqa: S104 - shown, not bound
        return f"http://{f'[{shown}]' if ':' in shown and '[' not in shown else shown}:{self.port}"


def read_settings(environment: Mapping[str, str]) -> Settings:
    """Return the settings that environment variables named FOOTFALL_… give.

    Raises:
        InvalidSettings: one or more of them cannot be used; the values of secret ones are not in the text.

    """
    reading = _Reading(environment)
    settings = Settings(
        database_url=reading.one("DATABASE_URL", _database_url, None),
        data_dir=reading.one("DATA_DIR", _folder, Path(platformdirs.user_data_dir("footfall"))),
        secret=reading.one("SECRET", _secret, None),
        host=reading.one("HOST", str, "127.0.0.1"),
        port=reading.one("PORT", _number(0, 65_535), 8000),
        workers=reading.one("WORKERS", _number(1, 64), min(os.cpu_count() or 1, MOST_WORKERS)),
        geoip_database=reading.one("GEOIP_DATABASE", Path, None),
        trusted_proxies=reading.one("TRUSTED_PROXIES", _networks, ()),
        rate_limit=reading.one("RATE_LIMIT", _rate_limit, RateLimit(500, 600)),
        log_format=reading.one("LOG_FORMAT", _choice(LOG_FORMATS), "text"),
        log_level=reading.one("LOG_LEVEL", _choice(LOG_LEVELS), "info"),
    )
    if reading.faults:
        raise InvalidSettings(reading.faults)
    return settings


class _Reading:
    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment
        self.faults: dict[str, str] = {}

    def one(self, name: str, read: Callable[[str], Any], default: Any) -> Any:
        text = self._environment.get(f"FOOTFALL_{name}", "")
        if not text:
            return default
        try:
            return read(text)
        except ValueError as fault:
            self.faults[f"FOOTFALL_{name}"] = str(fault)
            return default


def _number(least: int, most: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not text.isdecimal() or not least <= int(text) <= most:
            raise ValueError(f"must be a whole number from {least} to {most}")
        return int(text)

    return read


def _choice(choices: tuple[str, ...]) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text.lower() not in choices:
            raise ValueError(f"must be one of {', '.join(choices)}")
        return text.lower()

    return read


def _database_url(text: str) -> str:
    try:
        conninfo_to_dict(text)
    except psycopg.ProgrammingError:
        # What the driver says of it quotes all of it, with the password.
        raise ValueError(
            "must be a PostgreSQL URL such as postgresql://user@host/database, a password in it percent-encoded"
        ) from None
    return text


def _secret(text: str) -> str:
    if len(text) < 16:  # noqa: PLR2004
        raise ValueError("must have at least 16 characters")
    return text


def _folder(text: str) -> Path:
    return Path(text).expanduser().absolute()


def _networks(text: str) -> tuple[Network, ...]:
    networks = []
    for entry in text.split(","):
        try:
            networks.append(ipaddress.ip_network(entry.strip(), strict=False))
        except ValueError:
            raise ValueError(f"must be a list of CIDR networks; {entry.strip()!r} is none") from None
    return tuple(networks)


def _rate_limit(text: str) -> RateLimit | None:
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
