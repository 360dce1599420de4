"""Pages with the published SDK of Sentry, in a browser: what reports show of their errors."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.conftest import context_of
from tests.browser.shop import SCRIPT, accepting_site
from tests.browser.test_umami import wait_for
from tests.packages import copied_and_installed
from tests.snippets import ROOT
from tests.source_maps import CODE, source_map

LOCK = ROOT / "tests/e2e/clients/sentry"
PROJECT = "4507124"
NAMES = [
    *(f"@sentry/{part}" for part in ("browser", "browser-utils", "core", "core/browser")),
    *(f"@sentry/{part}" for part in ("feedback", "replay", "replay-canvas")),
    *(f"@sentry/conventions/{part}" for part in ("attributes", "metrics", "op")),
    "web-vitals",
]
RESOLVE = (
    "console.log(JSON.stringify(Object.fromEntries("
    "JSON.parse(process.argv[1]).map((name) => [name, import.meta.resolve(name)]))))"
)
# What the SDK also knows must not be stored: users, tags, breadcrumbs and the contents of forms.
HEAD = """<script type="importmap">{imports}</script>
<script type="module">
import * as Sentry from '@sentry/browser';
Sentry.init({ dsn: '{dsn}', release: '1.4.2', environment: 'production', sendDefaultPii: true, tracesSampleRate: 1,
  integrations: [Sentry.browserTracingIntegration()] });
Sentry.setUser({ id: 'private-7', email: 'private@example.com' });
Sentry.setTag('tag', 'private');
Sentry.addBreadcrumb({ message: 'private' });
window.Sentry = Sentry;
</script>"""
BODY = """<button id="pay" onclick="import('/assets/app.js')">Pay</button>"""


@pytest.fixture(scope="module")
def modules(tmp_path_factory) -> Path:
    return copied_and_installed(LOCK, tmp_path_factory.mktemp("sentry")) / "node_modules"


@pytest.fixture
def site(service) -> Iterator[int]:
    """A site on localhost that takes what SDKs of Sentry send, and has a source map, until the test is over."""
    with accepting_site(service, "Sentry", PROJECT) as site:
        kept = {"code": CODE, "map": source_map()}
        path = f"/api/sites/{site}/source-maps?release=1.4.2&file=assets/app.js"
        assert service.send("PUT", path, kept, key=service.first_key())[0] == 201
        yield site


def imports(modules: Path) -> str:
    """Return the files of the packages, as Node finds them, for pages."""
    command = ("node", "--input-type=module", "--eval", RESOLVE, json.dumps(NAMES))
    done = subprocess.run(command, cwd=modules.parent, capture_output=True, text=True, check=True, timeout=60)
    root = modules.as_uri()
    found = {name: file.replace(root, "/modules") for name, file in json.loads(done.stdout).items()}
    return json.dumps({"imports": found})


@pytest.mark.needs("npm", "node")
def test_the_reports_show_the_errors_of_a_page_and_where_they_were_written(
    service, visitors, pages, site, modules
):
    pages.modules = modules
    pages.files = {"/assets/app.js": (SCRIPT, CODE.encode())}
    dsn = f"{service.base_url.replace('://', '://public@')}/{PROJECT}"
    head = HEAD.replace("{imports}", imports(modules)).replace("{dsn}", dsn)
    pages.text = f"<!doctype html><html><head><title>Shop</title>{head}</head><body>{BODY}</body></html>"
    context = context_of(visitors, locale="de-DE")
    page = context.new_page()
    answers = []
    page.on("response", lambda response: answers.append((response.url, response.status)))
    page.goto(f"http://localhost:{pages.server_port}/shop?token=1")
    page.wait_for_function("window.Sentry")

    page.click("#pay")
    wait_for(service, site, 1)
    page.evaluate("Sentry.captureException(new TypeError('outer', { cause: new Error('inner') }))")
    wait_for(service, site, 2)
    page.evaluate("Sentry.captureMessage('a note')")
    page.evaluate("Sentry.flush(10_000)")
    context.close()

    service.settle()
    told, groups = [
        service.get(f"/api/sites/{site}/{report}", key=service.first_key())[1]["data"]
        for report in ("ingestion", "errors?sort=firstSeen")
    ]
    found = {group["errorName"]: group for group in groups}
    details = service.get(f"/api/sites/{site}/errors/{found['Error']['id']}", key=service.first_key())[1]
    [stack] = details["data"]["stacks"]
    originals = [line["original"] for line in stack["source"]["lines"] if line["original"]]
    assert {status for url, status in answers if "/envelope/" in url} == {200}
    assert sorted((group["errorName"], group["message"], group["count"]) for group in groups) == [
        ("Error", "no amount", 1),
        ("TypeError", "outer", 1),
    ]
    assert found["Error"]["firstRelease"] == "1.4.2"
    assert [row["value"] for row in details["data"]["pages"]] == ["/shop"]
    assert (originals[0]["function"], originals[0]["lineNumber"]) == ("pay", 3)
    assert originals[0]["line"].strip() == "throw new Error('no amount');"
    assert told["translated"] == {"sentry": 2}
    assert told["ignored"]["message"] == 1
    assert told["ignored"]["session"] >= 1
    assert "private" not in json.dumps([groups, details])
