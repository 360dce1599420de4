"""`footfall export` and `footfall import`."""

import asyncio
import os

import click

from footfall.entrypoints.archives import (
    STREAM,
    Exported,
    archive_to_read,
    archive_to_write,
    read_archive,
    write_archive,
)
from footfall.entrypoints.cli.output import option
from footfall.entrypoints.cli.progress import progress
from footfall.entrypoints.settings import read_settings
from footfall.entrypoints.stores import opened_store
from footfall.entrypoints.traffic import open_traffic


@click.command("export")
@click.argument("site")
@click.argument("file", type=click.Path(allow_dash=True, dir_okay=False))
@option(
    "--after", type=click.IntRange(min=0), default=0, help="Only what came after this position of the log."
)
@click.option("--resume", is_flag=True, help="Go on with a FILE that was begun before.")
def export(site: str, file: str, after: int, *, resume: bool) -> None:
    """Write the events of SITE to FILE as JSON Lines, gzipped when it ends in .gz; - is standard output."""
    if resume and file == STREAM:
        raise click.UsageError("a stream cannot be resumed; --after says where to begin")
    with opened_store(read_settings(os.environ)) as url:
        exported = asyncio.run(_export(url, site, file, after, resume=resume))
    click.echo(f"exported {exported.hits} event(s), up to position {exported.position} of the log", err=True)


@click.command("import")
@click.argument("site")
@click.argument("file", type=click.Path(allow_dash=True, dir_okay=False))
def import_events(site: str, file: str) -> None:
    """Store the events of an exported FILE in SITE; - is standard input.

    What an earlier, interrupted import of the same export has stored is skipped.
    """
    with opened_store(read_settings(os.environ)) as url:
        stored = asyncio.run(_import(url, site, file))
    click.echo(f"imported {stored} event(s)", err=True)


async def _export(url: str, reference: str, name: str, after: int, *, resume: bool) -> Exported:
    async with open_traffic(url) as traffic:
        site = (await traffic.site(reference)).site
        with archive_to_write(name, site, after=after, resume=resume) as (writer, beginning):
            horizon = await traffic.site_hits.horizon()
            with progress("exporting", horizon - beginning) as advance:
                return await write_archive(
                    writer, traffic.site_hits, site.site_id, after=beginning, up_to=horizon, advance=advance
                )


async def _import(url: str, reference: str, name: str) -> int:
    async with open_traffic(url) as traffic:
        listed = await traffic.site(reference)
        with archive_to_read(name) as (reader, file, size), progress("importing", size) as advance:
            return await read_archive(reader, file, traffic.site_hits, listed, advance=advance)
