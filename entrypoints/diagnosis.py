"""What `footfall doctor` looks at."""

import shutil
from collections.abc import Callable, Iterator, Mapping

from attrs import frozen

from footfall.adapters.geoip import GeolocationDatabaseUnreadable, MaxMindGeolocation
from footfall.adapters.postgres.migration import missing_migrations
from footfall.application.ports import StoreUnavailable
from footfall.entrypoints.secret import SecretUnreadable, server_secret
from footfall.entrypoints.settings import InvalidSettings, Settings, read_settings
from footfall.entrypoints.stores import StoreRefused, opened_store

_LITTLE_SPACE = 1 << 30


@frozen
class Finding:
    """One thing that was looked at, and what was found."""

    subject: str
    healthy: bool
    detail: str


def diagnose(environment: Mapping[str, str]) -> list[Finding]:
    """Return what was found; with a configuration that cannot be read, only that."""
    try:
        settings = read_settings(environment)
    except InvalidSettings as fault:
        return [Finding(name, False, detail) for name, detail in fault.faults.items()]  # noqa: FBT003
    return [Finding("configuration", True, _described(settings)), *_findings(settings)]  # noqa: FBT003


def _findings(settings: Settings) -> Iterator[Finding]:
    looks: list[tuple[str, Callable[[Settings], str]]] = [
        ("secret", _secret),
        ("store", _store),
        ("geolocation", _geolocation),
        ("disk", _disk),
    ]
    for subject, look in looks:
        try:
            yield Finding(subject, True, look(settings))  # noqa: FBT003
        except (
            SecretUnreadable,
            StoreUnavailable,
            StoreRefused,
            GeolocationDatabaseUnreadable,
            _DiskNearlyFull,
        ) as fault:
            yield Finding(subject, False, str(fault))  # noqa: FBT003


class _DiskNearlyFull(Exception):
    pass


def _described(settings: Settings) -> str:
    store = (
        "embedded PostgreSQL" if settings.database_url is None else "PostgreSQL at a configured URL (masked)"
    )
    return (
        f"{store}, {settings.host}:{settings.port}, {settings.workers} worker(s), data in {settings.data_dir}"
    )


def _secret(settings: Settings) -> str:
    server_secret(settings)
    return (
        "from the environment"
        if settings.secret is not None
        else f"in {settings.data_dir}, readable by its owner"
    )


def _store(settings: Settings) -> str:
    with opened_store(settings) as url:
        missing = missing_migrations(url)
    return f"answers, {len(missing)} migration(s) missing"


def _geolocation(settings: Settings) -> str:
    if settings.geoip_database is None:
        return "no database configured (FOOTFALL_GEOIP_DATABASE): countries stay unknown"
    return MaxMindGeolocation(settings.geoip_database).describe()


def _disk(settings: Settings) -> str:
    free = shutil.disk_usage(settings.data_dir).free
    if free < _LITTLE_SPACE:
        raise _DiskNearlyFull(f"only {free >> 20} MiB are free in {settings.data_dir}")
    return f"{free >> 30} GiB free in {settings.data_dir}"
