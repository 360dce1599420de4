"""The blocks of code of the documentation, for tests."""

import re
from pathlib import Path

from attrs import frozen

ROOT = Path(__file__).parent.parent
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
]
SHELL = {"sh", "bash", "console"}
# Blocks that another test runs, which reads the page.
ELSEWHERE = {
    ("docs/track/browser.md", "html"): "tests/e2e/clients/test_browser.py",
    ("docs/track/browser.md", "js"): "tests/e2e/clients/test_browser.py",
    ("docs/track/browser-package.md", "js"): "clients/browser/test/package.test.js",
    ("docs/errors/vite.md", "js"): "clients/vite/test/docs.test.js",
    ("docs/errors/source-maps.md", "cjs"): "tests/e2e/clients/test_bundlers.py",
    ("docs/errors/source-maps.md", "yaml"): "tests/e2e/clients/test_bundlers.py",
    ("docs/track/python-web.md", "python"): "tests/unit/client/test_docs.py",
    ("docs/track/node.md", "js"): "clients/node/tests/docs.test.mjs",
    ("docs/track/node-web.md", "js"): "clients/node/tests/docs.test.mjs",
    ("docs/track/node-edge.md", "js"): "clients/node/tests/docs.test.mjs",
    ("docs/track/node-edge.md", "jsx"): "tests/e2e/clients/test_node_web.py",
    ("docs/read/dashboard.md", "html"): "tests/browser/test_embedding.py",
    ("docs/track/protocols/umami.md", "html"): "tests/browser/test_umami.py",
    ("docs/track/protocols/plausible.md", "html"): "tests/browser/test_plausible.py",
    ("docs/track/imports/matomo.md", "sql"): "tests/integration/sources/matomo/test_importing.py",
    ("docs/operate/configuration.md", "sql"): "tests/e2e/installation/test_own_postgres.py",
    ("docs/internals/servers/citus.md", "sh"): "tests/e2e/failures/test_citus_page.py",
    ("docs/internals/servers/citus.md", "text"): "tests/e2e/failures/test_citus_page.py",
    ("docs/internals/servers/cluster.md", "sh"): "tests/e2e/failures/test_cluster.py",
    ("docs/internals/servers/cluster.md", "text"): "tests/e2e/failures/test_cluster.py",
    ("docs/internals/servers/cluster.md", "yaml"): "tests/e2e/failures/test_cluster.py",
}
# Blocks that are not run, by page and first line, with the reason.
NOT_RUN = {
    (
        "README.md",
        '$ pip install ".[server]"',
    ): "needs a clone; tests/e2e/installation installs one with make",
    ("README.md", "$ footfall serve"): "the service of the tests is started by this command",
    ("README.md", "$ make run"): "tests/e2e/installation/test_new_user.py does, in a fresh clone",
    ("docs/start/install.md", "$ make run"): "as in README.md",
    ("docs/track/python.md", 'pip install ".[client]"'): "as in README.md",
    ("docs/start/install.md", 'pip install ".[server]"'): "as in README.md",
    ("docs/start/first-site.md", "html"): "is the tag of docs/track/browser.md",
    ("docs/start/first-site.md", "js"): "is a call of docs/track/browser.md",
    (
        "docs/alerts/alerts.md",
        "FOOTFALL_ALERT_NETWORKS=10.20.0.0/16,fd00:20::/64 footfall serve",
    ): "starts another service; tests/unit/server/test_settings.py reads the setting",
    (
        "docs/internals/architecture.md",
        "entrypoints/    settings · composition · server · cli · mcp · bench · sourcemaps · demo",
    ): "a drawing",
    ("CONTRIBUTING.md", "make check"): "runs these tests",
    (
        "CONTRIBUTING.md",
        ".venv/bin/python -m pytest -q tests/unit/goals/test_goal.py",
    ): "needs a PostgreSQL of the reader",
    (
        "docs/errors/error-costs.md",
        '$ curl -sS "$URL/api/sites/1/errors/costs?goal=7" -H "Authorization: Bearer $KEY"',
    ): "names a goal and a group of the reader; tests/http/resources/reports/test_error_costs.py has them",
    (
        "docs/errors/error-groups.md",
        '$ curl -sS "$URL/api/sites/1/errors?status=open&sort=sessionCount" -H "Authorization: Bearer $KEY"',
    ): "names a group of the reader; tests/http/resources/reports/test_error_groups.py has one",
    ("docs/track/imports/ga4.md", "text"): "needs BigQuery; its tests write such files",
    ("docs/track/imports/matomo.md", "text"): "needs a database of Matomo; its tests fill one",
    ("docs/track/imports/plausible.md", "text"): "needs a ClickHouse; its tests write such files",
    ("docs/track/imports/rybbit.md", "text"): "needs a ClickHouse; its tests write such files",
    ("docs/track/imports/umami.md", "sql"): "needs a database of Umami; its tests write such files",
    (
        "docs/operate/mail.md",
        "export FOOTFALL_SMTP_URL='smtp://stats%40example.com:secret@mail.example.com:587'",
    ): "needs the mail server of the reader; tests/integration/cli/test_mail_command.py has one",
    (
        "docs/read/programs/mcp.md",
        "json",
    ): "is configuration of an assistant; tests/e2e/interface/test_mcp.py starts the command",
    ("docs/operate/monitoring.md", "scrape_configs:"): "is configuration of Prometheus",
    (
        "docs/operate/proxies.md",
        "html",
    ): "is a tag with names that tests/e2e/installation/test_proxies.py requests",
    ("docs/operate/deployment.md", "docker build --tag footfall ."): "needs Docker",
    ("docs/operate/deployment.md", "docker compose up --detach"): "needs Docker and an image",
    (
        "docs/operate/deployment.md",
        "docker compose --file compose.yaml --file compose.postgres.yaml up --detach",
    ): "needs Docker and an image",
    (
        "docs/internals/servers/cells.md",
        'export FOOTFALL_CELLS="west=postgresql://footfall:app-secret@10.0.1.1/footfall east=postgresql://footfall:app-secret@10.0.2.1/footfall"',
    ): "needs servers of the reader; tests/integration/cli/test_cell_commands.py has cells",
    (
        "docs/internals/servers/cells.md",
        'export FOOTFALL_CELLS="west=postgresql://footfall:app-secret@10.0.1.1/footfall west2=postgresql://footfall:app-secret@10.0.3.1/footfall"',
    ): "needs servers of the reader; tests/integration/cells/test_moves.py moves cells",
    ("docs/internals/servers/cells.md", "footfall cell close main"): "needs the cells of the commands above",
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
    """A command, and the answer that the page shows."""

    line: str
    answer: str = ""


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


def outside_of_fences(text: str) -> str:
    """Return the text of a page without its blocks of code."""
    return re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)


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
