"""The check of the reading process for `footfall doctor`."""

import asyncio

from footfall.entrypoints.cli.maintenance.findings import Unhealthy
from footfall.entrypoints.composition.reading.reader_health import reader_standing
from footfall.entrypoints.machine_memory import memory_in_megabytes
from footfall.entrypoints.settings import Settings

# The largest share of the memory of the machine or of its control group: workers and store need the rest.
_MOST_SHARE = 0.5
_MEBIBYTE = 1 << 20


def look_at_reading_process(settings: Settings) -> str:
    """Return what the process answers, or that it does not run because the service does not.

    Raises:
        Unhealthy: its budget is too large, or a worker keeps it running and it does not answer.
        PlaceTaken: others may enter the directory of its socket.

    """
    budget = _budget(settings.report_memory, memory_in_megabytes())
    reader = asyncio.run(reader_standing(settings))
    if reader.memory is not None:
        return f"it answers, and its DuckDB has allocated {reader.memory // _MEBIBYTE} MiB of {budget}"
    if reader.is_kept:
        raise Unhealthy(
            "it does not answer, and reports are refused with 503: the log of the service says why"
        )
    return f"it does not run: the service starts it, with {budget}"


def _budget(megabytes: int, available: int) -> str:
    if megabytes > available * _MOST_SHARE:
        raise Unhealthy(
            f"FOOTFALL_REPORT_MEMORY is {megabytes:,} MB, more than half of the {available:,} MB of this machine or of"
            " its control group"
        )
    return f"{megabytes:,} MB, where there are {available:,}"
