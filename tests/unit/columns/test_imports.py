"""DuckDB is loaded by what reads and makes files, and by nothing else."""

import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    "module",
    [
        "footfall",
        "footfall.adapters.memory.reports.breakdowns",
        "footfall.client",
        "footfall.entrypoints.cli",
        "footfall.entrypoints.composition.bootstrap",
    ],
)
def test_services_commands_and_memory_stores_do_without_duckdb(module):
    program = f"import sys, {module}; print('duckdb' in sys.modules)"

    loaded = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60
    )

    assert loaded.stdout == "False\n"
