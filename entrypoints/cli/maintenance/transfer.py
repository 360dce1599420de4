"""`footfall export`, and the import of what it wrote."""

import asyncio
import os
from contextlib import AbstractAsyncContextManager

import click

from footfall.entrypoints.cli.output import emit_done, json_option, option
from footfall.entrypoints.cli.progress import progress
from footfall.entrypoints.composition.commands.command_adapters import (
    STREAM,
    Exported,
    archive_to_read,
    archive_to_write,
    read_archive,
    write_archive,
)
from footfall.entrypoints.composition.commands.command_stores import open_traffic
from footfall.entrypoints.composition.stores import opened_store
from footfall.entrypoints.composition.traffic import OpenTraffic
from footfall.entrypoints.settings import read_settings


@click.command("export")
@click.argument("site")
@click.argument("file", type=click.Path(allow_dash=True, dir_okay=False))
@option("--after", type=click.IntRange(min=0), default=0, help="Only events after this position of the log.")
@option("--resume", is_flag=True, help="Go on with a FILE that was begun before.")
@json_option
def export(site: str, file: str, after: int, *, resume: bool, as_json: bool) -> None:
    """Write the events of SITE to FILE as JSON Lines, gzipped when it ends in .gz; - is standard output."""
    if resume and file == STREAM:
        raise click.UsageError("a stream cannot be resumed; --after says where to begin")
    if as_json and file == STREAM:
        raise click.UsageError("standard output is either for the events or for --json")
    settings = read_settings(os.environ)
    with opened_store(settings) as url:
        exported = asyncio.run(_export(open_traffic(url, settings.cells), site, file, after, resume=resume))
    click.echo(f"exported {exported.hits} event(s), up to position {exported.position} of the log", err=True)
    emit_done({"events": exported.hits, "position": exported.position}, as_json=as_json)


def import_archive(site: str, file: str, *, as_json: bool) -> None:
    """Store the events of an exported file in a site; - is standard input."""
    settings = read_settings(os.environ)
    with opened_store(settings) as url:
        stored = asyncio.run(_import(open_traffic(url, settings.cells), site, file))
    click.echo(f"imported {stored} event(s)", err=True)
    emit_done({"events": stored}, as_json=as_json)


async def _export(
    opened: AbstractAsyncContextManager[OpenTraffic], reference: str, name: str, after: int, *, resume: bool
) -> Exported:
    async with opened as traffic:
        site = (await traffic.site(reference)).site
        with archive_to_write(name, site, after=after, resume=resume) as (writer, beginning):
            high_water_mark = await traffic.site_hits.high_water_mark(site.site_id)
            with progress("exporting", high_water_mark - beginning) as advance:
                return await write_archive(
                    writer,
                    traffic.site_hits,
                    site.site_id,
                    after=beginning,
                    up_to=high_water_mark,
                    advance=advance,
                )


async def _import(opened: AbstractAsyncContextManager[OpenTraffic], reference: str, name: str) -> int:
    async with opened as traffic:
        listed = await traffic.site(reference)
        with archive_to_read(name) as (reader, file, size), progress("importing", size) as advance:
            return await read_archive(reader, file, traffic.site_hits, listed, advance=advance)
