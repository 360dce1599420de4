"""`footfall demo`."""

import os
from collections.abc import Iterator
from typing import Any

import click
from attrs import frozen

from footfall.application.commands.context import CommandContext
from footfall.application.journal.directory_records import SiteRecord
from footfall.application.maintenance.transfer import import_hits
from footfall.domain.tracking.hit import RecordedHit
from footfall.entrypoints.cli.administration.sites import owner_of
from footfall.entrypoints.cli.output import emit_fields, json_option, option
from footfall.entrypoints.cli.progress import progress
from footfall.entrypoints.composition.commands.command_adapters import system_clock
from footfall.entrypoints.composition.first_start import sign_in_address
from footfall.entrypoints.composition.service import Journal
from footfall.entrypoints.composition.stores import with_traffic
from footfall.entrypoints.composition.traffic import OpenTraffic
from footfall.entrypoints.demo.decisions import Decider
from footfall.entrypoints.demo.demonstration import traffic
from footfall.entrypoints.demo.shop import HOST, VISITS_A_DAY
from footfall.entrypoints.settings import Settings, read_settings

SITE = "Demonstration"
_HITS_A_VISIT = 4


@frozen
class Stage:
    """The target of the demonstration: a site, or a site of its own in an organization."""

    site: str | None
    organization: str | None


@click.command()
@option("--site", help="Number or text id of the site to fill; one of its own unless given.")
@option("--organization", help="Id of the organization of that site; the first one unless given.")
@option("--days", type=click.IntRange(1, 3650), default=60, show_default=True, help="How far back it goes.")
@option("--seed", type=int, default=1, show_default=True, help="Another number makes other traffic.")
@json_option
def demo(site: str | None, organization: str | None, days: int, seed: int, *, as_json: bool) -> None:
    """Fill a site with realistic traffic, goals, a funnel and more; another run continues to the present.

    The site is created in the first organization; without any organization, one is created too.
    """
    if site is not None and organization is not None:
        raise click.UsageError("give either --site or --organization")
    settings = read_settings(os.environ)
    stage = Stage(site, organization)
    filled = with_traffic(settings, lambda open_log: _fill(settings, open_log, stage, days, seed))
    emit_fields(filled, as_json=as_json)
    if not as_json and site is None:
        click.echo("The url signs a browser in to look at it, once, within an hour.", err=True)


async def _fill(
    settings: Settings, open_log: OpenTraffic, stage: Stage, days: int, seed: int
) -> dict[str, Any]:
    record, key = await _staged(open_log, stage)
    until = system_clock().now()
    decider = Decider(open_log.journal.commands, open_log.journal.directory, record)
    goals = await decider.decide(until=until, days=days)
    hits = traffic(record.site.site_id, until=until, days=days, seed=seed)
    events = await _act(open_log, record.site.site_id, hits, f"demo {seed}", days)
    entrance = {} if stage.site else {"url": await _entrance(settings, open_log.journal, record)}
    return {
        "siteId": record.site.site_id,
        "domain": record.site.domain,
        "events": events,
        "goals": goals,
        **key,
        **entrance,
    }


async def _staged(open_log: OpenTraffic, stage: Stage) -> tuple[SiteRecord, dict[str, str]]:
    """Return the given site, that of an earlier demonstration, or a new one; with a key, where one was made."""
    if stage.site is not None:
        return await open_log.site(stage.site), {}
    journal, organization = open_log.journal, stage.organization
    if earlier := _earlier(journal, organization):
        return earlier, {}
    organization = organization or _first_organization(journal)
    if organization is None:
        beginning = await journal.commands.beginning.begin(
            organization_name="Demonstration", site_name=SITE, domain=HOST, context=CommandContext()
        )
        return await open_log.site(str(beginning.site_id)), {"apiKey": beginning.api_key}
    owner = owner_of(journal, organization)
    site_id = await journal.commands.sites.register(
        organization, name=SITE, domain=HOST, created_by=owner, context=CommandContext()
    )
    return await open_log.site(str(site_id)), {}


def _earlier(journal: Journal, organization: str | None) -> SiteRecord | None:
    directory = journal.directory
    sites = directory.sites() if organization is None else directory.sites_of(organization)
    return next((record for record in sites if record.site.domain == HOST), None)


def _first_organization(journal: Journal) -> str | None:
    record = next(iter(journal.directory.organizations()), None)
    return None if record is None else record.organization.organization_id


async def _entrance(settings: Settings, journal: Journal, record: SiteRecord) -> str:
    owner = owner_of(journal, record.site.organization_id)
    token = await journal.commands.sign_in.issue_link(owner, CommandContext())
    return sign_in_address(settings.public_origin, owner, token)


async def _act(
    open_log: OpenTraffic, site_id: int, hits: Iterator[RecordedHit], source: str, days: int
) -> int:
    events = 0
    with progress("filling", days * VISITS_A_DAY * _HITS_A_VISIT) as advance:
        async for stored in import_hits(open_log.site_hits, site_id, source, hits):
            events += stored
            advance(stored)
    return events
