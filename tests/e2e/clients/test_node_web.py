"""Published frameworks of Node.js count their pages at the real service: each once, or it is known that it was lost."""

import http.client
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import threading
from collections import Counter
from pathlib import Path

import psycopg
import pytest

from footfall.adapters.embedded import EmbeddedPostgres
from tests.e2e.clients.test_browser import wait_for_hits
from tests.e2e.clients.test_clients import UNLIMITED, restart_twice
from tests.e2e.service import running
from tests.packages import install_with_npm
from tests.ports import free_port
from tests.snippets import ROOT
from tests.stores.folders import folder_of_stores
from tests.waiting import wait_until

NODE = ROOT / "clients" / "node"
APPLICATION = Path(__file__).parent / "next"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
GPTBOT = (
    "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; GPTBot/1.3; +https://openai.com/gptbot"
)
VISITOR = {
    "Host": "example.com",
    "User-Agent": FIREFOX,
    "Accept": "text/html",
    "X-Forwarded-For": "203.0.113.9",
}
SERVICE_OF_TEST = "process.env.FOOTFALL_API_URL ?? 'http://127.0.0.1:9/api'"
PAGES = 1_000


def ask(port, path, *, method="GET", **headers):
    """Return the status of an answer, or None where the server went away."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        connection.request(method, path, headers=VISITOR | headers)
        with connection.getresponse() as answer:
            answer.read()
            return answer.status
    except (OSError, http.client.HTTPException):
        return None
    finally:
        connection.close()


class Host:
    """The application of a framework in two workers, and the lines that they write."""

    def __init__(self, framework, service):
        environment = {
            "FRAMEWORK": framework,
            "SERVICE": f"{service.base_url}/api",
            "KEY": service.first_key(),
            "WORKERS": "2",
            "CLOSE": "60000",
            "OPTIONS": json.dumps({"retries": 9}),
        }
        self.process = subprocess.Popen(
            ["node", str(NODE / "tests" / "frameworks" / "serve.mjs")],
            env=os.environ | environment,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.lines = []
        self._reader = threading.Thread(target=self._read)
        self._reader.start()
        wait_until(lambda: len(self.lines) == 2)
        self.port, self.pids = self.lines[0]["port"], [line["pid"] for line in self.lines]

    def _read(self):
        self.lines.extend(map(json.loads, self.process.stdout))

    def end(self):
        self.process.terminate()
        self.process.wait(120)
        self._reader.join()
        self.process.stdout.close()


@pytest.mark.slow
@pytest.mark.needs("npm", "node")
@pytest.mark.timeout(900)
def test_each_page_is_counted_once_or_known_to_be_lost(data_dir):
    frameworks = NODE / "tests" / "frameworks"
    install_with_npm(frameworks)
    with running(data_dir, environment=UNLIMITED) as service:
        host = Host("express", service)
        finished = threading.Event()
        restarting = threading.Thread(target=restart_twice, args=(service, finished))
        restarting.start()
        statuses = Counter()
        for number in range(PAGES):
            if number == PAGES // 2:
                os.kill(host.pids[0], signal.SIGKILL)
            statuses[ask(host.port, f"/?page={number}")] += 1
            finished.wait(0.008)
        finished.set()
        restarting.join()
        host.end()
        service.stop()

    with EmbeddedPostgres(data_dir) as server, psycopg.connect(server.url) as connection:
        found = Counter(query for (query,) in connection.execute("select querystring from hit"))
    [stats] = [line["stats"] for line in host.lines if "stats" in line]
    refused = {line["query"] for line in host.lines if line.get("outcome") == "refused"}
    assert statuses[200] >= PAGES - 2, statuses
    assert [query for query, times in found.items() if times > 1] == []
    assert refused & set(found) == set()
    assert stats["delivered"] <= len(found)
    # The service may be away when the worker is killed, which has half of the pages until then in its queue.
    assert len(found) > PAGES * 2 / 3, (len(found), stats)


@pytest.fixture
def application(tmp_path):
    """The programs of the documentation in an application of Next.js, built."""
    folder = tmp_path / "next"
    shutil.copytree(APPLICATION, folder, ignore=shutil.ignore_patterns("node_modules", ".next"))
    package = install_with_npm(folder) / "@footfall" / "node"
    shutil.copytree(NODE, package, ignore=shutil.ignore_patterns("node_modules", "tests"))
    page = (ROOT / "docs" / "track" / "node-edge.md").read_text()
    for name, program in re.findall(r"```jsx\n// (\S+)\n(.*?)```", page, re.DOTALL):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(program.replace('"https://desk.example.com/api"', SERVICE_OF_TEST))
    built = subprocess.run(
        ["node", "node_modules/next/dist/bin/next", "build"],
        cwd=folder,
        env=os.environ | {"NEXT_TELEMETRY_DISABLED": "1"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert built.returncode == 0, built.stdout + built.stderr
    return folder


@pytest.mark.slow
@pytest.mark.needs("npm", "node")
@pytest.mark.timeout(600)
def test_next_js(application):
    with (
        tempfile.TemporaryDirectory(dir=folder_of_stores(), prefix="footfall-next-") as folder,
        running(Path(folder) / "data", environment={"FOOTFALL_WORKERS": "1"}) as service,
    ):
        port = free_port()
        environment = {
            "FOOTFALL_API_URL": f"{service.base_url}/api",
            "FOOTFALL_API_KEY": service.first_key(),
            "NEXT_MANUAL_SIG_HANDLE": "true",
            "NEXT_TELEMETRY_DISABLED": "1",
        }
        server = subprocess.Popen(
            ["node", "node_modules/next/dist/bin/next", "start", "--port", str(port)],
            cwd=application,
            env=os.environ | environment,
        )
        try:
            wait_until(lambda: ask(port, "/nothing", **{"Sec-Purpose": "prefetch"}) == 404)
            statuses = [ask(port, path) for path in ("/?a=1", "/slow", "/missing", "/fails")]
            statuses += [ask(port, "/api/join", method="POST"), ask(port, "/slow", **{"User-Agent": GPTBOT})]
            statuses.append(ask(port, "/slow", **{"Sec-Fetch-Dest": "empty", "Accept": "*/*"}))
        finally:
            server.terminate()
            ended = server.wait(30)

        hits = wait_for_hits(service, 8)

    assert (statuses, ended) == ([200, 200, 404, 500, 200, 200, 200], 0)
    told = Counter((hit["type"], hit["pathname"], hit["event_name"]) for hit in hits)
    assert told == {
        # Once by `instrumentation` and once by `proxy`, of which an application has one.
        ("pageview", "/", None): 2,
        ("pageview", "/slow", None): 2,
        # By `proxy` alone, which sees no answer.
        ("pageview", "/missing", None): 1,
        ("pageview", "/fails", None): 1,
        ("error", "/fails", "RangeError"): 1,
        ("custom_event", "/api/join", "sign up"): 1,
    }
    [failure] = [hit["properties"] for hit in hits if hit["type"] == "error"]
    assert failure["message"] == "cannot be shown"
    assert failure["fileName"].startswith("app:///.next/server/")
    assert {hit["release"] for hit in hits} == {"1.4.2"}
    assert len({hit["visitor_id"] for hit in hits}) == 1
