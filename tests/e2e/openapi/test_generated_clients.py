"""Clients that are generated from the OpenAPI document know each operation, and read each answer."""

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from footfall.adapters.http.resources.openapi import document
from tests.e2e.openapi.calls import every_call
from tests.e2e.openapi.conftest import made, things_of
from tests.e2e.openapi.operations import OPERATIONS
from tests.e2e.service import running
from tests.stores.folders import folder_of_stores
from tests.waiting import wait_until

# Events of programs are dropped.
BROWSER = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
HERE = Path(__file__).parent
ALIASES = ("example.com", "7c6ee6e2-8a3a-4a1c-9d63-5b4d1f6b2a10")
# Nothing fires, the user has never signed in, and the last owner cannot leave.
REFUSED = {"acknowledgeAlertFiring": 404, "endSignIn": 404, "leaveOrganization": 409}


@pytest.fixture
def called():
    """A service, and a call of each operation about what it has."""
    with (
        tempfile.TemporaryDirectory(dir=folder_of_stores(), prefix="footfall-generated-") as folder,
        running(Path(folder) / "data", environment={"FOOTFALL_RATE_LIMIT": "off"}) as service,
    ):
        key = service.first_key()
        goal = {"goalType": "path", "config": {"pathPattern": "/*"}}
        goal_id = made(service, "/api/sites/1/goals", goal, key)["goalId"]
        made(service, "/api/track", {"site_id": "1", "pathname": "/"}, key, status=200)
        erasure = erased(service, key)
        before, host = service.positions(), service.get("/api/sites/1", key=key)[1]["domain"]
        things = {"organization": 1, **things_of(service, 1, goal_id, key)}
        accept_others(service, key)
        groups = {"groups": [another(service, key, things["group"])]}
        calls = every_call(
            things | others(service, key, things) | {"erasure": erasure},
            named={
                "goal": goal_id,
                "from": before,
                "to": service.positions(),
                "Referer": f"https://{host}/",
            },
            written={"mergeErrorGroups": groups, "separateErrorGroups": groups},
        )
        yield {"origin": service.base_url, "key": key, "headers": {"User-Agent": BROWSER}, "calls": calls}


def accept_others(service, key):
    """Make a site take what other services send, under the names of the examples."""
    accepted = {"acceptPlausible": True, "acceptUmami": True, "acceptSentry": True}
    made(service, "/api/sites/1/config", accepted, key, status=200, method="PUT")
    for alias in ALIASES:
        made(service, f"/api/sites/1/aliases/{alias}", None, key, status=200, method="PUT")


def erased(service, key):
    """Return an erasure of a visitor that is over, before all answers that others are compared with."""
    for user in ("anna", "bob"):
        made(service, "/api/track", {"site_id": "1", "user_id": user, "pathname": "/"}, key, status=200)
    service.settle()
    erasures = "/api/sites/1/visitor-erasures"
    asked = made(service, erasures, {"user_id": "bob"}, key, status=202)["data"]["erasure"]
    wait_until(lambda: service.send("GET", f"{erasures}/{asked}", key=key)[1]["data"]["step"] == "finished")
    service.settle_past()
    return asked


def another(service, key, known):
    """Return a group of errors beside one that is known."""
    properties = json.dumps({"message": "y is not a function", "stack": ""})
    event = {"site_id": "1", "type": "error", "event_name": "RangeError", "properties": properties}
    made(service, "/api/track", event, key, status=200)
    service.settle()
    listed = made(service, "/api/sites/1/errors", None, key, status=200, method="GET")["data"]
    [group] = [one["id"] for one in listed if one["id"] != known]
    return group


def others(service, key, things):
    """Return the names of what else an organization and its users have; nothing fires, and no user has signed in."""
    group = f"/api/sites/1/errors/{things['group']}"
    invited = {"address": "guest@example.com", "role": "member"}
    return {
        "user": service.administer("member", "add", "--organization", "1", "--role", "member")["userId"],
        "comment": made(service, f"{group}/comments", {"text": "Seen"}, key)["commentId"],
        "key": made(service, "/api/user/api-keys", {"name": "Second"}, key)["keyId"],
        "invitation": made(service, "/api/organizations/1/invitations", invited, key)["invitationId"],
        "link": made(service, "/api/sites/1/links", {"name": "Agency", "panels": ["pages"]}, key)["linkId"],
        "firing": 1,
        "handle": "0" * 16,
        "file": "script.js",
        "alias": "another",
    }


def run(*command, folder):
    found = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=600)
    assert found.returncode == 0, found.stdout + found.stderr
    return found.stdout


def answers_in_python(called, folder):
    (folder / "document.json").write_text(json.dumps(document()))
    (folder / "calls.json").write_text(json.dumps(called))
    # What it does not know of itself is an image, and what it would run is a formatter.
    config = {"content_type_overrides": {"image/gif": "application/octet-stream"}, "post_hooks": []}
    (folder / "config.json").write_text(json.dumps(config))
    options = ("--path", "document.json", "--config", "config.json", "--meta", "none", "--fail-on-warning")
    run(
        sys.executable,
        "-m",
        "openapi_python_client",
        "generate",
        *options,
        "--output-path",
        "client",
        folder=folder,
    )
    return json.loads(run(sys.executable, str(HERE / "python_calls.py"), str(folder), folder=folder))


def writable(node):
    """Return a part of the document without what the generator writes wrongly.

    It puts line separators into expressions, and more than two parts into an intersection.
    """
    if isinstance(node, list):
        return [writable(one) for one in node]
    if not isinstance(node, dict):
        return node
    return {
        name: writable(one)
        for name, one in node.items()
        if not (name == "pattern" and isinstance(one, str))
        and not (name == "allOf" and len(one) > 1 and "properties" in node)
    }


def answers_in_typescript(called, folder):
    shutil.copytree(HERE / "generated", folder, dirs_exist_ok=True)
    (folder / "document.json").write_text(json.dumps(writable(document())))
    (folder / "calls.json").write_text(json.dumps(called))
    run("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", folder=folder)
    run("npx", "--no-install", "openapi-ts", folder=folder)
    run("npx", "--no-install", "tsc", "--project", ".", folder=folder)
    return json.loads(run("node", "calls.mjs", folder=folder))


@pytest.mark.slow
@pytest.mark.timeout(1_200)
@pytest.mark.parametrize(
    "answers",
    [
        pytest.param(answers_in_python, id="python"),
        pytest.param(answers_in_typescript, id="typescript", marks=pytest.mark.needs("npm", "node")),
    ],
)
def test_a_generated_client_calls_each_operation_and_reads_its_answer(called, tmp_path, answers):
    found = answers(called, tmp_path)

    assert {name: one for name, one in found.items() if one["fault"]} == {}
    assert {name: one["status"] for name, one in found.items() if not 200 <= one["status"] < 300} == REFUSED
    assert set(found) == set(OPERATIONS)
