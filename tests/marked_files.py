"""Which files a run by marks collects: those that name its marks. To import all takes each process ten seconds."""

import re
from collections.abc import Iterable
from functools import cache
from itertools import chain, combinations
from pathlib import Path

import pytest
from _pytest.mark.expression import Expression, ExpressionMatcher

_MARKS = frozenset({"alone", "citus", "needs", "slow", "thorough"})
# What tests/http/conftest.py makes of a test over cells: a slow one with the mark `cells`, else a thorough one.
_OVER_CELLS = {"cells": "slow", "STORES": "thorough", "on_both_stores": "thorough"}
_NAMED = re.compile(rf"\bmark\.({'|'.join(sorted([*_MARKS, 'cells']))})\b|\b(STORES|on_both_stores)\b")
_OF_THE_FILE = re.compile(r"^pytestmark = .*", re.MULTILINE)
_IMPORTED = re.compile(r"^from (tests\.[\w.]+) import ", re.MULTILINE)
_TESTS = Path(__file__).parent


@cache
def may_hold(path: Path, expression: str) -> bool:
    """Whether a file, or one below a folder, may hold a test that an expression of marks chooses; none chooses all."""
    if not expression:
        return True
    if path.is_dir():
        return any(may_hold(file, expression) for file in path.rglob("test_*.py"))
    of_all = _marks_of_all(path)
    return _can_be_true(expression, of_all, named_marks(path) - of_all)


def refuse_unnamed_marks(items: Iterable[pytest.Item]) -> None:
    """Refuse tests whose marks are not those that `may_hold` finds, so that no run by marks loses a test."""
    for item in items:
        marks = {mark.name for mark in item.iter_markers()} & _MARKS
        if lacking := _marks_of_all(item.path) - marks:
            raise pytest.UsageError(
                f"{item.nodeid} is not marked {', '.join(sorted(lacking))}, as `pytestmark` of its file seems to say: "
                "a run without the mark would not find it"
            )
        if unnamed := marks - named_marks(item.path):
            raise pytest.UsageError(
                f"{item.nodeid} is marked {', '.join(sorted(unnamed))}, which a run by marks would not find: "
                "name the mark in the file, in a conftest.py of its folders, or in a module of tests that it imports"
            )


@cache
def named_marks(path: Path) -> frozenset[str]:
    """Return the marks that a file names, those of what it imports from tests, and of conftest.py in its folders."""
    folders = [folder for folder in path.parents if _TESTS in folder.parents]
    imported = [
        module.replace(".", "/") + ".py" for module in _IMPORTED.findall(path.read_text(encoding="utf-8"))
    ]
    texts = [
        path,
        *(folder / "conftest.py" for folder in folders),
        *(_TESTS.parent / name for name in imported),
    ]
    return frozenset().union(*map(_marks_in, texts))


@cache
def _marks_of_all(path: Path) -> frozenset[str]:
    lines = _OF_THE_FILE.findall(path.read_text(encoding="utf-8"))
    return frozenset(mark for line in lines for mark, _ in _NAMED.findall(line)) & _MARKS


@cache
def _marks_in(path: Path) -> frozenset[str]:
    found = _NAMED.findall(path.read_text(encoding="utf-8")) if path.is_file() else ()
    return frozenset(_OVER_CELLS.get(mark or stores, mark) for mark, stores in found)


@cache
def _can_be_true(expression: str, of_all: frozenset[str], of_some: frozenset[str]) -> bool:
    compiled = Expression.compile(expression)
    unknown = sorted(of_some | (compiled.idents() - _MARKS))
    choices = chain.from_iterable(combinations(unknown, number) for number in range(len(unknown) + 1))
    held = (of_all.union(choice) for choice in choices)
    return any(compiled.evaluate(_among(marks)) for marks in held)


def _among(marks: frozenset[str]) -> ExpressionMatcher:
    return lambda name, /, **_: name in marks
