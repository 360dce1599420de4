"""Published, unchanged SDKs of Sentry send to the real service: the reports show their errors, and nothing else."""

import json
import tempfile
from pathlib import Path

import pytest

from tests.e2e.clients.test_browser import wait_for_hits
from tests.e2e.clients.test_umami import reported, sent
from tests.e2e.service import running
from tests.packages import copied_and_installed, python_with
from tests.stores.folders import folder_of_stores

HERE = Path(__file__).parent / "sentry"
PROJECT = "4507123"


@pytest.fixture
def service():
    """A service whose site takes what SDKs of Sentry send."""
    with (
        tempfile.TemporaryDirectory(dir=folder_of_stores(), prefix="footfall-sentry-") as folder,
        running(Path(folder) / "data", environment={"FOOTFALL_WORKERS": "1"}) as service,
    ):
        service.administer("site", "alias", "1", PROJECT)
        config = {"acceptSentry": True}
        assert service.send("PUT", "/api/sites/1/config", config, key=service.first_key())[0] == 200
        yield service


def dsn(service):
    return f"http://public@127.0.0.1:{service.port}/{PROJECT}"


@pytest.mark.slow
def test_the_sdk_for_python(service, tmp_path):
    python = python_with(HERE / "requirements.lock", tmp_path)

    ids = sent(python, str(HERE / "send.py"), dsn(service), folder=HERE)

    hits = wait_for_hits(service, 3)
    groups, told = reported(service, "errors?sort=firstSeen", "ingestion")
    assert len(set(ids)) == 4
    assert [(hit["type"], hit["event_name"], hit["hostname"], hit["pathname"]) for hit in hits] == [
        ("error", "ValueError", "shop.localhost", "/cart"),
        ("error", "ValueError", "localhost", None),
        ("error", "Message", "localhost", None),
    ]
    assert {hit["release"] for hit in hits} == {"1.4.2"}
    details = hits[0]["properties"]
    assert details["stack"].splitlines()[1].startswith("    at pay (")
    assert "Caused by: KeyError: 'price'" in details["stack"]
    assert details["environment"] == "production"
    assert hits[2]["properties"]["message"] == "cannot reach the bank"
    assert "private" not in json.dumps(hits)
    assert "192.0.2.9" not in json.dumps(hits)
    # Both are one mistake, whatever the number in their messages.
    assert sorted((group["errorName"], group["count"]) for group in groups) == [
        ("Message", 1),
        ("ValueError", 2),
    ]
    assert told["translated"] == {"sentry": 3}
    assert told["ignored"]["message"] == 1
    assert told["ignored"]["transaction"] >= 1
    assert {group["firstRelease"] for group in groups} == {"1.4.2"}


@pytest.mark.slow
@pytest.mark.needs("npm", "node")
def test_the_sdk_for_node(service, tmp_path):
    folder = copied_and_installed(HERE, tmp_path)

    ids = sent("node", "send.mjs", dsn(service), folder=folder)

    hits = wait_for_hits(service, 2)
    groups, told = reported(service, "errors?sort=firstSeen", "ingestion")
    assert len(set(ids)) == 3
    assert sorted((hit["event_name"], hit["properties"]["message"]) for hit in hits) == [
        ("Error", "cannot be paid"),
        ("RangeError", "large"),
    ]
    [chained] = [hit["properties"] for hit in hits if hit["event_name"] == "Error"]
    assert "at pay (" in chained["stack"].splitlines()[1]
    assert "Caused by: TypeError: card is undefined" in chained["stack"]
    assert chained["fileName"].endswith("send.mjs")
    assert (chained["lineNumber"], chained["environment"]) == (24, "production")
    assert "private" not in json.dumps(hits)
    assert sorted(group["errorName"] for group in groups) == ["Error", "RangeError"]
    assert told["translated"] == {"sentry": 2}
    assert told["ignored"]["message"] == 1
    assert told["ignored"]["attachment"] == 1
