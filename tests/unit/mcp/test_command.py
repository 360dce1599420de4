"""`footfall mcp` where its packages are not installed."""

import sys

import pytest
from click.testing import CliRunner

from footfall.entrypoints.cli import cli


@pytest.mark.parametrize("missing", ["mcp", "uvicorn"])
def test_without_its_packages_the_command_says_what_to_install(monkeypatch, missing):
    for name in [name for name in sys.modules if name.startswith("footfall.entrypoints.mcp")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, missing, None)

    said = CliRunner().invoke(cli, ["mcp"])

    assert said.exit_code == 1
    assert said.stderr == (
        "footfall: the command needs the packages for MCP, which footfall[server] brings "
        f"({missing} is missing)\n"
    )
