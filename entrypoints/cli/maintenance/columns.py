"""`footfall columns`."""

import asyncio
import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar
from uuid import UUID

import click

from footfall.domain.exceptions import SiteNotFound, existing
from footfall.domain.sites.site import Site
from footfall.entrypoints.cli.output import CommandRefused, emit, json_option, option
from footfall.entrypoints.composition.columns import NodeColumns, open_columns
from footfall.entrypoints.composition.commands.cell_commands import opened_part
from footfall.entrypoints.composition.commands.command_adapters import ExportedFiles
from footfall.entrypoints.composition.commands.command_stores import open_traffic
from footfall.entrypoints.composition.service import Journal
from footfall.entrypoints.composition.stores import with_journal
from footfall.entrypoints.parent_process import end_with_parent
from footfall.entrypoints.server.logs import configure_logs
from footfall.entrypoints.setting_parsers import duckdb_is_there
from footfall.entrypoints.settings import Settings, read_settings

_MEBIBYTE = 1 << 20

Result = TypeVar("Result")
_cell_option = option("--cell", help="The cell; the store of the journal unless given.")


@click.group()
def columns() -> None:
    """Inspect, make and copy the files by column, which are derived from the store (docs/internals/columns.md)."""


@columns.command("status")
@_cell_option
@json_option
def status(cell: str | None, *, as_json: bool) -> None:
    """Show the files of this node, and the nodes that have files."""
    document = _with_columns(_status, cell, needs_duckdb=False)
    lines = [
        f"closed days: {document['closedDays']:,}, in files: {document['days']:,}",
        f"directories: {document['directories']:,}, {document['bytes'] / _MEBIBYTE:,.1f} MiB",
        *(["files cannot be made: " + document["trouble"]] if document["trouble"] else []),
        *(
            f"node {node['node']}{' (this one)' if node['this'] else ''} was last seen {node['seenAt']}"
            for node in document["nodes"]
        ),
    ]
    emit(document, lines, as_json=as_json)


@columns.command("make")
@option("--sites", help="The numbers of the sites to look at, with commas between them; all unless given.")
@option(
    "--with-parent",
    is_flag=True,
    hidden=True,
    help="End when standard input does: the service begins this command so, to end it with itself.",
)
@_cell_option
@json_option
def make(sites: str | None, cell: str | None, *, with_parent: bool, as_json: bool) -> None:
    """Make the files that are missing; the service does so by itself."""
    chosen = None if sites is None else _numbers(sites)

    async def make(opened: NodeColumns) -> int:
        if with_parent:
            end_with_parent()
        return await opened.make(chosen)

    made = _with_columns(make, cell)
    emit({"made": made}, [f"{made} director{'y' if made == 1 else 'ies'} made"], as_json=as_json)


@columns.command("rebuild")
@_cell_option
@json_option
def rebuild(cell: str | None, *, as_json: bool) -> None:
    """Remove all files of this node and make them anew; reports read rows meanwhile."""
    made = _with_columns(lambda opened: opened.rebuild(), cell)
    emit({"made": made}, [f"{made} director{'y' if made == 1 else 'ies'} made"], as_json=as_json)


@columns.command("verify")
@_cell_option
@json_option
def verify(cell: str | None, *, as_json: bool) -> None:
    """Compare all files of this node with their digests; damaged ones are set aside and made anew later."""
    bad = _with_columns(lambda opened: opened.verify(), cell, needs_duckdb=False)
    if bad:
        raise CommandRefused(f"{bad} director{'y was' if bad == 1 else 'ies were'} damaged and set aside")
    emit({"damaged": 0}, ["all files are as they were made"], as_json=as_json)


@columns.command("forget")
@click.argument("node")
@_cell_option
@json_option
def forget(node: str, cell: str | None, *, as_json: bool) -> None:
    """Forget a node that is gone for good with its disk, so that erasures of sites and visitors do not wait for it."""
    is_forgotten = _with_columns(lambda opened: _forgotten(opened, node), cell, needs_duckdb=False)
    if not is_forgotten:
        raise CommandRefused(f"there is no node {node}: footfall columns status lists them")
    emit({"forgotten": node}, [f"node {node} is forgotten"], as_json=as_json)


def _with_columns(
    work: Callable[[NodeColumns], Awaitable[Result]], cell: str | None, *, needs_duckdb: bool = True
) -> Result:
    settings = read_settings(os.environ)
    configure_logs(settings)
    if needs_duckdb and not duckdb_is_there():
        raise CommandRefused("files are made by DuckDB, which footfall[server] installs")
    with opened_part(settings, cell) as (part, url):
        return asyncio.run(_work(part, url, work))


@columns.command("export")
@click.argument("site")
@click.argument("directory", type=click.Path(file_okay=False, resolve_path=True, path_type=Path))
@json_option
def export(site: str, directory: Path, *, as_json: bool) -> None:
    """Copy the files of all days of SITE that are over into a new DIRECTORY, which other engines read as it is."""
    exported_site = with_journal(read_settings(os.environ), lambda journal: _site(journal, site))
    done = _with_columns(
        lambda opened: _exported(opened, exported_site.site_id, directory), exported_site.cell
    )
    document = {"days": done.days, "sessions": done.sessions, "hits": done.hits}
    text = f"exported {done.days} day(s): {done.sessions} session(s) with {done.hits} hit(s)"
    emit(document, [text], as_json=as_json)


async def _work(settings: Settings, url: str, work: Callable[[NodeColumns], Awaitable[Result]]) -> Result:
    async with open_columns(settings, url) as opened:
        opened.layout.prepare()
        return await work(opened)


async def _site(journal: Journal, reference: str) -> Site:
    record = existing(await journal.directory.find_site(reference), SiteNotFound)
    return record.site


async def _exported(opened: NodeColumns, site_id: int, directory: Path) -> ExportedFiles:
    async with open_traffic(opened.url) as traffic:
        await traffic.project()
    return await opened.export(site_id, directory)


def _numbers(sites: str) -> list[int]:
    try:
        return [int(number) for number in sites.split(",")]
    except ValueError:
        raise CommandRefused("--sites must be numbers of sites with commas between them") from None


async def _forgotten(opened: NodeColumns, node: str) -> bool:
    try:
        return await opened.nodes.leave(UUID(node))
    except ValueError:
        return False


async def _status(opened: NodeColumns) -> dict[str, Any]:
    closed = await opened.store.closed_days()
    figures = await opened.figures()
    own = opened.layout.node_id()
    return {
        "closedDays": len(closed),
        "days": figures.days,
        "directories": figures.directories,
        "bytes": figures.bytes,
        "trouble": figures.trouble,
        "nodes": [
            {"node": str(node["node"]), "seenAt": node["seen_at"].isoformat(), "this": node["node"] == own}
            for node in await opened.nodes.nodes()
        ],
    }
