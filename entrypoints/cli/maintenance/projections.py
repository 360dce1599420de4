"""`footfall projections`."""

import asyncio
import os
from typing import Any

import click

from footfall.domain.citations.definitions import PRESENT
from footfall.entrypoints.cli.output import CommandRefused, emit, json_option, option
from footfall.entrypoints.cli.progress import progress_to
from footfall.entrypoints.composition.commands.cell_commands import CellStanding, opened_part, standings
from footfall.entrypoints.composition.commands.command_adapters import ProjectionStatus, ReadModelSize
from footfall.entrypoints.composition.commands.command_stores import read_projection_status
from footfall.entrypoints.composition.commands.rebuild_files import rebuild as rebuild_with_files
from footfall.entrypoints.composition.projectors import rebuilding
from footfall.entrypoints.composition.stores import opened_store
from footfall.entrypoints.server.logs import configure_logs
from footfall.entrypoints.settings import Settings, read_settings

FORMER_SESSIONS = (
    "sessions are being formed anew by the times of events; reports use the former ones until then"
)


@click.group()
def projections() -> None:
    """Inspect and rebuild the read models of reports, which are derived from the logs."""


@projections.command("status")
@json_option
def status(*, as_json: bool) -> None:
    """Show the lag and the size of the projections."""
    settings = read_settings(os.environ)
    with opened_store(settings) as url:
        main = asyncio.run(read_projection_status(url))
        cells = asyncio.run(standings(settings, url)) if settings.cells else []
    document, lines = _document(main), _lines(main)
    if cells:
        document["cells"] = {cell.cell.name: _of_cell(cell) for cell in cells}
    emit(document, [*lines, *(line for cell in cells for line in _lines_of_cell(cell))], as_json=as_json)


def _document(status: ProjectionStatus) -> dict[str, Any]:
    return {
        "lagEvents": status.lag_events,
        "lagSeconds": round(status.lag_seconds, 3),
        "position": status.position,
        "journalPosition": status.journal_position,
        "sessions": status.sessions,
        "goalsToFill": status.goals_to_fill,
        "goalsSetAside": [
            {"goalId": goal.goal_id, "siteId": goal.site_id, "reason": goal.reason}
            for goal in status.goals_set_aside
        ],
        "readModels": [
            {"name": model.name, "rows": model.rows, "rowsEstimated": model.estimated, "bytes": model.bytes}
            for model in status.read_models
        ],
    }


def _of_cell(standing: CellStanding) -> dict[str, Any]:
    return {"trouble": standing.trouble} if standing.projections is None else _document(standing.projections)


def _lines_of_cell(standing: CellStanding) -> list[str]:
    if standing.projections is None:
        return ["", f"cell {standing.cell.name} is away: {standing.trouble}"]
    return ["", f"cell {standing.cell.name}:", *_lines(standing.projections)]


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
        with progress_to("replaying") as show:
            await rebuilt.replay(show)
        return await rebuilt.differences()


async def _rebuilt(settings: Settings, url: str) -> dict[str, int]:
    with progress_to("rebuilding") as show:
        await rebuild_with_files(settings, url, show)
    return {}


def _lines(status: ProjectionStatus) -> list[str]:
    return [
        f"behind by {status.lag_events:,} event(s), {status.lag_seconds:.1f} s",
        f"goals still being counted: {status.goals_to_fill}",
        *([] if status.sessions == PRESENT.sessions else [FORMER_SESSIONS]),
        *(
            f"goal {goal.goal_id} of site {goal.site_id} is set aside: {goal.reason}"
            for goal in status.goals_set_aside
        ),
        *(
            f"{model.name:20} {_about(model):5} {model.rows:>12,} rows {model.bytes / (1 << 20):>10,.1f} MiB"
            for model in status.read_models
        ),
    ]


def _about(size: ReadModelSize) -> str:
    return "about" if size.estimated else ""
