"""Citus stands in one room: all other code serves a store in whatever layout it has."""

import re
from pathlib import Path
from string import Formatter

import pytest

from footfall.adapters.postgres.cells.citus.layout import REPLACED
from footfall.adapters.postgres.database.sql_files import statement

ROOT = Path(__file__).parents[3]
ROOM = ROOT / "adapters/postgres/cells/citus"
FLOORS = ("domain", "application", "adapters", "entrypoints", "src")
# What an operator writes: the word before the URL of a place, and the option of a command.
ALLOWED = {"domain/cells/cell.py", "entrypoints/cli/maintenance/cells.py"}
KINDS = {".py", ".sql", ".html", ".js", ".json", ".toml"}
PARAMETER = re.compile(r"%\((\w+)\)s")


def test_no_other_code_names_citus():
    files = [path for floor in FLOORS for path in (ROOT / floor).rglob("*") if path.suffix in KINDS]
    naming = {str(path.relative_to(ROOT)) for path in files if "citus" in path.read_text("utf-8").lower()}

    assert len(files) > 500
    assert {name for name in naming if ROOM not in (ROOT / name).parents} == ALLOWED


@pytest.mark.parametrize("name", REPLACED)
def test_a_replacement_has_the_places_and_parameters_of_the_statement_that_it_replaces(name):
    assert wanted(REPLACED[name]) == wanted(name)


def wanted(name):
    text = statement(name).decode()
    places = {place for _, place, _, _ in Formatter().parse(text) if place}
    return places, set(PARAMETER.findall(text))
