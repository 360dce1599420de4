"""Published, unchanged libraries of Umami send to the real service: the reports show what they sent."""

import json
import subprocess
import tempfile
from pathlib import Path

import pytest

from tests.e2e.clients.test_browser import wait_for_hits
from tests.e2e.service import running
from tests.packages import copied_and_installed, python_with
from tests.stores.folders import folder_of_stores

HERE = Path(__file__).parent / "umami"
WEBSITE = "7c6ee6e2-8a3a-4a1c-9d63-5b4d1f6b2a10"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"


@pytest.fixture
def service():
    """A service whose site takes what Umami's libraries send."""
    with (
        tempfile.TemporaryDirectory(dir=folder_of_stores(), prefix="footfall-umami-") as folder,
        running(Path(folder) / "data", environment={"FOOTFALL_WORKERS": "1"}) as service,
    ):
        service.administer("site", "alias", "1", WEBSITE)
        config = {"acceptUmami": True}
        assert service.send("PUT", "/api/sites/1/config", config, key=service.first_key())[0] == 200
        yield service


def sent(*command, folder):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def reported(service, *reports):
    service.settle()
    key = service.first_key()
    return [service.get(f"/api/sites/1/{report}", key=key)[1]["data"] for report in reports]


@pytest.mark.slow
def test_the_library_for_python(service, tmp_path):
    python = python_with(HERE / "requirements.lock", tmp_path)

    answers = sent(python, str(HERE / "send.py"), service.base_url, WEBSITE, service.first_key(), folder=HERE)

    hits = wait_for_hits(service, 4)
    overview, utm, events = reported(
        service, "overview", "breakdown?by=utm_source", "breakdown?by=event_name"
    )
    assert [answer["cache"] for answer in answers] == ["-"] * 4
    assert [(hit["type"], hit["pathname"], hit["event_name"]) for hit in hits] == [
        ("pageview", "/home", None),
        ("custom_event", "/home", "sign up"),
        ("custom_event", "/order", "order"),
        ("pageview", "/server", None),
    ]
    assert [hit["properties"] for hit in hits[1:3]] == [
        {"plan": "pro", "cart.items": 2},
        {"revenue": 19.99, "currency": "EUR"},
    ]
    page, *_, server = hits
    assert (page["user_id"], page["page_title"], page["referrer"]) == ("7", "Home", "https://search.example/")
    assert (page["screen_width"], page["language"]) == (1920, "en-US")
    assert page["visitor_id"] != server["visitor_id"]
    assert (overview["pageviews"], overview["sessions"]) == (2, 2)
    assert {row["value"] for row in utm} == {"", "news"}
    assert {row["value"] for row in events} == {"sign up", "order"}


@pytest.mark.slow
@pytest.mark.needs("npm", "node")
def test_the_library_for_node(service, tmp_path):
    folder = copied_and_installed(HERE, tmp_path)
    command = ("node", "send.mjs", service.base_url, WEBSITE)

    by_itself = sent(*command, "", folder=folder)
    for_visitor = sent(*command, FIREFOX, folder=folder)

    hits = wait_for_hits(service, 2)
    [overview] = reported(service, "overview")
    # Its own user agent is that of a program: a bot, which is told so.
    assert (by_itself, for_visitor) == ([200] * 3, [200] * 3)
    assert [(hit["type"], hit["pathname"], hit["page_title"]) for hit in hits] == [
        ("pageview", "/home", "Home"),
        ("custom_event", "/home", "Home"),
    ]
    assert hits[1]["properties"] == {"plan": "pro", "cart.items": 2}
    assert (overview["pageviews"], overview["sessions"]) == (1, 1)
