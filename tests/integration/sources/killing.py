"""Imports in processes of their own that are killed: forked from one that has imported the command already."""

import os
import time

import psycopg
from attrs import evolve

from tests.forked import FORKING

PATIENCE_SECONDS = 120


def in_pieces_of(rows, pieces):
    """Return what yields the pieces of a source with so many rows each."""
    return lambda source, mark: pieces(evolve(source, rows_of_a_piece=rows), mark)


def run(arguments, environment, rows_of_a_piece):
    """Import in this process."""
    from footfall.adapters.sources.reading.file_set import FileSet  # noqa: PLC0415 - of the new process
    from footfall.adapters.sources.reading.time_order import OrderedSource  # noqa: PLC0415 - of the new process
    from footfall.entrypoints.cli import cli  # noqa: PLC0415 - of the new process
    from footfall.entrypoints.composition import bootstrap  # noqa: PLC0415 - of the new process
    from tests.integration.sources.preloaded import AGENTS  # noqa: PLC0415 - of the new process

    bootstrap.UaParserUserAgents = lambda: AGENTS
    os.environ.update(environment)
    for kind in (FileSet, OrderedSource):
        kind.pieces = in_pieces_of(rows_of_a_piece, kind.pieces)
    silent = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silent, 1)
    os.dup2(silent, 2)
    cli(["import", *arguments])


def is_killed_at(steps, url, *, arguments, environment, rows_of_a_piece):
    """Kill an import when it has stored so many pieces; return whether it was alive."""
    process = FORKING.Process(target=run, args=(arguments, environment, rows_of_a_piece))
    process.start()
    until = time.monotonic() + PATIENCE_SECONDS
    with psycopg.connect(url, autocommit=True) as connection:
        while process.is_alive() and time.monotonic() < until:
            [reached] = connection.execute("select coalesce(max(steps), 0) from site_import").fetchone()
            if reached >= steps:
                process.kill()
                break
            time.sleep(0.001)
    process.join()
    return process.exitcode == -9
