"""Requests of the tests of the OpenAPI document, and the judgement of the answers."""

from urllib.parse import urlencode
from zlib import crc32

from hypothesis import HealthCheck, Phase, assume, note, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core import NotSet
from schemathesis.generation.hypothesis.builder import HypothesisTestConfig, HypothesisTestMode, create_test
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from footfall.adapters.http.wire.request_heads import LONGEST_ADDRESS
from tests.e2e.openapi.allowed import written
from tests.e2e.openapi.operations import names_for

OTHERS = ("no credential", "unknown key", "stranger", "member", "admin", "private link", "public")
EVERYONE = len(OTHERS) + 1
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
OURS = ("Authorization", "X-Private-Key")
# Seconds: on a busy machine a report waits for its turn.
PATIENCE = 60
# Longer addresses are refused, which the document describes for all operations together. A path takes the rest.
LONGEST_QUERY = LONGEST_ADDRESS - 1_024


def requests_of(interface, operation_id):
    """Return a strategy of requests for an operation, those that its schema allows and others."""
    operation = interface.find_operation_by_id(operation_id)
    return st.one_of(operation.as_strategy(mode) for mode in GenerationMode)


def with_every_boundary(operation, send):
    """Return a test that sends the examples of an operation, requests at each boundary of its schema, and others."""
    config = HypothesisTestConfig(project=operation.schema.config, modes=list(HypothesisTestMode))
    return create_test(operation=operation, test_func=send, config=config)


def derandomized(examples):
    """Return settings with so many generated examples beside those that a test brings along, the same in each run."""
    return settings(
        max_examples=examples or 1,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.explicit, Phase.generate] if examples else [Phase.explicit],
        suppress_health_check=list(HealthCheck),
    )


def turn_of(case):
    """Return a number by which requests differ, the same in each run."""
    operation = case.operation.definition.raw["operationId"]
    # The mark of a request without a body is another object in each process.
    body = None if isinstance(case.body, NotSet) else case.body
    headers = dict(case.headers or {})
    return crc32(repr((operation, case.method, case.path_parameters, case.query, headers, body)).encode())


def send_with_credentials(case, world, number):
    """Send a request as the owner and as others, so many in all; the document must describe each response."""
    service, headers, private, public = world
    operation = case.operation.definition.raw["operationId"]
    sent = {name: value for name, value in (case.headers or {}).items() if name not in OURS}
    first = turn_of(case) % len(OTHERS)
    if isinstance(case.body, dict | list):
        case.body = written(case.body)
    assume(len(urlencode(case.query or {}, doseq=True)) < LONGEST_QUERY)

    for credential in ("owner", *OTHERS[first:], *OTHERS[:first])[:number]:
        note(credential)
        names = names_for(operation, public if credential == "public" else private)
        case.path_parameters = {name: str(names[name]) for name in case.path_parameters or {}}
        case.headers, case.cookies = sent | headers[credential], {}

        answered = case.call(base_url=service.base_url, timeout=PATIENCE)

        case.validate_response(answered, checks=CHECKS)
