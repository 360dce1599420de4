"""`footfall history`, `footfall journal`, `footfall migrate`, `footfall openapi` and `footfall doctor`."""

import asyncio
import json
import os
from typing import Any

import click

from footfall.application.journal.directory_records import SetAside
from footfall.domain.periods.instant_text import instant_text
from footfall.entrypoints.cli.maintenance.doctor import diagnose
from footfall.entrypoints.cli.maintenance.findings import Finding
from footfall.entrypoints.cli.output import CommandRefused, emit, json_option, option
from footfall.entrypoints.composition.commands.command_adapters import migrate as apply_migrations
from footfall.entrypoints.composition.commands.command_adapters import missing_migrations, openapi_document
from footfall.entrypoints.composition.commands.command_stores import (
    discard_event,
    read_refused_filters,
    read_set_aside,
)
from footfall.entrypoints.composition.service import Journal
from footfall.entrypoints.composition.stores import embedded_store, opened_store, with_journal
from footfall.entrypoints.settings import read_settings


@click.command()
@click.argument("stream")
@json_option
def history(stream: str, *, as_json: bool) -> None:
    """Show who did what, when, in STREAM: organization-1, site-1, goal-1 or apikey-1."""

    async def work(journal: Journal) -> list[dict[str, Any]]:
        entries = await journal.history.of_stream(stream)
        people = await journal.people.of(entry.actor.user_id for entry in entries if entry.actor.user_id)
        names = {user_id: person.name for user_id, person in people.items()}
        return [
            entry.document(instant_text) | {"userName": names.get(entry.actor.user_id or "")}
            for entry in entries
        ]

    entries = with_journal(read_settings(os.environ), work)
    if not entries:
        raise CommandRefused(f"no stream is called {stream}")
    emit(entries, [line for entry in entries for line in _lines(entry)], as_json=as_json)


@click.group()
def journal() -> None:
    """Repair the journal of the changes to organizations, sites, goals and keys."""


@journal.command("discard")
@click.argument("stream")
@option("--yes", is_flag=True, help="Do not ask.")
@json_option
def discard(stream: str, *, yes: bool, as_json: bool) -> None:
    """Discard the unreadable event of STREAM for good; all other events of the stream stay."""
    settings = read_settings(os.environ)
    with opened_store(settings) as url:
        event = _set_aside(url, stream)
        if not yes:
            question = f"Discard event {event.version} ({event.type}) of {stream} for good?"
            click.confirm(question, abort=True, err=True)
        asyncio.run(discard_event(url, settings.cells, stream, event.version))
    line = f"discarded event {event.version} ({event.type}) of {stream}: restart the service"
    emit({"stream": stream, "version": event.version, "type": event.type}, [line], as_json=as_json)


@click.command()
@option("--check", is_flag=True, help="Apply nothing; exit with status 1 when migrations are missing.")
@json_option
def migrate(*, check: bool, as_json: bool) -> None:
    """Bring the schema of the store to this version."""
    settings = read_settings(os.environ)
    if settings.database_url is not None:
        _migrate(settings.database_url, check=check, as_json=as_json)
        return
    with embedded_store(settings) as url:
        _migrate(url, check=check, as_json=as_json)


@click.command()
def openapi() -> None:
    """Print the OpenAPI document of the HTTP interface, as JSON."""
    click.echo(json.dumps(openapi_document(), indent=2, ensure_ascii=False))


@click.command()
@json_option
def doctor(*, as_json: bool) -> None:
    """Check configuration, store, schema and geolocation database; secrets are masked."""
    findings = diagnose(os.environ)
    lines = [
        f"{'ok' if finding.healthy else 'FAULT':6}{finding.subject}: {finding.detail}" for finding in findings
    ]
    emit([_document(finding) for finding in findings], lines, as_json=as_json)
    if not all(finding.healthy for finding in findings):
        raise click.exceptions.Exit(1)


def _set_aside(url: str, stream: str) -> SetAside:
    event = next((event for event in asyncio.run(read_set_aside(url)) if event.stream == stream), None)
    if event is None:
        raise CommandRefused(f"no event of {stream} is unreadable")
    return event


def _lines(entry: dict[str, Any]) -> list[str]:
    who = f"user {entry['userId']}" if entry["userId"] else "operator"
    who += f" {entry['userName']}" if entry["userName"] else ""
    key = f" ({entry['keyPrefix']})" if entry["keyPrefix"] else ""
    changes = [
        f"    {change['field']}: {_value(change['from'])} -> {_value(change['to'])}"
        for change in entry["changes"]
    ]
    return [f"{entry['version']}  {entry['at']}  {entry['type']}  {who}{key}", *changes]


def _value(value: Any) -> str:
    return "-" if value is None else json.dumps(value, ensure_ascii=False)


def _document(finding: Finding) -> dict[str, Any]:
    return {"subject": finding.subject, "healthy": finding.healthy, "detail": finding.detail}


def _migrate(url: str, *, check: bool, as_json: bool) -> None:
    migrations = missing_migrations(url) if check else apply_migrations(url)
    names = [migration.name for migration in migrations]
    listed = f"{len(names)} migration(s): {', '.join(names)}"
    line = f"applied {listed}" if names else "the schema is current"
    if as_json or not (check and names):
        refused = [] if check else [str(place) for place in asyncio.run(read_refused_filters(url))]
        document = {"missing": names} if check else {"applied": names, "refusedFilters": refused}
        emit(document, [line, *(f"change {place}" for place in refused)], as_json=as_json)
    if check and names:
        raise CommandRefused(f"the database lacks {listed}")
