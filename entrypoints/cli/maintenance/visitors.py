"""`footfall visitor`."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import BinaryIO

import click

from footfall.entrypoints.cli.output import CommandRefused, emit_done, json_option, option
from footfall.entrypoints.composition.commands.command_adapters import (
    STREAM,
    VisitorDocument,
    system_clock,
)
from footfall.entrypoints.composition.commands.command_stores import giving_of, open_traffic
from footfall.entrypoints.composition.secret import server_secret
from footfall.entrypoints.composition.stores import opened_store
from footfall.entrypoints.settings import Settings, read_settings

_user_option = option("--user-id", help="The user id, as pages and servers send it.")
_visit_option = option("--visit", help="The id of a visit, whose visitor is meant.")


@click.group()
def visitor() -> None:
    """Give a visitor what is stored of one, and erase it."""


@visitor.command("export")
@click.argument("site")
@click.argument("file", type=click.Path(allow_dash=True, dir_okay=False))
@_user_option
@_visit_option
@json_option
def export(site: str, file: str, user_id: str | None, visit: str | None, *, as_json: bool) -> None:
    """Write all visits, events and errors of a visitor of SITE to FILE as JSON; - is standard output."""
    if as_json and file == STREAM:
        raise click.UsageError("standard output is either for the data or for --json")
    if (user_id is None) == (visit is None):
        raise click.UsageError("give either --user-id or --visit")
    settings = read_settings(os.environ)
    with opened_store(settings) as url:
        document = asyncio.run(_export(settings, url, site, file, user_id, visit))
    for refusal in document.not_found:
        click.echo(f"not found: {refusal}", err=True)
    click.echo(f"exported {document.visits} visit(s) with {document.events} event(s)", err=True)
    emit_done({**document.sums, "notFound": list(document.not_found)}, as_json=as_json)


async def _export(
    settings: Settings, url: str, reference: str, name: str, user_id: str | None, visit: str | None
) -> VisitorDocument:
    async with open_traffic(url, settings.cells) as traffic:
        record = await traffic.site(reference)
        # The visit of a hit is known after its projection.
        await traffic.project()
        giving = giving_of(traffic, record, server_secret(settings))
        asked = await giving.asked(record, user_id=user_id, visit=visit)
        document = VisitorDocument(record.site.site_id, system_clock().now(), asked.refusals)
        parts = document.written(giving.pieces(record.site.site_id, asked))
        # A refusal makes no file.
        first = await anext(parts)
        with _new_file(name) as file:
            file.write(first)
            await _write(parts, file)
    return document


async def _write(parts: AsyncIterator[bytes], file: BinaryIO) -> None:
    async for part in parts:
        file.write(part)
    file.flush()


@contextmanager
def _new_file(name: str) -> Iterator[BinaryIO]:
    """Lend a new file that only its owner may read, or standard output."""
    if name == STREAM:
        yield sys.stdout.buffer
        return
    try:
        descriptor = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise CommandRefused(f"{name} is there already") from None
    except OSError as fault:
        raise CommandRefused(f"{name}: {fault.strerror}") from None
    with os.fdopen(descriptor, "wb") as file:
        yield file
