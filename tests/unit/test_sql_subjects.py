"""Files of SQL by subject: how they are read, and that no section of them is unused."""

import ast
import re
from contextlib import suppress
from functools import cache
from pathlib import Path
from string import Formatter

import pytest

from footfall import adapters
from footfall.adapters.sql_subjects import UnknownStatement, parse, section, sections
from footfall.domain.traffic.filters import FilterType

ROOT = Path(next(iter(adapters.__path__)))
ADAPTERS = ("columns", "postgres", "sources")
FILES = sorted(path for name in ADAPTERS for path in (ROOT / name).rglob("sql/*.sql"))
MOST_LINES = 500
NAME = re.compile(r"[a-z][a-z0-9_]*")
# What was meant to begin a section, however it is written.
MEANT = re.compile(r"^\s*--+\s*name\b", re.MULTILINE | re.IGNORECASE)
EXAMPLE = """-- About
-- this.

-- name: one
-- Its reason.
select 1

-- name: two
select 2
"""


def test_a_section_is_the_text_from_its_name_to_the_next_one():
    assert parse(EXAMPLE) == {
        "one": "-- name: one\n-- Its reason.\nselect 1",
        "two": "-- name: two\nselect 2",
    }


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (EXAMPLE + "-- name: one\nselect 3", "two statements have the name one"),
        ("-- About\nselect 1\n" + EXAMPLE, "text before the first name: '-- About"),
        ("select 1", "text before the first name: 'select 1'"),
    ],
)
def test_a_file_that_is_not_made_of_sections_with_different_names_is_refused(text, reason):
    with pytest.raises(ValueError, match=f"^{reason}"):
        parse(text)


@pytest.mark.parametrize("address", ["intake/salts/nowhere", "intake/nowhere/make_salt", "salts", ""])
def test_an_unknown_address_is_named(address):
    with pytest.raises(UnknownStatement, match=f"^footfall.adapters.postgres has no statement {address}$"):
        section("footfall.adapters.postgres", address)


def test_the_files_of_three_adapters_are_read():
    assert {path.relative_to(ROOT).parts[0] for path in FILES} == set(ADAPTERS)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_file_is_short_and_each_section_holds_a_statement(path):
    text = path.read_text()

    found = parse(text)

    assert text.count("\n") <= MOST_LINES
    assert len(found) == len(MEANT.findall(text))
    assert [name for name in found if not NAME.fullmatch(name)] == []
    assert [name for name, own in found.items() if all(line[:2] == "--" for line in own.splitlines())] == []


def test_a_folder_of_sql_holds_files_of_subjects_alone():
    assert sorted(path for name in ADAPTERS for path in (ROOT / name).rglob("*.sql")) == sorted(
        [*FILES, *(ROOT / "postgres/migrations").glob("*.sql")]
    )


def all_sections():
    """Return the texts of all sections by adapter, room and address in the adapter."""
    found = {}
    for path in FILES:
        adapter, *room = path.relative_to(ROOT).parts[:-2]
        package = ".".join(["footfall", "adapters", adapter, *room])
        for name, text in sections(package, path.stem).items():
            found[adapter, "/".join([*room, path.stem, name])] = text
    return found


def module_names(adapter):
    """Return the strings of the modules of an adapter, which can be addresses or parts of them, and their patterns."""
    constants, patterns = {*FilterType}, []
    for path in (ROOT / adapter).rglob("*.py"):
        tree = ast.parse(path.read_text())
        known = {
            node.targets[0].id: node.value.value
            for node in tree.body
            if isinstance(node, ast.Assign)
            and isinstance(node.value, ast.Constant)
            and isinstance(node.targets[0], ast.Name)
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                constants.add(node.value)
            elif isinstance(node, ast.JoinedStr):
                patterns.append(re.compile("".join(_pattern(part, known) for part in node.values)))
    return constants, patterns


def _pattern(part, known):
    if isinstance(part, ast.Constant):
        return re.escape(part.value)
    name = part.value.id if isinstance(part.value, ast.Name) else None
    return re.escape(str(known[name])) if name in known else "(.+)"


@cache
def used_by_modules(adapter):
    constants, patterns = module_names(adapter)
    # A pattern without a word of its own matches everything.
    telling = [one for one in patterns if re.search("[a-z]{3}", one.pattern)]

    def used(address):
        if address in constants:
            return True
        found = filter(None, (one.fullmatch(address) for one in telling))
        return any(all(group in constants for group in one.groups()) for one in found)

    return used


def places(adapter, address, text):
    """Return the addresses of the queries that a section reads, and those that its places may take."""
    room = address.split("/")[0] + "/" if adapter == "postgres" else ""
    subject = address.rpartition("/")[0]
    reads = re.findall(r"^-- (?:with|views): (.+)$", text, re.MULTILINE)
    names = [one.partition(" as ")[0] for listed in reads for one in listed.split(", ")]
    # Other braces are those of a statement that has no places.
    with suppress(ValueError):
        names += [place for _, place, _, _ in Formatter().parse(text) if place]
    # A name of three parts names its room, too; one of two is of this room, and one alone of this subject.
    of_parts = [f"{subject}/{{}}", f"{room}{{}}", "{}"]
    return [of_parts[place.count("/")].format(place) for place in names]


def test_each_section_is_used_by_a_module_or_by_another_section():
    texts = all_sections()
    placed = {
        (adapter, one)
        for (adapter, address), text in texts.items()
        for one in places(adapter, address, text)
        if one != address
    }

    unused = [
        f"{adapter}: {address}"
        for adapter, address in texts
        if (adapter, address) not in placed and not used_by_modules(adapter)(address)
    ]

    assert unused == []
