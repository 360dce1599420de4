"""The tables of the page about reports are true."""

import re
from contextlib import suppress

import pytest

from footfall.adapters.regular_expressions import compile_expression
from footfall.domain.exceptions import ExpressionRefused
from footfall.domain.paths.path_pattern import path_matcher
from footfall.domain.periods.buckets import BucketSize
from footfall.domain.traffic.breakdown import OUTBOUND
from footfall.domain.traffic.dimensions import ALL
from footfall.domain.traffic.filters import GOAL, FilterType


@pytest.fixture(scope="module")
def page(project):
    return (project / "docs" / "read" / "reports.md").read_text()


def rows(page, heading):
    table = page.partition(f"{heading} |")[2].partition("\n\n")[0]
    cells = [re.split(r"(?<!\\)\|", row)[1:-1] for row in table.splitlines()[2:]]
    return [[re.findall(r"`(.+?)`", cell.replace(r"\|", "|")) for cell in row] for row in cells]


def test_patterns_match_what_the_table_says(page):
    examples = rows(page, "| Pattern | matches | does not match")

    assert len(examples) == 7
    for (pattern,), matching, others in examples:
        assert all(path_matcher(pattern)(path) for path in matching)
        assert not any(path_matcher(pattern)(path) for path in others)


def test_expressions_are_accepted_and_refused_as_the_table_says(page):
    examples = rows(page, "| Accepted | Refused")

    assert len(examples) == 6
    for (accepted,), (refused,) in examples:
        assert (accepts(accepted), accepts(refused)) == (True, False)


def test_every_filter_and_every_bucket_is_named(page):
    names = {GOAL, *FilterType, *BucketSize}

    assert {name for name in names if f"`{name}`" not in page} == set()


def test_the_page_about_dimensions_has_each_with_its_label(project):
    page = (project / "docs" / "read" / "dimensions.md").read_text()
    rows = [row.split("|")[1:-1] for row in page.splitlines() if row.startswith("| `")]
    named = {name for row in rows for name in re.findall(r"`(\w+)`", row[0])}
    labels = "".join(row[1] for row in rows)

    assert named | {OUTBOUND} == {one.name for one in ALL}
    assert [one.label for one in ALL if one.label not in labels and not one.name.startswith("utm_")] == [
        "Outbound link"
    ]


def accepts(expression):
    with suppress(ExpressionRefused):
        compile_expression(expression)
        return True
    return False
