"""Blocks of code in the documentation are valid: code compiles, JSON parses, shell lines parse."""

import ast
import json
import re
import subprocess
from itertools import pairwise
from pathlib import Path

import pytest
import yaml_rs

from tests.snippets import (
    ELSEWHERE,
    NOT_RUN,
    PAGES,
    ROOT,
    SHELL,
    commands_of,
    name_of,
    outside_of_fences,
    snippets_of,
)

SNIPPETS = [snippet for page in PAGES for snippet in snippets_of(page)]
OTHERS = {"jsx", "cjs", "html", "js", "sql", "text"}


@pytest.mark.parametrize("snippet", SNIPPETS, ids=str)
def test_a_snippet_is_of_its_language(snippet):
    match snippet.language:
        case "python":
            compile(snippet.code, "<snippet>", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
        case "json":
            json.loads(snippet.code)
        case "yaml":
            yaml_rs.loads(snippet.code)
        case language if language in SHELL:
            assert commands_of(snippet)
            shell("".join(command.line for command in commands_of(snippet)))
        case other:
            assert other in OTHERS


def shell(code):
    checked = subprocess.run(["bash", "-n"], input=code, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stderr


def test_code_is_always_fenced_so_that_it_is_seen_and_run():
    indented = [
        f"{name_of(page)}: {line}"
        for page in PAGES
        for line in re.findall(r"^(?: {4}|\t)\S.*", outside_of_fences(page.read_text()), re.MULTILINE)
    ]

    assert indented == []


def test_every_block_is_run_or_on_the_list_of_those_that_are_not():
    known = {
        (snippet.page, word) for page in PAGES for snippet in snippets_of(page) for word in words_of(snippet)
    }
    left = [
        str(snippet)
        for page in PAGES
        for before, snippet in pairwise([None, *snippets_of(page)])
        if not any((snippet.page, word) in NOT_RUN | ELSEWHERE for word in words_of(snippet))
        and not is_run(snippet, before)
    ]

    assert left == []
    assert {*NOT_RUN, *ELSEWHERE} - known == set()


def words_of(snippet):
    """Return what a list knows a block by."""
    return snippet.first_line, snippet.language


def is_run(snippet, before):
    printed = snippet.language == "text" and before is not None and before.language == "python"
    return printed or snippet.language in SHELL | {"python"}


def test_what_is_run_elsewhere_is_run_by_a_test_that_reads_the_page():
    for (page, _), test in ELSEWHERE.items():
        assert Path(page).name in (ROOT / test).read_text()
