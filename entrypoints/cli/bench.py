"""`footfall bench`."""

import os
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any

import click

from footfall.application.commands.context import CommandContext
from footfall.entrypoints.bench.load_generator import LoadFigures, put_under_load
from footfall.entrypoints.bench.requests import pageviews
from footfall.entrypoints.cli.administration.sites import owner_of
from footfall.entrypoints.cli.output import CommandRefused, emit, json_option, option
from footfall.entrypoints.composition.stores import with_traffic
from footfall.entrypoints.composition.traffic import OpenTraffic
from footfall.entrypoints.settings import read_settings

_DOMAIN = "bench.localhost"
_REQUESTS = 20_000
_MILLISECONDS = 1e3


@click.command()
@option("--host", default="127.0.0.1", show_default=True, help="Where the service listens.")
@option("--port", type=click.IntRange(1, 65_535), default=8000, show_default=True, help="On which port.")
@option("--seconds", type=click.FloatRange(0.1), default=10.0, show_default=True, help="How long to send.")
@option("--connections", type=click.IntRange(1), default=64, show_default=True, help="How many at a time.")
@option("--rate", type=click.FloatRange(1.0), help="Events a second; as many as it takes unless given.")
@json_option
def bench(
    host: str, port: int, seconds: float, connections: int, rate: float | None, *, as_json: bool
) -> None:
    """Load a running service, and verify that its store holds each acknowledged event once.

    The events go to a site of their own, which is deleted afterwards.
    """
    settings = read_settings(os.environ)
    load = partial(put_under_load, host, port, connections=connections, seconds=seconds, rate=rate)
    result = with_traffic(settings, lambda traffic: _bench(traffic, load, f"{host}:{port}"))
    emit(result, [f"{name}: {value}" for name, value in result.items()], as_json=as_json)
    if not result["verified"]:
        raise CommandRefused(
            f"{result['acknowledged']} events were acknowledged, {result['stored']} are stored"
        )


async def _bench(
    traffic: OpenTraffic, load: Callable[[Sequence[bytes]], Awaitable[LoadFigures]], place: str
) -> dict[str, Any]:
    site_id = await _site(traffic)
    try:
        measured = await load(pageviews(site_id, hostname=_DOMAIN, count=_REQUESTS))
        stored = await traffic.site_hits.count(site_id)
    except OSError as fault:
        raise CommandRefused(f"no service answers at {place} ({fault.strerror})") from None
    finally:
        await traffic.journal.commands.sites.delete(site_id, CommandContext())
    return _document(measured, stored)


async def _site(traffic: OpenTraffic) -> int:
    # Sites can be deleted, organizations cannot: one of its own would stay.
    listed = next(iter(traffic.journal.directory.organizations()), None)
    if listed is None:
        raise CommandRefused(
            "there is no organization yet: footfall serve makes one when it starts, so does footfall init"
        )
    organization = listed.organization.organization_id
    site_id = await traffic.journal.commands.sites.register(
        organization,
        name="Benchmark",
        domain=_DOMAIN,
        created_by=owner_of(traffic.journal, organization),
        context=CommandContext(),
    )
    return (await traffic.site(str(site_id))).site.site_id


def _document(measured: LoadFigures, stored: int) -> dict[str, Any]:
    acknowledged = measured.statuses[200]
    return {
        "acknowledged": acknowledged,
        "stored": stored,
        # Events in flight when a connection broke may be stored without an acknowledgement.
        "verified": acknowledged <= stored <= acknowledged + measured.broken,
        "perSecond": round(measured.rate, 1),
        "p50Milliseconds": round(measured.percentile(50) * _MILLISECONDS, 2),
        "p99Milliseconds": round(measured.percentile(99) * _MILLISECONDS, 2),
        "otherAnswers": {str(status): count for status, count in measured.statuses.items() if status != 200},  # noqa: PLR2004
        "brokenConnections": measured.broken,
    }
