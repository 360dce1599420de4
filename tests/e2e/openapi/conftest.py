"""A service with callers of every standing."""

import json
import tempfile
from pathlib import Path

import pytest

from footfall.adapters.http.resources.openapi import document
from tests.e2e.openapi.allowed import described, register_formats
from tests.e2e.service import running
from tests.stores.folders import folder_of_stores


@pytest.fixture(scope="module")
def interface():
    """The OpenAPI document, with the values of JSON texts."""
    import schemathesis  # noqa: PLC0415 - it takes seconds, in every process that collects tests

    register_formats()
    return schemathesis.openapi.from_dict(described(document()))


@pytest.fixture(scope="module")
def world():
    """A service with one user of each standing, and the names of what there is on a private and a public site."""
    with (
        tempfile.TemporaryDirectory(dir=folder_of_stores(), prefix="footfall-openapi-") as folder,
        running(Path(folder) / "data", environment={"FOOTFALL_RATE_LIMIT": "off"}) as service,
    ):
        owner = service.first_key()
        headers = {
            "unknown key": bearer("ff_" + "0" * 43),
            "owner": bearer(owner),
            "no credential": {},
            "public": {},
        }
        for role in ("member", "admin"):
            added = service.administer("member", "add", "--organization", "1", "--role", role)
            issued = service.administer("key", "create", "--user", added["userId"], "--name", role)
            headers[role] = bearer(issued["key"])
        begun = service.administer(
            "init", "--organization", "Elsewhere", "--site", "S", "--domain", "s.example"
        )
        headers["stranger"] = bearer(begun["apiKey"])
        link = made(
            service,
            "/api/sites/1/private-link-config",
            {"action": "generate_private_link_key"},
            owner,
            status=200,
        )
        headers["private link"] = {"X-Private-Key": link["data"]["privateLinkKey"]}
        site = {"name": "Public", "domain": "public.example", "public": True}
        public = made(service, "/api/organizations/1/sites", site, owner)["siteId"]
        goal = {"goalType": "path", "config": {"pathPattern": "/*"}}
        goals = {
            each: made(service, f"/api/sites/{each}/goals", goal, owner)["goalId"] for each in (1, public)
        }
        service.send("POST", "/api/track", {"site_id": "1", "pathname": "/"}, key=owner)
        private, public = (things_of(service, each, goals[each], owner) for each in (1, public))
        yield service, headers, private, public


def things_of(service, site, goal, owner):
    """Return the names of what there is on a site: a goal, a funnel, an annotation, a session and an error."""
    funnel = {"name": "Twice", "steps": [{"goalId": goal}, {"goalId": goal}]}
    note = {"text": "Deploy", "at": "2026-03-14T12:00:00Z"}
    error = {"message": "x is undefined", "stack": ""}
    event = {
        "site_id": str(site),
        "type": "error",
        "event_name": "TypeError",
        "properties": json.dumps(error),
    }
    made(service, "/api/track", event, owner, status=200)
    made(service, f"/api/sites/{site}/config", {"acceptSentry": True}, owner, status=200, method="PUT")
    condition = {"parameter": "device_type", "type": "equals", "value": ["mobile"]}
    segment = {"name": "Phones", "personal": False, "filters": [condition]}
    groups = made(service, f"/api/sites/{site}/errors", None, owner, status=200, method="GET")
    sessions = made(service, f"/api/sites/{site}/sessions", None, owner, status=200, method="GET")
    rule = {"name": "No events", "metric": "nothing_received", "window": "day"}
    target = {"kind": "ntfy", "name": "Nowhere", "url": "https://ntfy.invalid/topic"}
    return {
        "site": site,
        "project": site,
        "goal": goal,
        "alert": made(service, f"/api/sites/{site}/alerts", rule, owner)["number"],
        "target": made(service, f"/api/sites/{site}/alerts/targets", target, owner)["number"],
        "funnel": made(service, f"/api/sites/{site}/funnels", funnel, owner)["funnelId"],
        "segment": made(service, f"/api/sites/{site}/segments", segment, owner)["segmentId"],
        "rule": made(service, f"/api/sites/{site}/exclusions", {"name": "R", "filters": [condition]}, owner)[
            "ruleId"
        ],
        "annotation": made(service, f"/api/sites/{site}/annotations", note, owner)["annotationId"],
        "group": groups["data"][0]["id"],
        "session": sessions["data"][0]["session_id"],
    }


def bearer(key):
    return {"Authorization": f"Bearer {key}"}


def made(service, path, body, key, *, status=201, method="POST"):
    answered, found = service.send(method, path, body, key=key)
    assert answered == status, found
    return found
