"""Commands of `footfall` in this process: a process of its own costs a second and a half of imports each time."""

import json
import os
from collections.abc import Callable, Mapping
from typing import Any

from click.testing import CliRunner

from footfall.entrypoints.cli import cli


def commands(settings: Mapping[str, str]) -> Callable[..., Any]:
    """Return a function that runs a command with these settings alone.

    It returns the document of a command with `--json`, else its output; with another `status` the text on standard
    error. A crash is raised, so that it is no refusal with status 1.
    """
    environment = {name: None for name in os.environ if name.startswith("FOOTFALL_")} | dict(settings)

    def run(*arguments: str, status: int = 0) -> Any:
        done = CliRunner().invoke(cli, arguments, env=environment, catch_exceptions=False)
        assert done.exit_code == status, done.stderr
        if status:
            return done.stderr
        return json.loads(done.stdout) if "--json" in arguments else done.stdout

    return run
