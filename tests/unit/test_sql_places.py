"""Statements run as they stand: few have places that are filled before they run."""

import re
from pathlib import Path

from footfall import adapters
from footfall.adapters.sql_subjects import parse

ROOT = Path(str(adapters.__file__)).parent
# docs/internals/architecture.md#stores says which kinds may have places.
MOST = 68
PLACE = re.compile(r"(?<!\{)\{[a-z_/]+\}(?!\})")


def test_statements_have_few_places():
    placed = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in sorted(ROOT.rglob("sql/*.sql"))
        for name, text in parse(path.read_text("utf-8")).items()
        if PLACE.search(text)
    ]

    assert len(placed) <= MOST
