"""`footfall export`, and the import of what it wrote."""

import os

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
from footfall.entrypoints.composition.stores import with_traffic
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
    exported = with_traffic(settings, lambda traffic: _export(traffic, site, file, after, resume=resume))
    click.echo(f"exported {exported.hits} event(s), up to position {exported.position} of the log", err=True)
    emit_done({"events": exported.hits, "position": exported.position}, as_json=as_json)


def import_archive(site: str, file: str, *, as_json: bool) -> None:
    """Store the events of an exported file in a site; - is standard input."""
    settings = read_settings(os.environ)
    stored = with_traffic(settings, lambda traffic: _import(traffic, site, file))
    click.echo(f"imported {stored} event(s)", err=True)
    emit_done({"events": stored}, as_json=as_json)


async def _export(traffic: OpenTraffic, reference: str, name: str, after: int, *, resume: bool) -> Exported:
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


async def _import(traffic: OpenTraffic, reference: str, name: str) -> int:
    listed = await traffic.site(reference)
    with archive_to_read(name) as (reader, file, size), progress("importing", size) as advance:
        return await read_archive(reader, file, traffic.site_hits, listed, advance=advance)
