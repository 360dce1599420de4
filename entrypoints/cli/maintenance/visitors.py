"""`footfall visitor`."""

import os
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, BinaryIO

import click

from footfall.application.ports.visitor_erasures import Requester, VisitorErasure
from footfall.application.visitors.document import VisitorDocument, erasure_body
from footfall.application.visitors.erasing import requested
from footfall.entrypoints.cli.output import CommandRefused, emit, emit_done, json_option, option, table
from footfall.entrypoints.composition.commands.command_adapters import STREAM, system_clock
from footfall.entrypoints.composition.commands.visitor_commands import erased, giving_of
from footfall.entrypoints.composition.stores import with_traffic
from footfall.entrypoints.composition.traffic import OpenTraffic
from footfall.entrypoints.server.logs import configure_logs
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
    document = with_traffic(settings, lambda traffic: _export(settings, traffic, site, file, user_id, visit))
    for refusal in document.not_found:
        click.echo(f"not found: {refusal}", err=True)
    click.echo(f"exported {document.visits} visit(s) with {document.events} event(s)", err=True)
    emit_done({**document.sums, "notFound": list(document.not_found)}, as_json=as_json)


async def _export(
    settings: Settings,
    traffic: OpenTraffic,
    reference: str,
    name: str,
    user_id: str | None,
    visit: str | None,
) -> VisitorDocument:
    record = await traffic.site(reference)
    # The visit of a hit is known after its projection.
    await traffic.catch_up(record.site.site_id)
    giving = giving_of(traffic, record, settings)
    asked = await giving.asked(record, user_id=user_id, visit=visit)
    document = VisitorDocument(record.site.site_id, system_clock().now(), asked.refusals)
    parts = document.written(giving.pieces(record.site.site_id, asked))
    # A refusal makes no file.
    first = await anext(parts)
    with _new_file(name) as file:
        file.write(first)
        await _write(parts, file)
    return document


@visitor.command("erase")
@click.argument("site")
@_user_option
@_visit_option
@option("--yes", is_flag=True, help="Do not ask for confirmation.")
@json_option
def erase(site: str, user_id: str | None, visit: str | None, *, yes: bool, as_json: bool) -> None:
    """Erase all visits, events and errors of a visitor of SITE, and print a certificate of it."""
    if (user_id is None) == (visit is None):
        raise click.UsageError("give either --user-id or --visit")
    settings = read_settings(os.environ)
    configure_logs(settings)
    finished = with_traffic(
        settings, lambda traffic: _erase(settings, traffic, site, user_id, visit, ask=not yes)
    )
    _show(finished, as_json=as_json)


@visitor.command("erasures")
@click.argument("site")
@option("--go-on", is_flag=True, help="Take those to their end that are not finished.")
@json_option
def erasures(site: str, *, go_on: bool, as_json: bool) -> None:
    """List the erasures of visitors of SITE; with --json with their certificates."""
    settings = read_settings(os.environ)
    configure_logs(settings)
    stored = with_traffic(settings, lambda traffic: _erasures(settings, traffic, site, go_on=go_on))
    documents = [erasure_body(erasure) for erasure in stored]
    emit(documents, table([_row(document) for document in documents]), as_json=as_json)


async def _erase(
    settings: Settings,
    traffic: OpenTraffic,
    reference: str,
    user_id: str | None,
    visit: str | None,
    *,
    ask: bool,
) -> VisitorErasure:
    record = await traffic.site(reference)
    site = record.site
    await traffic.catch_up(site.site_id)
    giving = giving_of(traffic, record, settings)
    asked = await giving.asked(record, user_id=user_id, visit=visit)
    events = sum([len(piece.hits) async for piece in giving.pieces(site.site_id, asked)])
    store = traffic.store_of(site.site_id)
    if ask:
        for source in await store.visitor_erasures.sources(site.site_id):
            click.echo(f"can bring events again: {source}", err=True)
        click.confirm(f"Erase {events} event(s)? This cannot be undone", abort=True, err=True)
    erasure = requested(site.site_id, asked, system_clock().now(), Requester())
    await store.visitor_erasures.request(site.site_id, erasure)
    return await erased(traffic, settings, erasure, _once())


async def _erasures(
    settings: Settings, traffic: OpenTraffic, reference: str, *, go_on: bool
) -> Sequence[VisitorErasure]:
    site = (await traffic.site(reference)).site
    store = traffic.store_of(site.site_id)
    stored = await store.visitor_erasures.of_site(site.site_id)
    if go_on:
        for erasure in stored:
            await erased(traffic, settings, erasure, _once())
    return await store.visitor_erasures.of_site(site.site_id)


def _show(erasure: VisitorErasure, *, as_json: bool) -> None:
    document = erasure_body(erasure)
    emit(document, list(_certificate(document["certificate"])), as_json=as_json)
    if not document["certificate"]["proven"]:
        raise CommandRefused("the visitor is erased, but a replay of the log differs: see the certificate")


def _certificate(written: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of a certificate for people."""
    counts, stays, differences = written["erased"], written["stays"], written["replay"]["differences"]
    yield f"Certificate of erasure {written['erasure']}, site {written['siteId']}, {written['finishedAt']}"
    yield f"erased: {', '.join(f'{name} {number}' for name, number in counts.items())}"
    yield from (f"not found: {refusal}" for refusal in written["notFound"])
    yield f"events that stay: {stays['events']}"
    yield f"their digest before and after: {stays['digestBefore']} {stays['digestAfter']}"
    for name, model in written["readModels"].items():
        yield f"{name}: {model['rows']} row(s), digest {model['digest']}"
    differing = ", ".join(f"{rows} row(s) of {name}" for name, rows in differences.items())
    yield f"a replay of the log differs in {differing or 'no row'}"
    for copy in written["staleCopies"]:
        yield f"stale copy: {copy['directory']} on {copy['host']}, made {copy['exported_at']}"
    yield from (f"can bring events again: {source}" for source in written["openSources"])
    yield f"proven: {'yes' if written['proven'] else 'no'}"


def _row(document: Mapping[str, Any]) -> dict[str, Any]:
    return {
        **{name: document[name] for name in ("erasure", "step", "requestedAt", "userId", "visits", "events")},
        "proven": document["certificate"] and document["certificate"]["proven"],
    }


def _once() -> Callable[[str], None]:
    """Return what says each thing once."""
    said = set[str]()

    def tell(text: str) -> None:
        if text not in said:
            said.add(text)
            click.echo(text, err=True)

    return tell


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
