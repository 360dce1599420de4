"""The name of the program in messages."""

import sys

import pytest

from footfall.entrypoints.cli.output import program


@pytest.mark.parametrize(
    ("typed", "named"),
    [
        (".venv/bin/footfall", ".venv/bin/footfall"),
        ("/usr/bin/footfall", "/usr/bin/footfall"),
        ("/usr/lib/footfall/entrypoints/__main__.py", "footfall"),
    ],
)
def test_a_command_is_named_as_it_was_typed(monkeypatch, typed, named):
    monkeypatch.setattr(sys, "argv", [typed, "serve"])

    assert program() == named
