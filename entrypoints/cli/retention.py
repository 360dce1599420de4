"""`footfall retention`."""

import asyncio
import os
from typing import Any

import click

from footfall.adapters.http.answers import timestamp
from footfall.adapters.system import SystemClock
from footfall.application.commands import Cause
from footfall.application.retention import Past
from footfall.domain.retention import MAX_DAYS, kept_since
from footfall.domain.site import Site
from footfall.entrypoints.cli.output import Refused, emit_table, json_option, option
from footfall.entrypoints.settings import read_settings
from footfall.entrypoints.stores import opened_store
from footfall.entrypoints.traffic import Traffic, open_traffic


@click.command()
@option("--site", help="Number or text id of one site; all sites unless given.")
@option("--days", type=click.IntRange(1, MAX_DAYS), help="Keep the events of the site for so many days.")
@click.option("--forever", is_flag=True, help="Keep the events of the site for good.")
@click.option("--apply", "applied", is_flag=True, help="Do it; without, it is only said what would go.")
@json_option
def retention(site: str | None, days: int | None, *, forever: bool, applied: bool, as_json: bool) -> None:
    """Say or set for how long tracked events are kept, and what is too old; with --apply it is erased at once.

    A running service erases what has become too old every hour.
    """
    if (days is not None or forever) and site is None:
        raise click.UsageError("--days and --forever are about one site: give --site, too")
    if days is not None and forever:
        raise click.UsageError("give either --days or --forever")
    with opened_store(read_settings(os.environ)) as url:
        rows = asyncio.run(_retain(url, site, days, forever=forever, applied=applied))
    emit_table(rows, as_json=as_json)


async def _retain(
    url: str, reference: str | None, days: int | None, *, forever: bool, applied: bool
) -> list[dict[str, Any]]:
    async with open_traffic(url) as traffic:
        sites = await _sites(traffic, reference)
        if applied and (days is not None or forever):
            [site] = sites
            sites = [await traffic.journal.commands.retain(site.site_id, days, Cause())]
            await traffic.journal.directory.catch_up()
        wanted = {site.site_id: None if forever else days or site.retention_days for site in sites}
        rows = [await _row(traffic, site, wanted[site.site_id]) for site in sites]
        if applied:
            await _erase(traffic)
    return rows


async def _erase(traffic: Traffic) -> None:
    # Which session a hit belongs to is known when it has been projected: what has not been is left alone.
    await traffic.project()
    if await traffic.retention.apply() is None:
        raise Refused("somebody else is erasing what is too old; that goes on by itself")


async def _sites(traffic: Traffic, reference: str | None) -> list[Site]:
    if reference is not None:
        return [(await traffic.site(reference)).site]
    return [listed.site for listed in traffic.journal.directory.sites()]


async def _row(traffic: Traffic, site: Site, days: int | None) -> dict[str, Any]:
    since = await traffic.reports.data_since(site.site_id)
    before = None if days is None else kept_since(SystemClock().now(), days)
    too_old = 0 if before is None else await traffic.retained.hits_before(Past(site.site_id, before))
    return {
        "siteId": site.site_id,
        "name": site.name,
        "days": days,
        "dataSince": None if since is None else timestamp(since),
        "keptSince": None if before is None else timestamp(before),
        "eventsToErase": too_old,
    }
