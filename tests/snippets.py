"""The blocks of code of the documentation, as tests take them."""

import re
from pathlib import Path

from attrs import frozen

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
SHELL = {"sh", "bash", "console"}
# Where a block is run instead: a test that reads the page.
ELSEWHERE = {
    ("docs/clients/browser.md", "html"): "tests/e2e/test_browser.py",
    ("docs/clients/browser.md", "js"): "tests/e2e/test_browser.py",
    ("docs/clients/node.md", "js"): "clients/node/tests/docs.test.mjs",
    ("docs/clients/node.md", "cjs"): "clients/node/tests/docs.test.mjs",
}
# What is not run, by the page and the first line, and why.
NOT_RUN = {
    ("README.md", "$ make run"): "tests/e2e/test_new_user.py does, in a fresh clone",
    (
        "docs/architecture.md",
        "            HTTP clients        browsers        operators          Python developers",
    ): "a drawing",
    ("docs/contributing.md", "make check"): "is run by whoever runs this, or runs this",
    (
        "docs/contributing.md",
        ".venv/bin/python -m pytest -q tests/unit/test_goal.py",
    ): "needs a PostgreSQL that only the reader has",
    ("docs/explain.md", "text"): "what a benchmark printed",
    ("docs/metrics.md", "scrape_configs:"): "belongs into the configuration of a Prometheus",
    ("docs/operations.md", "docker compose up --detach"): "needs Docker and an image",
    ("docs/performance.md", "text"): "what benchmarks printed",
}

_FENCE = re.compile(r"^```([a-z]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@frozen
class Snippet:
    """A fenced block of a page."""

    page: str
    number: int
    language: str
    code: str

    def __str__(self) -> str:
        return f"{self.page}-{self.number}"

    @property
    def first_line(self) -> str:
        return self.code.partition("\n")[0]


@frozen
class Command:
    """What is typed, and what the page says is answered."""

    line: str
    answer: str = ""


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


def snippets_of(page: Path) -> list[Snippet]:
    found = _FENCE.findall(page.read_text(encoding="utf-8"))
    return [
        Snippet(name_of(page), number, language, code) for number, (language, code) in enumerate(found, 1)
    ]


def commands_of(snippet: Snippet) -> list[Command]:
    """Return the commands of a block: `sh` is one, `console` has one for each prompt, with its answer."""
    if snippet.language != "console":
        return [Command(snippet.code)]
    return [
        Command(typed, answer.strip())
        for typed, answer in re.findall(
            r"^\$ ((?:.*\\\n)*.*\n)((?:(?!\$ ).*\n)*)", snippet.code, re.MULTILINE
        )
    ]
