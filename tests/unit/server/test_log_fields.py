"""Fields of the lines that jobs log."""

import asyncio
import logging

from footfall.entrypoints.composition.background import Background
from footfall.entrypoints.log_fields import JobFields


async def test_a_line_names_the_cell_of_its_job_whichever_part_logs_it():
    lines, logged = [], asyncio.Event()

    class Kept(logging.Handler):
        def emit(self, record):
            lines.append((record.getMessage(), getattr(record, "cell", None)))

    handler = Kept()
    handler.addFilter(JobFields())
    log = logging.getLogger("a part of the test")
    log.setLevel(logging.INFO)
    log.addHandler(handler)

    async def job():
        await asyncio.create_task(line())
        log.info("its own", extra={"cell": "east"})
        logged.set()
        await asyncio.Event().wait()

    async def line():
        log.info("of a part")

    background = Background({"projector": job}, log_fields={"cell": "west"})
    background.start()
    await logged.wait()
    log.info("beside")
    await background.stop()

    assert lines == [("of a part", "west"), ("its own", "east"), ("beside", None)]
