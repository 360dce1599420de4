"""`footfall retention`."""

import os
from typing import Any

import click

from footfall.application.commands.context import CommandContext
from footfall.application.ports.maintenance import RetentionCutoff
from footfall.domain.periods.instant_text import instant_text
from footfall.domain.sites.retention import MAX_DAYS, kept_since
from footfall.domain.sites.site import Site
from footfall.entrypoints.cli.output import CommandRefused, emit_table, json_option, option
from footfall.entrypoints.composition.commands.command_adapters import system_clock
from footfall.entrypoints.composition.stores import with_traffic
from footfall.entrypoints.composition.traffic import OpenTraffic
from footfall.entrypoints.settings import read_settings


@click.command()
@option("--site", help="Number or text id of one site; all sites unless given.")
@option("--days", type=click.IntRange(1, MAX_DAYS), help="Keep the events of the site for so many days.")
@option("--forever", is_flag=True, help="Keep the events of the site for good.")
@option("--apply", "applied", is_flag=True, help="Change and erase; without it, only count.")
@json_option
def retention(site: str | None, days: int | None, *, forever: bool, applied: bool, as_json: bool) -> None:
    """Show or set for how long events are kept, and count the expired ones; with --apply erase them at once.

    A running service erases expired events every hour.
    """
    if (days is not None or forever) and site is None:
        raise click.UsageError("--days and --forever are about one site: give --site, too")
    if days is not None and forever:
        raise click.UsageError("give either --days or --forever")
    settings = read_settings(os.environ)
    rows = with_traffic(
        settings, lambda traffic: _retain(traffic, site, days, forever=forever, applied=applied)
    )
    emit_table(rows, as_json=as_json)


async def _retain(
    traffic: OpenTraffic,
    reference: str | None,
    days: int | None,
    *,
    forever: bool,
    applied: bool,
) -> list[dict[str, Any]]:
    sites = await _sites(traffic, reference)
    if applied and (days is not None or forever):
        [site] = sites
        sites = [await traffic.journal.commands.sites.retain(site.site_id, days, CommandContext())]
        await traffic.journal.directory.catch_up()
    days_kept = {site.site_id: None if forever else days or site.retention_days for site in sites}
    rows = [await _row(traffic, site, days_kept[site.site_id]) for site in sites]
    if applied:
        await _erase(traffic)
    return rows


async def _erase(traffic: OpenTraffic) -> None:
    # The session of a hit is known after its projection; hits that are not projected yet are kept.
    await traffic.project()
    if await traffic.apply_retention() is None:
        raise CommandRefused("another process is erasing expired events and continues")


async def _sites(traffic: OpenTraffic, reference: str | None) -> list[Site]:
    if reference is not None:
        return [(await traffic.site(reference)).site]
    return [listed.site for listed in traffic.journal.directory.sites()]


async def _row(traffic: OpenTraffic, site: Site, days: int | None) -> dict[str, Any]:
    since = await traffic.reports.data_since(site.site_id)
    before = None if days is None else kept_since(system_clock().now(), days)
    too_old = (
        0
        if before is None
        else await traffic.store_of(site.site_id).retention_store.hits_before(
            RetentionCutoff(site.site_id, before)
        )
    )
    return {
        "siteId": site.site_id,
        "name": site.name,
        "days": days,
        "dataSince": None if since is None else instant_text(since),
        "keptSince": None if before is None else instant_text(before),
        "eventsToErase": too_old,
    }
