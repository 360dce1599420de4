"""`footfall import`: archives of Footfall, and the rows of other services."""

import asyncio
import os
from functools import partial
from typing import Any

import click
from attrs import frozen

from footfall.application.imports.conversion import Conversion
from footfall.application.imports.goals import GoalImporting
from footfall.application.imports.importing import Importing, Outcome
from footfall.application.imports.verification import Comparison, Verification
from footfall.application.ports.imports import GoalSource, ImportNotFound, ImportRecord, LedgerKey, Source
from footfall.domain.sites.aliases import alias_of
from footfall.entrypoints.cli.followed_logs import follow_logs
from footfall.entrypoints.cli.maintenance.transfer import import_archive
from footfall.entrypoints.cli.output import (
    CommandRefused,
    emit,
    emit_done,
    emit_table,
    json_option,
    option,
    table,
)
from footfall.entrypoints.cli.progress import progress
from footfall.entrypoints.cli.store_commands import on_traffic
from footfall.entrypoints.composition.commands.command_adapters import (
    ACCESS_LOG,
    ARCHIVE,
    FORMATS,
    PLACE_CODES,
    PROTOCOLS,
    ImportOrder,
    check_places,
    logs_without_lines,
    open_goals,
    open_source,
    recognise,
    system_clock,
)
from footfall.entrypoints.composition.commands.command_stores import build_conversion
from footfall.entrypoints.composition.secret import server_secret
from footfall.entrypoints.composition.stores import opened_store, with_traffic
from footfall.entrypoints.composition.traffic import OpenTraffic
from footfall.entrypoints.settings import Settings, read_settings


class _SiteOrCommand(click.Group):
    """A group whose first argument is one of its commands, or else the site of an import."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the command of imports before all arguments that are none of the others."""
        asks_for_help = any(argument in ctx.help_option_names for argument in args[:1])
        if args and args[0] not in self.commands and not asks_for_help:
            args = ["into", *args]
        return super().parse_args(ctx, args)


@click.group("import", cls=_SiteOrCommand, subcommand_metavar="SITE [--from FORMAT] SOURCE... | COMMAND")
def import_() -> None:
    """Store the events of an archive, or of another service, in a site.

    footfall import SITE SOURCE is footfall import into SITE SOURCE.
    """


@import_.command()
@click.argument("site")
@click.argument("sources", metavar="SOURCE...", nargs=-1, required=True)
@option(
    "--from",
    "format_",
    type=click.Choice(FORMATS),
    help="The format; recognised from the source unless given.",
)
@option("--source-site", help="The site in the source, if it has several.")
@option("--dry-run", is_flag=True, help="Show the ledger and the first faults, and store nothing.")
@option("--verify", is_flag=True, help="Compare pageviews by day and path with what was imported.")
@option("--skip-unreadable", is_flag=True, help="Count rows that cannot be read, and go on.")
@option(
    "--follow", is_flag=True, help="Go on with access logs as they grow and are rotated, until interrupted."
)
@json_option
def into(
    site: str,
    sources: tuple[str, ...],
    format_: str | None,
    source_site: str | None,
    *,
    dry_run: bool,
    verify: bool,
    skip_unreadable: bool,
    follow: bool,
    as_json: bool,
) -> None:
    """Store the events of SOURCE in SITE: an archive that footfall export wrote, or rows of another service.

    Rows that an earlier import of the same source has stored are skipped. - is standard input, for archives only.
    """
    if dry_run and verify:
        raise click.UsageError("give either --dry-run or --verify")
    if follow and (dry_run or verify or (format_ or ACCESS_LOG) != ACCESS_LOG):
        raise click.UsageError("--follow is for access logs, and goes with neither --dry-run nor --verify")
    name = ACCESS_LOG if follow else format_ or recognise(sources)
    check_places(name, sources)
    if name == ARCHIVE:
        if dry_run or verify or skip_unreadable or source_site or len(sources) > 1:
            raise click.UsageError(
                "an archive of Footfall is one FILE, and takes no other options than --json"
            )
        import_archive(site, sources[0], as_json=as_json)
        return
    settings = read_settings(os.environ)
    if follow:
        with opened_store(settings) as url:
            outcome = asyncio.run(follow_logs(settings, url, site, sources, skip_unreadable=skip_unreadable))
        _show_outcome(outcome, dry=False, as_json=as_json)
        return
    for log in logs_without_lines(name, sources):
        click.echo(f"{log} holds no complete line, and is passed over", err=True)
    work = _Work(settings, site, name, sources, source_site)
    if verify:
        if work.goals():
            raise click.UsageError("--verify compares pageviews: goals have none")
        _show_comparison(with_traffic(settings, work.verify), as_json=as_json)
        return
    running = partial(work.run, dry=dry_run, skip_unreadable=skip_unreadable)
    if goals := work.goals():
        running = partial(work.run_goals, source=goals, dry=dry_run)
    _show_outcome(with_traffic(settings, running), dry=dry_run, as_json=as_json)


@import_.command("list")
@on_traffic(emit_table)
async def list_imports(traffic: OpenTraffic) -> list[dict[str, Any]]:
    """List the imports from other services."""
    return [
        await _described(traffic, record, await _ledger_of(traffic, record))
        for record in await traffic.imports()
    ]


@import_.command()
@click.argument("number", type=int)
@on_traffic(emit_table)
async def show(traffic: OpenTraffic, number: int) -> list[dict[str, Any]]:
    """Show the ledger of an import by day, type and reason."""
    return _rows_by_day(await _ledger_of(traffic, await _find(traffic, number)))


@import_.command()
@click.argument("number", type=int)
@on_traffic(emit_done)
async def undo(traffic: OpenTraffic, number: int) -> dict[str, Any]:
    """Take an import back: everything that it brought goes, and only that."""
    record = await _find(traffic, number)
    imports = traffic.store_of(record.site_id).imports
    ledger = await imports.ledger(number)
    await _importing_goals(traffic, record.site_id).take_back(record)
    days = {key.day for key in ledger if key.day and not key.reason}
    with progress("taking back", len(days)) as advance:
        await imports.undo(record, project=traffic.project_next, advance=advance)
    erased = sum(rows for key, rows in ledger.items() if not key.reason)
    click.echo(f"took back import {number}: {erased} row(s)", err=True)
    return {"importId": number, "rows": erased}


@frozen
class _Work:
    """An import or its verification, as the command line describes it."""

    _settings: Settings
    _site: str
    _format: str
    _places: tuple[str, ...]
    _source_site: str | None

    async def run(self, traffic: OpenTraffic, *, dry: bool, skip_unreadable: bool) -> Outcome:
        site_id, source, conversion = await self._prepared(traffic)
        importing = Importing(
            imports=traffic.store_of(site_id).imports,
            conversion=conversion,
            clock=system_clock(),
            skip_unreadable=skip_unreadable,
        )
        work = importing.dry_run if dry else importing.run
        with progress("reading" if dry else "importing", source.total()) as advance:
            outcome = await work(site_id, source, advance)
        record = await traffic.site(self._site)
        if source.format in PROTOCOLS and not dry and alias_of(source.key) not in record.site.aliases:
            click.echo(f"footfall site alias {self._site} {source.key} lets its pages send here", err=True)
        return outcome

    def goals(self) -> GoalSource | None:
        """Return the goals that the places hold; None when they hold rows."""
        return open_goals(
            self._format, ImportOrder(places=self._places, domain="", source_site=self._source_site)
        )

    async def run_goals(self, traffic: OpenTraffic, source: GoalSource, *, dry: bool) -> Outcome:
        site_id = (await traffic.site(self._site)).site.site_id
        importing = _importing_goals(traffic, site_id)
        work = importing.dry_run if dry else importing.run
        return await work(site_id, source)

    async def verify(self, traffic: OpenTraffic) -> Comparison:
        site_id, source, conversion = await self._prepared(traffic)
        verification = Verification(imports=traffic.store_of(site_id).imports, conversion=conversion)
        with progress("verifying", source.total()) as advance:
            return await verification.compare(site_id, source, advance)

    async def _prepared(self, traffic: OpenTraffic) -> tuple[int, Source, Conversion]:
        record = await traffic.site(self._site)
        order = ImportOrder(
            places=self._places,
            domain=record.site.domain,
            source_site=self._source_site,
            place_codes=PLACE_CODES,
        )
        source = open_source(self._format, order)
        secret = server_secret(self._settings)
        conversion = build_conversion(self._settings, secret=secret, record=record, source=source)
        return record.site.site_id, source, conversion


async def _described(
    traffic: OpenTraffic, record: ImportRecord, ledger: dict[LedgerKey, int]
) -> dict[str, Any]:
    listed = traffic.journal.directory.site(str(record.site_id))
    stored = sum(rows for key, rows in ledger.items() if not key.reason)
    return {
        "importId": record.import_id,
        "siteId": record.site_id,
        "site": None if listed is None else listed.site.name,
        "format": record.format,
        "source": record.source,
        "state": record.state,
        "changedAt": record.changed_at.isoformat(timespec="seconds"),
        "read": sum(ledger.values()),
        "stored": stored,
        "leftOut": sum(ledger.values()) - stored,
    }


async def _ledger_of(traffic: OpenTraffic, record: ImportRecord) -> dict[LedgerKey, int]:
    return await traffic.store_of(record.site_id).imports.ledger(record.import_id)


def _importing_goals(traffic: OpenTraffic, site_id: int) -> GoalImporting:
    imports = traffic.store_of(site_id).imports
    return GoalImporting(imports=imports, commands=traffic.journal.commands.goals, clock=system_clock())


async def _find(traffic: OpenTraffic, number: int) -> ImportRecord:
    for record in await traffic.imports():
        if record.import_id == number:
            return record
    raise ImportNotFound


def _show_outcome(outcome: Outcome, *, dry: bool, as_json: bool) -> None:
    for fault in outcome.faults:
        click.echo(f"{fault.place}: {fault.fault}", err=True)
    document = {
        "importId": outcome.import_id,
        "read": outcome.read,
        "stored": outcome.stored,
        "ledger": _rows_by_day(outcome.counts),
    }
    lines = [
        f"{key.type or 'unknown'}, {key.reason or ('would be stored' if dry else 'stored')}: {rows:,}"
        for key, rows in sorted(_without_days(outcome.counts).items())
    ]
    read = (
        f"read {outcome.read:,} row(s): {outcome.stored:,} stored, {outcome.read - outcome.stored:,} left out"
    )
    emit(document, [*lines, read.replace(" stored", " to be stored") if dry else read], as_json=as_json)


def _show_comparison(comparison: Comparison, *, as_json: bool) -> None:
    lines = comparison.lines
    rows = [
        {
            "day": line.day.isoformat(),
            "path": line.pathname,
            "source": line.source,
            "leftOut": line.left_out if as_json else _reasons(line.left_out),
            "stored": line.stored,
            "difference": line.difference,
        }
        for line in lines
    ]
    not_imported = [
        {"day": day or None, "type": kind or None, "notImported": number}
        for (day, kind), number in sorted(comparison.not_imported.items())
    ]
    shown = [*table(rows), *(["", *table(not_imported)] if not_imported else [])]
    emit({"pageviews": rows, "notImported": not_imported}, shown, as_json=as_json)
    source, stored = (sum(getattr(line, side) for line in lines) for side in ("source", "stored"))
    left_out = sum(sum(line.left_out.values()) for line in lines)
    click.echo(
        f"{source:,} pageview(s) in the source: {stored:,} stored, {left_out:,} left out by their reasons,"
        f" {source - stored - left_out:,} without a reason",
        err=True,
    )
    if number := comparison.not_imported.total():
        click.echo(f"not imported yet: {number:,} row(s); repeat the import to add them", err=True)
    if differing := sum(bool(line.difference) for line in lines):
        raise CommandRefused(f"{differing} line(s) differ by more than what was left out")


def _reasons(left_out: dict[str, int]) -> str | None:
    return ", ".join(f"{rows} {reason}" for reason, rows in sorted(left_out.items())) or None


def _rows_by_day(ledger: dict[LedgerKey, int]) -> list[dict[str, Any]]:
    return [
        {"day": key.day or None, "type": key.type or None, "leftOut": key.reason or None, "rows": rows}
        for key, rows in sorted(ledger.items())
    ]


def _without_days(ledger: dict[LedgerKey, int]) -> dict[LedgerKey, int]:
    summed: dict[LedgerKey, int] = {}
    for key, rows in ledger.items():
        key_of_type = LedgerKey("", key.type, key.reason)
        summed[key_of_type] = summed.get(key_of_type, 0) + rows
    return summed
