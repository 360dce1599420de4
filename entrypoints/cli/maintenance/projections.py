"""`footfall projections`."""

import asyncio
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click

from footfall.domain.citations.definitions import PRESENT
from footfall.entrypoints.cli.output import CommandRefused, emit, json_option, option
from footfall.entrypoints.composition.commands.cell_commands import CellStanding, opened_part, standings
from footfall.entrypoints.composition.commands.command_adapters import ProjectionStatus, ReadModelSize
from footfall.entrypoints.composition.commands.command_stores import read_projection_status
from footfall.entrypoints.composition.commands.rebuild_files import rebuild as rebuild_with_files
from footfall.entrypoints.composition.projectors import rebuilding
from footfall.entrypoints.composition.stores import opened_store
from footfall.entrypoints.server.logs import configure_logs
from footfall.entrypoints.settings import Settings, read_settings

LINE_SECONDS = 5.0
FORMER_SESSIONS = (
    "sessions are being formed anew by the times of events; reports use the former ones until then"
)

Progress = Callable[[int, int], None]


@click.group()
def projections() -> None:
    """Inspect and rebuild the read models of reports, which are derived from the logs."""


@projections.command("status")
@json_option
def status(*, as_json: bool) -> None:
    """Show the lag and the size of the projections."""
    settings = read_settings(os.environ)
    with opened_store(settings) as url:
        found = asyncio.run(read_projection_status(url))
        cells = asyncio.run(standings(settings, url)) if settings.cells else []
    document, lines = _document(found), _lines(found)
    if cells:
        document["cells"] = {one.cell.name: _of_cell(one) for one in cells}
    emit(document, [*lines, *(line for one in cells for line in _lines_of_cell(one))], as_json=as_json)


def _document(found: ProjectionStatus) -> dict[str, Any]:
    return {
        "lagEvents": found.lag_events,
        "lagSeconds": round(found.lag_seconds, 3),
        "position": found.position,
        "journalPosition": found.journal_position,
        "sessions": found.sessions,
        "goalsToFill": found.goals_to_fill,
        "goalsSetAside": [
            {"goalId": one.goal_id, "siteId": one.site_id, "reason": one.reason}
            for one in found.goals_set_aside
        ],
        "readModels": [
            {"name": one.name, "rows": one.rows, "rowsEstimated": one.estimated, "bytes": one.bytes}
            for one in found.read_models
        ],
    }


def _of_cell(found: CellStanding) -> dict[str, Any]:
    return {"trouble": found.trouble} if found.projections is None else _document(found.projections)


def _lines_of_cell(found: CellStanding) -> list[str]:
    if found.projections is None:
        return ["", f"cell {found.cell.name} is away: {found.trouble}"]
    return ["", f"cell {found.cell.name}:", *_lines(found.projections)]


@projections.command("rebuild")
@option("--verify", is_flag=True, help="Change nothing; exit with status 1 when a replay differs.")
@option("--cell", help="The cell; the store of the journal unless given.")
@json_option
def rebuild(*, verify: bool, cell: str | None, as_json: bool) -> None:
    """Rebuild the projections from the logs, while the ones in use continue to serve reports."""
    settings = read_settings(os.environ)
    configure_logs(settings)
    with opened_part(settings, cell) as (part, url):
        result = asyncio.run(_verified(url) if verify else _rebuilt(part, url))
    differing = {table: rows for table, rows in result.items() if rows}
    word = "verified" if verify else "rebuilt"
    if as_json or not differing:
        emit(
            {word: not differing, "differences": differing}, [f"the projections are {word}"], as_json=as_json
        )
    if differing:
        raise CommandRefused(
            "; ".join(f"{table} differs in {rows} row(s)" for table, rows in differing.items())
        )


async def _verified(url: str) -> dict[str, int]:
    async with rebuilding(url) as rebuilt:
        with _progress("replaying") as progress:
            await rebuilt.replay(progress)
        return await rebuilt.differences()


async def _rebuilt(settings: Settings, url: str) -> dict[str, int]:
    with _progress("rebuilding") as progress:
        await rebuild_with_files(settings, url, progress)
    return {}


@contextmanager
def _progress(word: str) -> Iterator[Progress]:
    """Show progress on standard error: a bar on a terminal, a line now and then otherwise."""
    if not sys.stderr.isatty():
        yield _lines_of_progress(word)
        return
    with click.progressbar(length=1, label=word, file=sys.stderr) as bar:

        def show(position: int, target: int) -> None:
            bar.length = max(target, 1)
            bar.update(position - bar.pos)

        yield show


def _lines_of_progress(word: str) -> Progress:
    last = time.monotonic()

    def show(position: int, target: int) -> None:
        nonlocal last
        if time.monotonic() - last >= LINE_SECONDS:
            last = time.monotonic()
            click.echo(f"{word}: {position:,} of {target:,}", err=True)

    return show


def _lines(found: ProjectionStatus) -> list[str]:
    return [
        f"behind by {found.lag_events:,} event(s), {found.lag_seconds:.1f} s",
        f"goals still being counted: {found.goals_to_fill}",
        *([] if found.sessions == PRESENT.sessions else [FORMER_SESSIONS]),
        *(
            f"goal {one.goal_id} of site {one.site_id} is set aside: {one.reason}"
            for one in found.goals_set_aside
        ),
        *(
            f"{one.name:20} {_about(one):5} {one.rows:>12,} rows {one.bytes / (1 << 20):>10,.1f} MiB"
            for one in found.read_models
        ),
    ]


def _about(size: ReadModelSize) -> str:
    return "about" if size.estimated else ""
