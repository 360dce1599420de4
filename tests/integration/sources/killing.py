"""Imports in processes of their own that are killed: forked from one that has imported the command already."""

import os
import time
from multiprocessing import get_context

import psycopg

FORKING = get_context("forkserver")
FORKING.set_forkserver_preload(["footfall.entrypoints.cli", "tests.integration.sources.preloaded"])
PATIENCE_SECONDS = 120


def run(arguments, environment, rows_of_a_piece):
    """Import in this process."""
    from footfall.adapters.sources.reading import file_set, time_order  # noqa: PLC0415 - of the new process
    from footfall.entrypoints.cli import cli  # noqa: PLC0415 - of the new process
    from footfall.entrypoints.composition import bootstrap  # noqa: PLC0415 - of the new process
    from tests.integration.sources.preloaded import AGENTS  # noqa: PLC0415 - of the new process

    bootstrap.UaParserUserAgents = lambda: AGENTS
    os.environ.update(environment)
    file_set.ROWS_OF_A_PIECE = time_order.ROWS_OF_A_PIECE = rows_of_a_piece
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
