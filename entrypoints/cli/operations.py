"""`footfall history`, `footfall migrate`, `footfall openapi` and `footfall doctor`."""

import json
import os
from typing import Any

import click

from footfall.adapters.http.answers import timestamp
from footfall.adapters.http.openapi import document
from footfall.adapters.postgres.migration import migrate as apply_migrations
from footfall.adapters.postgres.migration import missing_migrations
from footfall.entrypoints.bootstrap import Journal
from footfall.entrypoints.cli.output import Refused, emit, json_option
from footfall.entrypoints.diagnosis import Finding, diagnose
from footfall.entrypoints.settings import read_settings
from footfall.entrypoints.stores import embedded_store, with_journal


@click.command()
@click.argument("stream")
@json_option
def history(stream: str, *, as_json: bool) -> None:
    """Show who did what, when, in STREAM: organization-1, site-1, goal-1 or apikey-1."""

    async def work(journal: Journal) -> list[dict[str, Any]]:
        return [entry.document(timestamp) for entry in await journal.history.of_stream(stream)]

    entries = with_journal(read_settings(os.environ), work)
    if not entries:
        raise Refused(f"no stream is called {stream}")
    emit(entries, [line for entry in entries for line in _lines(entry)], as_json=as_json)


@click.command()
@click.option("--check", is_flag=True, help="Apply nothing; exit with status 1 when migrations are missing.")
def migrate(*, check: bool) -> None:
    """Bring the schema of the store to this version."""
    settings = read_settings(os.environ)
    if settings.database_url is not None:
        _migrate(settings.database_url, check=check)
        return
    with embedded_store(settings) as url:
        _migrate(url, check=check)


@click.command()
def openapi() -> None:
    """Print the OpenAPI document of the HTTP interface, as JSON."""
    click.echo(json.dumps(document(), indent=2, ensure_ascii=False))


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


def _lines(entry: dict[str, Any]) -> list[str]:
    who = f"user {entry['userId']}" if entry["userId"] else "operator"
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


def _migrate(url: str, *, check: bool) -> None:
    if not check:
        applied = apply_migrations(url)
        names = ", ".join(migration.name for migration in applied)
        click.echo(f"applied {len(applied)} migration(s): {names}" if applied else "the schema is current")
        return
    missing = missing_migrations(url)
    if missing:
        raise Refused(f"{len(missing)} migration(s) are missing: {', '.join(m.name for m in missing)}")
    click.echo("the schema is current")
