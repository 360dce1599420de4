"""The live service keeps to its OpenAPI document, whatever is sent with whichever credential."""

import tempfile
from pathlib import Path
from urllib.parse import urlencode

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, assume, note, settings
from schemathesis.checks import not_a_server_error
from schemathesis.config import SchemathesisConfig
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from footfall.adapters.http.openapi import document
from footfall.entrypoints.server import REQUEST_LINE
from tests.e2e.service import running

CREDENTIALS = ("nobody", "unknown key", "stranger", "member", "admin", "owner", "private link", "public")
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
OURS = ("Authorization", "X-Private-Key")
# The server itself refuses longer request lines, and nobody describes that answer; a path and a method take the rest.
LONGEST_QUERY = REQUEST_LINE - 1_024
# What would end what the others need: it is tried with names of things that are not there.
ENDING = {"deleteSite", "deleteGoal", "revokeApiKey", "removeMember", "changeRole"}

# Every boundary of every parameter is for the long run.
quick = schemathesis.openapi.from_dict(
    document(), config=SchemathesisConfig.from_dict({"phases": {"coverage": {"enabled": False}}})
)
interface = schemathesis.openapi.from_dict(document())


@pytest.fixture(scope="module")
def world():
    """A service with one user of each standing, a private and a public site, and a goal on both."""
    with (
        tempfile.TemporaryDirectory(prefix="footfall-openapi-") as folder,
        running(Path(folder) / "data", environment={"FOOTFALL_RATE_LIMIT": "off"}) as service,
    ):
        owner = service.first_key()
        headers = {
            "unknown key": bearer("ff_" + "0" * 43),
            "owner": bearer(owner),
            "nobody": {},
            "public": {},
        }
        for role in ("member", "admin"):
            added = made(service, "/api/organizations/1/members", {"role": role}, owner)
            headers[role] = bearer(added["key"])
        begun = service.run(
            "init", "--organization", "Elsewhere", "--site", "S", "--domain", "s.example", "--json"
        )
        headers["stranger"] = bearer(begun.partition('"apiKey": "')[2][:46])
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
        yield service, headers, public, goals


def bearer(key):
    return {"Authorization": f"Bearer {key}"}


def made(service, path, body, key, *, status=201):
    answered, found = service.send("POST", path, body, key=key)
    assert answered == status, found
    return found


def thorough(examples):
    return settings(
        max_examples=examples,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )


@quick.parametrize()
@thorough(2)
def test_every_answer_is_one_that_the_document_describes(case, world):
    send_with_every_credential(case, world)


@pytest.mark.slow
@interface.parametrize()
@thorough(60)
def test_every_answer_to_many_requests_is_one_that_the_document_describes(case, world):
    send_with_every_credential(case, world)


def send_with_every_credential(case, world):
    service, headers, public, goals = world
    ending = case.operation.definition.raw["operationId"] in ENDING
    sent = {name: value for name, value in (case.headers or {}).items() if name not in OURS}
    assume(len(urlencode(case.query or {}, doseq=True)) < LONGEST_QUERY)

    for credential in CREDENTIALS:
        note(credential)
        site = public if credential == "public" else 1
        names = {"site": site, "goal": goals[site], "organization": 1, "user": 2, "key": 99}
        if ending:
            names |= {"site": 98, "goal": 98, "user": 98}
        case.path_parameters = {name: str(names[name]) for name in case.path_parameters or {}}
        case.headers, case.cookies = sent | headers[credential], {}

        answered = case.call(base_url=service.base_url)

        case.validate_response(answered, checks=CHECKS)
