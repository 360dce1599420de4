"""`footfall cell`."""

import asyncio
import os
from typing import Any

import click
from attrs import evolve

from footfall.application.commands.context import CommandContext
from footfall.domain.cells.cell import MAIN, split_place
from footfall.entrypoints.cli.output import CommandRefused, emit, emit_done, emit_table, json_option, option
from footfall.entrypoints.cli.store_commands import on_journal
from footfall.entrypoints.composition.commands.cell_commands import (
    CellStanding,
    add_cell,
    migrate_cells,
    standings,
)
from footfall.entrypoints.composition.commands.cell_moves import move_cell
from footfall.entrypoints.composition.service import Journal
from footfall.entrypoints.composition.stores import opened_store
from footfall.entrypoints.setting_parsers import database_url
from footfall.entrypoints.settings import read_settings


@click.group()
def cell() -> None:
    """Divide the traffic of sites among several stores (docs/internals/servers/cells.md).

    FOOTFALL_CELLS names their places. The store of the journal is the cell main.
    """


@cell.command("add")
@click.argument("name")
@option(
    "--citus",
    "coordinator",
    help="The place of the cell as the URL of a coordinator of Citus (docs/internals/servers/citus.md).",
)
@json_option
def add(name: str, coordinator: str | None, *, as_json: bool) -> None:
    """Make the store of the cell NAME at its place in FOOTFALL_CELLS; new sites go there from now on.

    With --citus the cell is a distributed schema. The service needs the same URL, with citus+ before it, in
    FOOTFALL_CELLS.
    """
    settings = read_settings(os.environ)
    if coordinator is not None:
        settings = evolve(settings, cells={**settings.cells, name: _citus_place(coordinator)})
    with opened_store(settings) as url:
        asyncio.run(add_cell(settings, url, name))
    emit({"cell": name}, [f"the cell {name} takes sites"], as_json=as_json)


@cell.command("list")
@on_journal(emit_table)
async def list_cells(journal: Journal) -> list[dict[str, Any]]:
    """List the cells with their places and the number of their sites."""
    sites = [record.site.cell or MAIN for record in journal.directory.sites()]
    cells = {cell.name: cell for cell in journal.directory.cells()}
    rows = [
        {"cell": name, "place": cell.place, "open": not cell.closed, "sites": sites.count(name)}
        for name, cell in cells.items()
        if name != MAIN
    ]
    main_open = MAIN not in cells or not cells[MAIN].closed
    return [{"cell": MAIN, "place": None, "open": main_open, "sites": sites.count(MAIN)}, *rows]


@cell.command("status")
@json_option
def status(*, as_json: bool) -> None:
    """Ask each cell how it is; exit with status 1 when one is away."""
    settings = read_settings(os.environ)
    with opened_store(settings) as url:
        cells = asyncio.run(standings(settings, url))
    emit_table([_row(standing) for standing in cells], as_json=as_json)
    if away := [standing.cell.name for standing in cells if standing.trouble]:
        raise CommandRefused(f"away: {', '.join(away)}")


@cell.command("move")
@click.argument("name")
@option(
    "--to",
    "place",
    required=True,
    help="The new place, as FOOTFALL_CELLS names it, or the node of a cell on a cluster as host:port.",
)
@json_option
def move(name: str, place: str, *, as_json: bool) -> None:
    """Copy the store of the cell NAME to another place, and answer from there.

    Events of its sites are stored meanwhile. At the end they are answered with 503 for a moment, 5 seconds at most.
    Until then the old place is in force; it stays so when the command is interrupted. A cell on a cluster moves to
    another node without such a moment.
    """
    settings = read_settings(os.environ)
    with opened_store(settings) as url:
        moved = asyncio.run(move_cell(settings, url, name, place, lambda step: click.echo(step, err=True)))
    seconds = round(moved.seconds, 3)
    if moved.to_node:
        emit(
            {"cell": name, "node": place, "pauseSeconds": seconds},
            [f"the cell {name} is at the node {place}; its events waited for {seconds:.2f} s"],
            as_json=as_json,
        )
        return
    emit(
        {"cell": name, "place": place, "refusedSeconds": seconds},
        [f"the cell {name} is at the place {place}; its events were refused for {seconds:.2f} s"],
        as_json=as_json,
    )


@cell.command("migrate")
@click.argument("name", required=False)
@option("--check", is_flag=True, help="Apply nothing; exit with status 1 when migrations are missing.")
@json_option
def migrate(name: str | None, *, check: bool, as_json: bool) -> None:
    """Bring the schema of the cell NAME, or of every cell, to this version."""
    settings = read_settings(os.environ)
    with opened_store(settings) as url:
        applied = asyncio.run(migrate_cells(settings, url, name, check=check))
    names = {cell: [migration.name for migration in migrations] for cell, migrations in applied.items()}
    word = "lacks" if check else "applied"
    lines = [
        f"{cell}: {f'{word} {len(done)} migration(s)' if done else 'the schema is current'}"
        for cell, done in names.items()
    ]
    emit(names, lines or ["there are no cells"], as_json=as_json)
    if check and any(names.values()):
        raise CommandRefused("run footfall cell migrate")


@cell.command("close")
@click.argument("name")
@on_journal(emit_done)
async def close(journal: Journal, name: str) -> dict[str, Any]:
    """Place no new sites in the cell NAME; it keeps those that it has. main is the store of the journal."""
    await journal.commands.cells.close(name, CommandContext())
    return {"cell": name, "open": False}


@cell.command("open")
@click.argument("name")
@on_journal(emit_done)
async def reopen(journal: Journal, name: str) -> dict[str, Any]:
    """Place new sites in the cell NAME again."""
    await journal.commands.cells.reopen(name, CommandContext())
    return {"cell": name, "open": True}


def _citus_place(coordinator: str) -> str:
    _, url = split_place(coordinator)
    try:
        database_url(url)
    except ValueError as refusal:
        raise CommandRefused(f"the URL of --citus {refusal}") from None
    return f"citus+{url}"


def _row(standing: CellStanding) -> dict[str, Any]:
    behind = standing.projections
    return {
        "cell": standing.cell.name,
        "place": standing.cell.place,
        "open": not standing.cell.closed,
        "sites": standing.sites,
        "server": standing.server,
        "node": standing.node,
        "bytes": standing.size,
        "eventsBehind": None if behind is None else behind.lag_events,
        "secondsBehind": None if behind is None else round(behind.lag_seconds, 1),
        "trouble": standing.trouble,
    }
