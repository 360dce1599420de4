"""The command line, run in this process."""

import json

import pytest
from click.testing import CliRunner

from footfall.entrypoints.cli import cli


@pytest.fixture
def data_dir(tmp_path):
    """The data directory of the commands; it is not there yet."""
    return tmp_path / "data"


@pytest.fixture
def footfall_without_store(data_dir, monkeypatch):
    """Run one command and return its result; `env` adds to the environment, `input` is the standard input.

    A crash is raised, so that it is no refusal with status 1.
    """
    monkeypatch.setenv("FOOTFALL_DATA_DIR", str(data_dir))
    runner = CliRunner()

    def run(*arguments, **options):
        return runner.invoke(
            cli, [str(argument) for argument in arguments], catch_exceptions=False, **options
        )

    return run


@pytest.fixture
def footfall(footfall_without_store, database_url, monkeypatch):
    """Run one command on the database of the test and return its result."""
    monkeypatch.setenv("FOOTFALL_DATABASE_URL", database_url)
    return footfall_without_store


@pytest.fixture
def answered(footfall):
    """Run one command that must succeed and return its JSON document."""

    def run(*arguments):
        result = footfall(*arguments, "--json")
        assert result.exit_code == 0, result.output
        return json.loads(result.stdout)

    return run
