"""`footfall import SITE LOG --follow`: access logs are stored as they grow (docs/track/imports/access-logs.md)."""

import asyncio
import signal
from collections.abc import Sequence
from contextlib import suppress

import click
from attrs import evolve

from footfall.application.imports.conversion import Conversion
from footfall.application.imports.importing import Importing, Outcome
from footfall.application.ports.journal import StoreUnavailable
from footfall.entrypoints.cli.output import CommandRefused
from footfall.entrypoints.composition.commands.command_adapters import (
    FollowedLogs,
    ImportOrder,
    open_followed,
    system_clock,
)
from footfall.entrypoints.composition.commands.command_stores import build_conversion, open_traffic
from footfall.entrypoints.composition.secret import server_secret
from footfall.entrypoints.composition.traffic import OpenTraffic
from footfall.entrypoints.settings import Settings

# Between two looks.
_LOOK_SECONDS = 1.0


async def follow_logs(
    settings: Settings, url: str, site: str, places: Sequence[str], *, skip_unreadable: bool
) -> Outcome:
    """Store the requests of logs as they are written, until SIGINT or SIGTERM, and return what was stored.

    Raises:
        SiteNotFound: there is no such site, or no more.
        CommandRefused: what it stored was taken back.
        ImportUnderWay: another process imports the logs of this site, or takes them back.
        StoreUnavailable: the store does not answer at the beginning; later it is waited for.
        UnreadableSource: a log cannot be read, or has an unreadable row, and these are not skipped.

    """
    ended = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, ended.set)
    whole = Outcome()
    async with open_traffic(url, settings.cells) as traffic:
        record = await traffic.site(site)
        source = open_followed(ImportOrder(places=places, domain=record.site.domain))
        secret = server_secret(settings)
        conversion = build_conversion(settings, secret=secret, record=record, source=source)
        click.echo(f"following {source.description}", err=True)
        is_away = False
        while not ended.is_set():
            try:
                if source.has_changed():
                    await _check_kept(traffic, record.site.site_id, source, whole.import_id)
                    await _look(traffic, site, source, conversion, whole, skip=skip_unreadable)
                is_away = False
            except StoreUnavailable:
                if not is_away:
                    click.echo("the store does not answer; the logs wait for it", err=True)
                is_away = True
                source.look_again()
            with suppress(TimeoutError):
                await asyncio.wait_for(ended.wait(), _LOOK_SECONDS)
    return whole


async def _check_kept(
    traffic: OpenTraffic, site_id: int, source: FollowedLogs, import_id: int | None
) -> None:
    """Refuse to store anew what was taken back while it was followed."""
    source_import = await traffic.store_of(site_id).imports.find(site_id, source)
    if import_id is not None and (source_import is None or source_import.import_id != import_id):
        raise CommandRefused(f"import {import_id} was taken back")


async def _look(
    traffic: OpenTraffic,
    site: str,
    source: FollowedLogs,
    conversion: Conversion,
    whole: Outcome,
    *,
    skip: bool,
) -> None:
    """Store what is new, by the settings that the site has now, and add it to the whole."""
    await traffic.journal.directory.catch_up()
    record, clock = await traffic.site(site), system_clock()
    importing = Importing(
        imports=traffic.store_of(record.site.site_id).imports,
        conversion=evolve(conversion, record=record, now=clock.now()),
        clock=clock,
        skip_unreadable=skip,
    )
    await importing.run(record.site.site_id, source, lambda _: None, whole)
