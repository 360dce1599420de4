"""Pages are short, and written in plain technical English."""

import io
import re
import tokenize

import pytest

from tests.snippets import PAGES, ROOT, name_of, outside_of_fences

LONGEST_PAGE = 200
MOST_WORDS_FOR_USERS = 35_000
_PERSONS = r"\b(?:no|some|any|every)body\b|\b(?:some|any|every|no )one\b|\bwhoever\b"
PERSONS = re.compile(_PERSONS, re.IGNORECASE)
PRONOUNS = re.compile(rf"{_PERSONS}|\bwhatever\b", re.IGNORECASE)
FOLDERS = ("adapters", "application", "domain", "entrypoints", "clients/python")
TEXTS = [*PAGES, ROOT / "CHANGELOG.md", ROOT / "adapters/http/openapi.yaml"]


@pytest.mark.parametrize("text", TEXTS, ids=name_of)
def test_a_page_names_the_component_and_no_indefinite_person(text):
    prose = re.sub(r"`[^`]*`", "", outside_of_fences(text.read_text(encoding="utf-8")))

    assert PRONOUNS.findall(prose) == []


@pytest.mark.parametrize("folder", FOLDERS)
def test_docstrings_and_comments_name_no_indefinite_person(folder):
    modules = sorted((ROOT / folder).rglob("*.py"))
    named = {path.name: PERSONS.findall(comments_of(path.read_text(encoding="utf-8"))) for path in modules}

    assert {name: words for name, words in named.items() if words} == {}


def comments_of(source):
    """Return the comments and the docstrings of a module, without what they quote."""
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    texts = [text for kind, text, *_ in tokens if kind == tokenize.COMMENT or text.startswith('"""')]
    return re.sub(r"`[^`]*`", "", "\n".join(texts))


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_a_page_has_at_most_200_lines(page):
    assert len(page.read_text(encoding="utf-8").splitlines()) <= LONGEST_PAGE


def test_the_pages_for_users_are_few_enough_to_be_read():
    folders = [folder for folder in (ROOT / "docs").iterdir() if folder.name != "internals"]
    texts = [page.read_text(encoding="utf-8") for folder in folders for page in folder.rglob("*.md")]
    words = [word for text in texts for word in outside_of_fences(text).split() if re.search(r"\w", word)]

    assert len(words) <= MOST_WORDS_FOR_USERS
