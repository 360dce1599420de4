"""A worker that evaluates rules and sends what is told, until it is killed; its clock is a file.

`python tests/integration/alerts/worker.py DATABASE_URL CLOCK_FILE SMTP_PORT SECRET`
"""

import asyncio
import os
import sys
from datetime import datetime
from pathlib import Path

from attrs import evolve, frozen

from footfall.entrypoints.composition.application import build_app
from footfall.entrypoints.settings import read_settings
from tests.stores.reading import adapters_of


@frozen
class FileClock:
    """The time that a file holds."""

    path: Path

    def now(self):
        """Return it."""
        return datetime.fromisoformat(self.path.read_text())


async def work(url, path, port, secret):
    """Do what the jobs of a worker do, without their pauses."""
    settings = read_settings(
        {
            "FOOTFALL_ALERT_NETWORKS": "127.0.0.0/8",
            "FOOTFALL_SMTP_URL": f"smtp://127.0.0.1:{port}",
            "FOOTFALL_PUBLIC_URL": "https://stats.example.com",
        }
    )
    adapters = adapters_of(settings, url)
    adapters = evolve(adapters, clock=FileClock(path))
    built = build_app(adapters.ports(), settings, secret=secret.encode(), lifecycle=adapters.lifecycle)
    jobs = adapters.jobs(built.service)
    turns = [jobs[name].__self__.work for name in ("alerts", "alert requests", "mail")]
    await adapters.main.open()
    await built.service.journal.directory.catch_up()
    await asyncio.gather(*(_repeat(one) for one in turns))


async def _repeat(turn):
    parent = os.getppid()
    while os.getppid() == parent:
        await turn()
        await asyncio.sleep(0.02)


if __name__ == "__main__":
    asyncio.run(work(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]), sys.argv[4]))
