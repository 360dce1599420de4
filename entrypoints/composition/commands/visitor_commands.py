"""What the commands about visitors do with the stores."""

import asyncio
from collections.abc import Callable

from footfall.adapters.columns.locks import holding
from footfall.adapters.postgres.visitors.erasures import PostgresVisitorErasures
from footfall.application.journal.directory_records import SiteRecord
from footfall.application.ports.visitor_erasures import ErasureStep, VisitorErasure
from footfall.application.visitors.giving import Giving
from footfall.application.visitors.subjects import Subjects
from footfall.domain.exceptions import DomainError, existing
from footfall.domain.periods.instant_text import instant_text
from footfall.entrypoints.composition.columns import open_columns
from footfall.entrypoints.composition.commands.salts import salts_of
from footfall.entrypoints.composition.commands.visitor_erasing import VisitorErasing
from footfall.entrypoints.composition.secret import server_secret
from footfall.entrypoints.composition.traffic import OpenTraffic
from footfall.entrypoints.composition.traffic_store import settings_of_cell
from footfall.entrypoints.settings import Settings

WAIT_SECONDS = 1.0


class SiteDeletedMeanwhile(DomainError):
    """An erasure went with its site."""

    message = "the site was deleted, and its events go with it"


def giving_of(traffic: OpenTraffic, record: SiteRecord, settings: Settings) -> Giving:
    """Return what finds the visitors of a site, and gives their data.

    Raises:
        CellAway: its cell is at a place that is not configured here.
        SecretUnreadable: a key of the server cannot be read.

    """
    data = traffic.store_of(record.site.site_id).visitor_data
    salts = salts_of(settings, traffic.stores[None].connections)
    return Giving(subjects=Subjects(data=data, salts=salts, secret=server_secret(settings)), data=data)


async def erased(
    traffic: OpenTraffic, settings: Settings, erasure: VisitorErasure, tell: Callable[[str], None]
) -> VisitorErasure:
    """Take an erasure to its end, beside a running service or without one; `tell` gets what is waited for.

    Raises:
        SecretUnreadable: the secret cannot be read.
        SiteDeleted: the site was deleted meanwhile.
        StoreUnavailable: the store does not answer, or the list of erasures cannot be written; the erasure goes on with
            the next call.

    """
    store, cell = traffic.store_of(erasure.site_id), traffic.journal.directory.cell_of(erasure.site_id)
    part = settings if cell is None else settings_of_cell(settings, cell, store.url)
    history = traffic.journal.commands.visitor_erasures
    main = traffic.stores[None].url
    eraser = VisitorErasing(
        url=main,
        outbox=traffic.outbox,
        history=history,
        secret=server_secret(settings),
        data_dir=settings.data_dir,
    ).of(store.url, store.connections)
    while True:
        await traffic.project()
        await eraser.work()
        erasure = await present(store.visitor_erasures, erasure)
        if erasure.step is ErasureStep.FINISHED:
            return erasure
        if erasure.step is ErasureStep.SWEEPING and await _swept(part, store.url):
            continue
        for node in await store.visitor_erasures.awaited_nodes(erasure):
            tell(
                f"waiting for the files of node {node.node}, seen at {instant_text(node.seen_at)}: "
                "if it is gone for good with its disk, `footfall columns forget` removes it"
            )
        tell(f"waiting: the erasure is {erasure.step.value}")
        await asyncio.sleep(WAIT_SECONDS)


async def present(erasures: PostgresVisitorErasures, erasure: VisitorErasure) -> VisitorErasure:
    """Return an erasure as it is now.

    Raises:
        SiteDeleted: it went with its site.
        StoreUnavailable: the store does not answer.

    """
    present = [noted for noted in await erasures.of_site(erasure.site_id) if noted.erasure == erasure.erasure]
    return existing(next(iter(present), None), SiteDeletedMeanwhile)


async def _swept(settings: Settings, url: str) -> bool:
    """Remove the files of this node with what was erased; False when it keeps none, or has nothing to remove."""
    async with open_columns(settings, url) as columns:
        node = columns.own_node()
        if node is None or not await columns.nodes.due_removals(node):
            return False
        async with holding(columns.layout.making_lock):
            await columns.sweeper.sweep()
        return True
