"""Links between pages, references of the code to pages, and paths that pages name lead to something that exists."""

import re
from functools import cache

import pytest

from tests.snippets import PAGES, ROOT, name_of, outside_of_fences

PLACES = ("adapters", "application", "clients", "docs", "domain", "entrypoints", "tests")
# A path of the tree in a page: `domain/goals/goal.py`, `adapters/http/`, `tests/e2e`.
NAMED = re.compile(rf"`((?:{'|'.join(PLACES)})/[\w./-]*)(?:::\w+)?`")
SUFFIXES = {".py", ".sql", ".toml", ".html", ".mjs", ".ts", ".yaml", ".yml", ""}
# Files of other projects, which name pages of theirs.
GENERATED = {"node_modules", "isbot", "__pycache__"}
REFERENCE = re.compile(r"(docs/[\w/-]+\.(?:md|yml|json|yaml))(?:#([\w-]+))?")


@cache
def sources():
    """Return the files that people write and that can refer to a page."""
    places = [ROOT, *(ROOT / place for place in PLACES)]
    found = [file for place in places for file in (place.glob("*") if place == ROOT else place.rglob("*"))]
    return [
        file for file in found if file.suffix in SUFFIXES and file.is_file() and not GENERATED & {*file.parts}
    ]


@cache
def anchors_of(page):
    """Return the anchors of a page as GitHub makes them of its headings."""
    headings = re.findall(r"^#+ (.*)$", outside_of_fences(page.read_text(encoding="utf-8")), re.MULTILINE)
    return [re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings]


def leads_nowhere(page, anchor):
    return not page.exists() or bool(anchor and page.suffix == ".md" and anchor not in anchors_of(page))


def test_links_between_pages_lead_to_a_page_and_a_heading():
    broken = [
        f"{name_of(page)}: {target}#{anchor}"
        for page in PAGES
        for target, anchor in re.findall(
            r"\]\((?!https?:)([^)#]*)#?([^)]*)\)", page.read_text(encoding="utf-8")
        )
        if leads_nowhere((page.parent / target).resolve() if target else page, anchor)
    ]

    assert broken == []


def links_of(page):
    targets = re.findall(r"\]\((?!https?:)([^)#]+)[^)]*\)", page.read_text(encoding="utf-8"))
    return {(page.parent / target).resolve() for target in targets} & {*PAGES}


def test_every_page_is_reached_from_the_first_one():
    reached, new = set(), {ROOT / "README.md"}
    while new:
        reached |= new
        new = set().union(*map(links_of, new)) - reached

    assert {name_of(page) for page in {*PAGES} - reached} == set()


def test_the_index_names_every_page_but_those_of_an_index_below_it():
    folders = {page.parent for page in PAGES if page.name == "README.md"} - {ROOT, ROOT / "docs"}
    named = links_of(ROOT / "docs" / "README.md").union(*(links_of(one / "README.md") for one in folders))

    assert {name_of(page) for page in {*PAGES} - named} == {"README.md", "docs/README.md"}


def test_references_of_the_code_lead_to_a_page_and_a_heading():
    broken = [
        f"{file.relative_to(ROOT)}: {page}#{anchor}"
        for file in sources()
        for page, anchor in REFERENCE.findall(file.read_text(encoding="utf-8"))
        if leads_nowhere(ROOT / page, anchor)
    ]

    assert broken == []


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_paths_that_a_page_names_are_in_the_tree(page):
    named = {*NAMED.findall(page.read_text(encoding="utf-8"))} - {"application/json"}

    assert {path for path in named if not (ROOT / path).exists()} == set()
