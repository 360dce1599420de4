"""`footfall geoip`."""

import os
from typing import Any

import click

from footfall.entrypoints.cli.output import CommandRefused, emit_fields, json_option, option
from footfall.entrypoints.cli.progress import progress
from footfall.entrypoints.composition.commands.command_adapters import (
    DownloadFailed,
    DownloadSource,
    LocationDatabase,
    download,
    system_clock,
    timestamp,
)
from footfall.entrypoints.settings import Settings, read_settings

# About the size of DB-IP's free database, for the share that progress shows.
_USUAL_BYTES = 64 << 20


@click.group()
def geoip() -> None:
    """Manage the location database, which maps addresses to countries and cities."""


@geoip.command("fetch")
@option(
    "--url",
    help="Where to download from; {month} in it is the month, as 2026-01. DB-IP's free city database unless given.",
)
@option(
    "--checksum",
    help="The digest of the download in hexadecimal digits, or the address of a file that begins with it.",
)
@option("--account-id", help="MaxMind account id: downloads GeoLite2 City instead.")
@option("--license-key", help="MaxMind licence key; better given as a variable.")
@json_option
def fetch(
    url: str | None, checksum: str | None, account_id: str | None, license_key: str | None, *, as_json: bool
) -> None:
    """Download and verify a location database, and replace the former one.

    A running service uses it within seconds, without a restart.
    """
    if (account_id is None) != (license_key is None):
        raise click.UsageError("give both --account-id and --license-key, or none of them")
    source = DownloadSource.chosen(url=url, checksum=checksum, account_id=account_id, license_key=license_key)
    settings = read_settings(os.environ)
    emit_fields(_document(settings, _fetched(settings, source)), as_json=as_json)


def _fetched(settings: Settings, source: DownloadSource) -> LocationDatabase:
    target = settings.geoip_file
    try:
        with progress("downloading", _USUAL_BYTES) as advance:
            return download(source, target, today=system_clock().now().date(), advance=advance)
    except DownloadFailed as failure:
        unchanged = f"; {target} is as it was" if target.exists() else ""
        raise CommandRefused(f"{failure}{unchanged}") from None


def _document(settings: Settings, database: LocationDatabase) -> dict[str, Any]:
    source = database.source()
    return {
        "path": str(settings.geoip_file),
        "database": source.name,
        "builtAt": timestamp(database.built),
        "bytes": settings.geoip_file.stat().st_size,
        "credit": source.credit,
        "creditUrl": source.credit_url,
    }
