"""What `footfall doctor` looks at."""

import asyncio
import shutil
import stat
from collections.abc import Callable, Iterator, Mapping

from attrs import frozen

from footfall.adapters.embedded import EmbeddedPostgresError
from footfall.adapters.geoip import GeolocationDatabaseUnreadable, MaxMindGeolocation
from footfall.adapters.postgres.examination import Unreachable, examine
from footfall.adapters.postgres.migration import missing_migrations
from footfall.application.ports import StoreUnavailable
from footfall.entrypoints.bootstrap import read_projection_status
from footfall.entrypoints.exposure import dangers
from footfall.entrypoints.secret import FILE, SecretUnreadable, server_secret
from footfall.entrypoints.settings import InvalidSettings, Settings, read_settings
from footfall.entrypoints.stores import StoreRefused, embedded_store

LITTLE_SPACE = 1 << 30
MOST_SECONDS_APART = 2.0
MOST_SECONDS_BEHIND = 60.0

_OTHERS = stat.S_IRWXG | stat.S_IRWXO


class Unhealthy(Exception):
    """Something that was looked at is not as it should be; the text says what to do."""


@frozen
class Finding:
    """One thing that was looked at, and what was found."""

    subject: str
    healthy: bool
    detail: str


_Look = Callable[[], str]
_FAULTS = (
    Unhealthy,
    Unreachable,
    SecretUnreadable,
    StoreUnavailable,
    StoreRefused,
    EmbeddedPostgresError,
    GeolocationDatabaseUnreadable,
    OSError,
)


def diagnose(environment: Mapping[str, str]) -> list[Finding]:
    """Return what was found; with a configuration that cannot be read, only that."""
    try:
        settings = read_settings(environment)
    except InvalidSettings as fault:
        return [Finding(name, healthy=False, detail=detail) for name, detail in fault.faults.items()]
    looks: dict[str, _Look] = {
        "configuration": lambda: _described(settings),
        "exposure": lambda: _exposure(settings),
        "secret": lambda: _secret(settings),
        "geolocation": lambda: _geolocation(settings),
        "disk": lambda: _disk(settings),
    }
    return [*_findings(looks), *_store(settings)]


def _findings(looks: Mapping[str, _Look]) -> Iterator[Finding]:
    for subject, look in looks.items():
        try:
            yield Finding(subject, healthy=True, detail=look())
        except _FAULTS as fault:
            yield Finding(subject, healthy=False, detail=str(fault))


def _store(settings: Settings) -> list[Finding]:
    if settings.database_url is not None:
        return _looked_over(settings.database_url)
    try:
        with embedded_store(settings) as url:
            return _looked_over(url)
    except StoreRefused as fault:
        return [Finding("store", healthy=False, detail=str(fault))]


def _looked_over(url: str) -> list[Finding]:
    try:
        found = examine(url)
    except Unreachable as fault:
        return [Finding("store", healthy=False, detail=str(fault))]
    version = f"PostgreSQL {found.version}"
    unencrypted = () if found.encrypted else ("the connection is not encrypted (sslmode=require)",)
    looks: dict[str, _Look] = {
        "store": lambda: _when(
            found.recent_enough, f"{version} answers", f"{version} is too old: 15 or later"
        ),
        "rights": lambda: _none(found.missing_rights, "all that is needed", "missing: "),
        "durability": lambda: _none(
            found.unsafe_settings, "what is acknowledged is on the disk", "not durable: "
        ),
        "encryption": lambda: _none(unencrypted, "encrypted, or on this machine", ""),
        "clock": lambda: _clock(found.clock_ahead.total_seconds()),
        "schema": lambda: _schema(url),
    }
    findings = list(_findings(looks))
    if findings[-1].healthy:
        findings += _findings({"projections": lambda: _projections(url)})
    return findings


def _when(healthy: bool, detail: str, fault: str) -> str:  # noqa: FBT001 - the question itself
    if not healthy:
        raise Unhealthy(fault)
    return detail


def _none(faults: tuple[str, ...], detail: str, prefix: str) -> str:
    return _when(not faults, detail, prefix + ", ".join(faults))


def _described(settings: Settings) -> str:
    store = (
        "embedded PostgreSQL" if settings.database_url is None else "PostgreSQL at a configured URL (masked)"
    )
    return (
        f"{store}, {settings.host}:{settings.port}, {settings.workers} worker(s), data in {settings.data_dir}"
    )


def _exposure(settings: Settings) -> str:
    return _none(dangers(settings), "nothing that invites strangers", "")


def _secret(settings: Settings) -> str:
    server_secret(settings)
    if settings.secret is not None:
        return "from the environment"
    path = settings.data_dir / FILE
    healthy = not path.stat().st_mode & _OTHERS
    return _when(healthy, f"in {path}, readable by its owner", f"{path} is open to others: chmod 600 {path}")


def _geolocation(settings: Settings) -> str:
    if settings.geoip_database is None:
        return "no database configured (FOOTFALL_GEOIP_DATABASE): countries stay unknown"
    return MaxMindGeolocation(settings.geoip_database).describe()


def _disk(settings: Settings) -> str:
    free = shutil.disk_usage(settings.data_dir).free
    fault = f"only {free >> 20} MiB are free in {settings.data_dir}"
    return _when(free >= LITTLE_SPACE, f"{free >> 30} GiB free in {settings.data_dir}", fault)


def _clock(ahead: float) -> str:
    fault = (
        f"this machine's clock is {abs(ahead):,.0f} seconds {'ahead of' if ahead > 0 else 'behind'} the database's:"
        " set both by NTP"
    )
    return _when(abs(ahead) <= MOST_SECONDS_APART, "as the database's", fault)


def _schema(url: str) -> str:
    missing = missing_migrations(url)
    return _when(not missing, "current", f"{len(missing)} migration(s) are missing: run footfall migrate")


def _projections(url: str) -> str:
    found = asyncio.run(read_projection_status(url))
    waiting = f"{found.lag_events} event(s) wait for {found.lag_seconds:,.0f} seconds"
    fault = f"{waiting}: does the service run?"
    return _when(found.lag_seconds <= MOST_SECONDS_BEHIND, waiting, fault)
