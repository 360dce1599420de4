"""Requests of both tests of the OpenAPI document, and the judgement of the answers."""

from urllib.parse import urlencode

from hypothesis import HealthCheck, Phase, assume, note, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from footfall.entrypoints.server.gunicorn_app import LONGEST_REQUEST_LINE
from tests.e2e.openapi.allowed import written

CREDENTIALS = (
    "no credential",
    "unknown key",
    "stranger",
    "member",
    "admin",
    "owner",
    "private link",
    "public",
)
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
OURS = ("Authorization", "X-Private-Key")
# The server refuses longer request lines by itself, which the document does not describe.
# A path and a method take the rest of the line.
LONGEST_QUERY = LONGEST_REQUEST_LINE - 1_024
# What would end what the others need: it is tried with names of things that are not there.
ENDING = {
    "deleteSite",
    "deleteGoal",
    "deleteFunnel",
    "deleteSegment",
    "removeAnnotation",
    "removeAlertTarget",
    "deleteAlertRule",
    "revokeApiKey",
    "removeMember",
    "changeMember",
    "leaveOrganization",
}


def requests_of(interface, operation_id):
    """Return a strategy of requests for an operation, those that its schema allows and others."""
    operation = interface.find_operation_by_id(operation_id)
    return st.one_of(operation.as_strategy(mode) for mode in GenerationMode)


def derandomized(examples):
    """Return settings with so many examples, the same in each run."""
    return settings(
        max_examples=examples,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )


def send_with_every_credential(case, world):
    """Send a request as each caller; each response must be one that the document describes."""
    service, headers, private, public = world
    ending = case.operation.definition.raw["operationId"] in ENDING
    sent = {name: value for name, value in (case.headers or {}).items() if name not in OURS}
    if isinstance(case.body, dict | list):
        case.body = written(case.body)
    assume(len(urlencode(case.query or {}, doseq=True)) < LONGEST_QUERY)

    for credential in CREDENTIALS:
        note(credential)
        names = {"organization": 1, "user": 2, "key": 99, "handle": "none", "invitation": 99}
        names |= {"comment": 99, "firing": 99} | (public if credential == "public" else private)
        if ending:
            names |= {
                "site": 98,
                "goal": 98,
                "user": 98,
                "funnel": 98,
                "annotation": 98,
                "alert": 98,
                "target": 98,
                "segment": 98,
            }
        if case.operation.definition.raw["operationId"] == "leaveOrganization":
            names |= {"organization": 98}
        case.path_parameters = {name: str(names[name]) for name in case.path_parameters or {}}
        case.headers, case.cookies = sent | headers[credential], {}

        answered = case.call(base_url=service.base_url)

        case.validate_response(answered, checks=CHECKS)
