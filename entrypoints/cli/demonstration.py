"""`footfall demo`."""

import asyncio
import os
from typing import Any

import click

from footfall.adapters.system import SystemClock
from footfall.application.commands import Cause
from footfall.application.directory import ListedSite
from footfall.application.transfer import import_hits
from footfall.domain.demonstration import traffic
from footfall.domain.demonstration_scene import GOALS, HOST, VISITS_A_DAY
from footfall.entrypoints.bootstrap import Journal
from footfall.entrypoints.cli.output import emit_fields, json_option, option
from footfall.entrypoints.cli.progress import progress
from footfall.entrypoints.cli.sites import owner_of
from footfall.entrypoints.first_start import begin, sign_in_address
from footfall.entrypoints.settings import Settings, read_settings
from footfall.entrypoints.stores import opened_store
from footfall.entrypoints.traffic import Traffic, open_traffic

_HITS_A_VISIT = 4


@click.command()
@option("--site", help="Number or text id of the site to fill; one of its own unless given.")
@option("--days", type=click.IntRange(1, 3650), default=30, show_default=True, help="How far back it goes.")
@option("--seed", type=int, default=1, show_default=True, help="Another number makes other traffic.")
@json_option
def demo(site: str | None, days: int, seed: int, *, as_json: bool) -> None:
    """Fill a site with believable traffic and some goals; run again, it goes on to the present."""
    settings = read_settings(os.environ)
    with opened_store(settings) as url:
        filled = asyncio.run(_fill(settings, url, site, days, seed))
    emit_fields(filled, as_json=as_json)
    if not as_json and site is None:
        click.echo("The url signs a browser in to look at it, once, within an hour.", err=True)


async def _fill(settings: Settings, url: str, reference: str | None, days: int, seed: int) -> dict[str, Any]:
    async with open_traffic(url) as open_log:
        listed, key = await (_given(open_log, reference) if reference else _stage(open_log.journal))
        goals = await _define_goals(open_log.journal, listed)
        events = await _act(open_log, listed.site.site_id, days, seed)
        # Its organization is one of its own: nobody who is signed in already would see it.
        entrance = {} if reference else {"url": await _entrance(settings, open_log.journal, listed)}
    return {
        "siteId": listed.site.site_id,
        "domain": listed.site.domain,
        "events": events,
        "goals": goals,
        **key,
        **entrance,
    }


async def _given(open_log: Traffic, reference: str) -> tuple[ListedSite, dict[str, str]]:
    return await open_log.site(reference), {}


async def _stage(journal: Journal) -> tuple[ListedSite, dict[str, str]]:
    """Return the site of earlier demonstrations, or a new one with a key to look at it."""
    for listed in journal.directory.sites():
        if listed.site.domain == HOST:
            return listed, {}
    beginning = await begin(journal, organization="Demonstration", site="Demonstration", domain=HOST)
    listed_now = journal.directory.site(str(beginning.site_id))
    assert listed_now is not None  # noqa: S101 - it was registered just now
    return listed_now, {"apiKey": beginning.api_key}


async def _entrance(settings: Settings, journal: Journal, listed: ListedSite) -> str:
    owner = owner_of(journal, listed.site.organization_id)
    token = await journal.commands.issue_sign_in_link(owner, Cause())
    return sign_in_address(settings.base_url, owner, token)


async def _define_goals(journal: Journal, listed: ListedSite) -> int:
    site_id = listed.site.site_id
    present = {listed_goal.goal.name for listed_goal in journal.directory.goals_of(site_id)}
    missing = [(name, rule) for name, rule in GOALS if name not in present]
    for name, rule in missing:
        await journal.commands.define_goal(site_id, name=name, rule=rule, cause=Cause())
    return len(missing)


async def _act(open_log: Traffic, site_id: int, days: int, seed: int) -> int:
    hits = traffic(site_id, until=SystemClock().now(), days=days, seed=seed)
    events = 0
    with progress("filling", days * VISITS_A_DAY * _HITS_A_VISIT) as advance:
        async for stored in import_hits(open_log.site_hits, site_id, f"demo {seed}", hits):
            events += stored
            advance(stored)
    return events
