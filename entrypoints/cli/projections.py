"""`footfall projections`."""

import asyncio
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from footfall.adapters.postgres.projection_status import ProjectionStatus
from footfall.entrypoints.bootstrap import read_projection_status, rebuilding
from footfall.entrypoints.cli.output import Refused, emit, json_option
from footfall.entrypoints.settings import read_settings
from footfall.entrypoints.stores import opened_store

LINE_SECONDS = 5.0

Progress = Callable[[int, int], None]


@click.group()
def projections() -> None:
    """Look after what reports are read from: derived from the logs, and made again from them."""


@projections.command("status")
@json_option
def status(*, as_json: bool) -> None:
    """Say how far the projections are behind, and how large they are."""
    with opened_store(read_settings(os.environ)) as url:
        found = asyncio.run(read_projection_status(url))
    document = {
        "lagEvents": found.lag_events,
        "lagSeconds": round(found.lag_seconds, 3),
        "position": found.position,
        "journalPosition": found.journal_position,
        "goalsToFill": found.goals_to_fill,
        "readModels": [{"name": one.name, "rows": one.rows, "bytes": one.bytes} for one in found.read_models],
    }
    emit(document, _lines(found), as_json=as_json)


@projections.command("rebuild")
@click.option("--verify", is_flag=True, help="Change nothing; exit with status 1 when a replay differs.")
@json_option
def rebuild(*, verify: bool, as_json: bool) -> None:
    """Make the projections again from the logs, beside the ones in use, which go on answering."""
    with opened_store(read_settings(os.environ)) as url:
        result = asyncio.run(_verified(url) if verify else _rebuilt(url))
    differing = {table: rows for table, rows in result.items() if rows}
    word = "verified" if verify else "rebuilt"
    if as_json or not differing:
        emit(
            {word: not differing, "differences": differing}, [f"the projections are {word}"], as_json=as_json
        )
    if differing:
        raise Refused("; ".join(f"{table} differs in {rows} row(s)" for table, rows in differing.items()))


async def _verified(url: str) -> dict[str, int]:
    async with rebuilding(url) as rebuilt:
        with _progress("replaying") as progress:
            await rebuilt.replay(progress)
        return await rebuilt.differences()


async def _rebuilt(url: str) -> dict[str, int]:
    async with rebuilding(url) as rebuilt:
        with _progress("rebuilding") as progress:
            await rebuilt.replay(progress)
        await rebuilt.exchange()
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
        *(
            f"{one.name:20} about {one.rows:>12,} rows {one.bytes / (1 << 20):>10,.1f} MiB"
            for one in found.read_models
        ),
    ]
