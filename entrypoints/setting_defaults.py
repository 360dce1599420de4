"""Defaults of settings that depend on the machine, and their bounds (docs/operate/configuration.md)."""

import os
from pathlib import Path

import platformdirs

from footfall.entrypoints.machine_memory import memory_in_megabytes

MOST_WORKERS = 4
# Megabytes.
LEAST_REPORT_MEMORY = 128
MOST_REPORT_MEMORY = 512


def data_dir() -> Path:
    """Return the data directory of the user."""
    return Path(platformdirs.user_data_dir("footfall"))


def workers() -> int:
    """Return one worker for each core, at most four."""
    return min(os.cpu_count() or 1, MOST_WORKERS)


def report_memory(machine: int | None = None) -> int:
    """Return a quarter of the memory that there is, within bounds, in megabytes."""
    there = memory_in_megabytes() if machine is None else machine
    return max(LEAST_REPORT_MEMORY, min(there // 4, MOST_REPORT_MEMORY))
