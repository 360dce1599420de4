"""`footfall geoip`."""

import os
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any, TypeVar

import click

from footfall.domain.periods.instant_text import instant_text
from footfall.entrypoints.cli.output import CommandRefused, emit_fields, json_option, option
from footfall.entrypoints.cli.progress import progress
from footfall.entrypoints.composition.commands.command_adapters import (
    LIST,
    LISTS,
    DownloadFailed,
    DownloadSource,
    LocationDatabase,
    NetworkDatabase,
    fetch_bot_lists,
    received,
    system_clock,
)
from footfall.entrypoints.settings import read_settings

# About the sizes of DB-IP's free databases, for the share that progress shows.
_USUAL_BYTES = 64 << 20
_USUAL_BYTES_OF_NETWORKS = 5 << 20


Fetched = TypeVar("Fetched", LocationDatabase, NetworkDatabase)


@click.group()
def geoip() -> None:
    """Manage the databases that map addresses to countries and cities, to networks, and to bots."""


@geoip.command("fetch")
@option(
    "--url",
    help="Where to download from; {month} in it is the month, as 2026-01. DB-IP's free city database unless given.",
)
@option(
    "--checksum",
    help="The digest of the location database in hexadecimal digits, or the address of a file that begins with it.",
)
@option(
    "--networks-url",
    help="Where to download the database of networks from; with --url it is downloaded only if this is given.",
)
@option(
    "--bots-url",
    help="Where to download the addresses of bots from instead of from their operators; {list} in it is the name of"
    " each list. With --url they are downloaded only if this is given.",
)
@option("--bots-only", is_flag=True, help="Download the addresses of bots alone.")
@option("--account-id", help="MaxMind account id: downloads GeoLite2 City and ASN instead.")
@option("--license-key", help="MaxMind licence key; better given as a variable.")
@json_option
def fetch(
    url: str | None,
    checksum: str | None,
    networks_url: str | None,
    bots_url: str | None,
    account_id: str | None,
    license_key: str | None,
    *,
    bots_only: bool,
    as_json: bool,
) -> None:
    """Download and verify a location database, one of networks, and the addresses of bots, and replace the former ones.

    A running service uses them within seconds, without a restart.
    """
    if bots_url is not None and LIST not in bots_url:
        raise click.UsageError(f"--bots-url needs the place {LIST} for the name of each list")
    if bots_only:
        try:
            emit_fields(_bots(bots_url), as_json=as_json)
        except DownloadFailed as failure:
            raise CommandRefused(f"addresses of bots: {failure}") from None
        return
    if (account_id is None) != (license_key is None):
        raise click.UsageError("give both --account-id and --license-key, or none of them")
    source = DownloadSource.chosen(url=url, checksum=checksum, account_id=account_id, license_key=license_key)
    fetched = _databases(source, networks_url)
    if url is None or bots_url is not None:
        try:
            fetched |= _bots(bots_url)
        except DownloadFailed as failure:
            click.echo(f"addresses of bots: {failure}", err=True)
    emit_fields(fetched, as_json=as_json)


def _databases(source: DownloadSource, networks_url: str | None) -> dict[str, Any]:
    """Download the databases of locations and of networks, which replace the former ones when both are there.

    Raises:
        CommandRefused: one of them could not be had.

    """
    settings = read_settings(os.environ)
    targets = [settings.geoip_file]
    try:
        of_networks = source.of_networks(networks_url)
        if of_networks is not None:
            targets.append(settings.networks_file)
        with ExitStack() as stack:
            places = _received(stack, source, settings.geoip_file, LocationDatabase, _USUAL_BYTES)
            networks = None
            if of_networks is not None:
                file, usual_bytes = settings.networks_file, _USUAL_BYTES_OF_NETWORKS
                networks = _received(stack, of_networks, file, NetworkDatabase, usual_bytes)
            fetched = _document(places(), settings.geoip_file)
            targets.remove(settings.geoip_file)
            if networks is not None:
                fetched |= _of_networks(_document(networks(), settings.networks_file))
    except DownloadFailed as failure:
        raise CommandRefused(f"{failure}{_unchanged(targets)}") from None
    return fetched


def _bots(url: str | None) -> dict[str, Any]:
    """Download the addresses of bots, and say which lists could not be had: those stay as they were.

    Raises:
        DownloadFailed: none could be had.

    """
    path = read_settings(os.environ).bots_file
    with progress("downloading lists of bots", len(LISTS)) as advance:
        fetched = fetch_bot_lists(path, system_clock().now(), url=url, advance=advance)
    for name, reason in fetched.failures.items():
        click.echo(f"addresses of bots, list {name}: {reason}", err=True)
    return {
        "botsPath": str(path),
        "botsLists": len(fetched.file.lists),
        "botsNetworks": fetched.file.networks,
        "botsFailed": len(fetched.failures),
    }


def _received(
    stack: ExitStack,
    source: DownloadSource,
    target: Path,
    open_: Callable[[Path], Fetched],
    usual_bytes: int,
) -> Callable[[], Fetched]:
    """Return what replaces the former database, as long as the stack is open."""
    with progress("downloading", usual_bytes) as advance:
        today = system_clock().now().date()
        return stack.enter_context(received(source, target, open_, today=today, advance=advance))


def _unchanged(targets: list[Path]) -> str:
    former = [str(target) for target in targets if target.exists()]
    if not former:
        return ""
    return f"; {' and '.join(former)} {'are as they were' if len(former) > 1 else 'is as it was'}"


def _of_networks(described: dict[str, Any]) -> dict[str, Any]:
    return {f"networks{name[0].upper()}{name[1:]}": value for name, value in described.items()}


def _document(database: LocationDatabase | NetworkDatabase, path: Path) -> dict[str, Any]:
    source = database.source()
    return {
        "path": str(path),
        "database": source.name,
        "builtAt": instant_text(database.built),
        "bytes": path.stat().st_size,
        "credit": source.credit,
        "creditUrl": source.credit_url,
    }
