"""Pages are short, and written in plain technical English."""

import re

import pytest

from tests.snippets import PAGES, ROOT, name_of, outside_of_fences

LONGEST_PAGE = 200
PRONOUNS = re.compile(r"\b(?:no|some|any|every)body\b|\b(?:who|what)ever\b", re.IGNORECASE)
TEXTS = [*PAGES, ROOT / "CHANGELOG.md", ROOT / "adapters/http/openapi.yaml"]


@pytest.mark.parametrize("text", TEXTS, ids=name_of)
def test_a_page_names_the_component_and_no_indefinite_person(text):
    prose = re.sub(r"`[^`]*`", "", outside_of_fences(text.read_text(encoding="utf-8")))

    assert PRONOUNS.findall(prose) == []


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_a_page_has_at_most_200_lines(page):
    assert len(page.read_text(encoding="utf-8").splitlines()) <= LONGEST_PAGE
