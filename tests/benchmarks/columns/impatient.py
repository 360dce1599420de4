"""`footfall` whose workers end DuckDB after some idle seconds instead of after ten minutes."""

from functools import partial

from footfall.adapters.columns import engine
from footfall.entrypoints.cli import cli

IDLE_SECONDS = 5.0

if __name__ == "__main__":
    engine.Limits = partial(engine.Limits, idle_seconds=IDLE_SECONDS)
    cli(prog_name="footfall")
