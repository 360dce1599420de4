"""The documentation names everything that is there."""

import re

import pytest

from footfall.entrypoints.cli import cli
from footfall.entrypoints.settings import Settings, read_settings


@pytest.fixture(scope="module")
def operations(request):
    return (request.config.rootpath / "docs" / "operations.md").read_text()


def test_every_command_has_its_heading(operations):
    headings = set(re.findall(r"^### footfall (\w+)", operations, re.MULTILINE))

    assert headings == set(cli.commands)


def test_every_setting_is_in_the_table(operations):
    names = {f"FOOTFALL_{name.upper()}" for name in Settings.__annotations__}

    assert {name for name in names if f"`{name}`" not in operations} == set()
    assert read_settings({}) is not None


def test_every_option_has_an_environment_twin():
    for command in _commands(cli):
        for parameter in command.params:
            if parameter.param_type_name == "option" and not getattr(parameter, "is_flag", False):
                expected = f"FOOTFALL_{max(parameter.opts, key=len).lstrip('-').replace('-', '_').upper()}"
                assert parameter.envvar == expected


def _commands(command):
    yield command
    for child in getattr(command, "commands", {}).values():
        yield from _commands(child)
