"""A process that rebuilds the projections of a store, and is killed at one of the steps."""

import asyncio
import os
import signal
import sys

from footfall.adapters.columns.files.maker import Maker
from footfall.adapters.columns.files.next_files import NextFiles
from footfall.adapters.postgres.columns.days import PostgresColumnStore
from footfall.adapters.postgres.columns.nodes import PostgresColumnNodes
from footfall.adapters.postgres.projections import tables
from footfall.adapters.postgres.projections.rebuild import Rebuild
from footfall.entrypoints.composition.commands.rebuild_files import rebuild
from footfall.entrypoints.settings import read_settings

STEPS = (
    (Rebuild, "replay"),
    (Rebuild, "vacuum"),
    (PostgresColumnStore, "close_all"),
    (PostgresColumnStore, "close_due"),
    (PostgresColumnNodes, "ask"),
    (NextFiles, "make"),
    (Maker, "make"),
    (Maker, "_put_in_place"),
    (Rebuild, "exchange"),
    (tables.TableSet, "replace"),
)


def kill_at(step):
    """Let this process be killed before the step of a number, or after it: the first half are before."""
    holder, name = STEPS[step % len(STEPS)]
    usual, is_before = getattr(holder, name), step < len(STEPS)

    def die():
        os.kill(os.getpid(), signal.SIGKILL)

    if asyncio.iscoroutinefunction(usual):

        async def dying(*arguments, **options):
            if not is_before:
                await usual(*arguments, **options)
            die()
    else:

        def dying(*arguments, **options):
            if not is_before:
                usual(*arguments, **options)
            die()

    setattr(holder, name, dying)


async def make_in_this_process(_settings, columns):
    """Make the files of this node without a process of their own, which would outlive this one."""
    await columns.make()


def main():
    url, data_dir, step = sys.argv[1:]
    kill_at(int(step))
    settings = read_settings({"FOOTFALL_DATABASE_URL": url, "FOOTFALL_DATA_DIR": data_dir})
    asyncio.run(rebuild(settings, url, lambda _position, _target: None, make=make_in_this_process))


if __name__ == "__main__":
    main()
