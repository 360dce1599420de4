"""The live service refuses no request that its OpenAPI document allows for its form, and each null that it forbids."""

from urllib.parse import urlencode

import jsonschema_rs
import pytest
from hypothesis import given

from footfall.adapters.http.resources.docs_page import resolve
from footfall.adapters.http.resources.openapi import document
from tests.e2e.openapi.allowed import NOT_OF_FORM_OF, faults_of_form, in_agreement, written
from tests.e2e.openapi.operations import (
    OPERATIONS,
    bodies,
    names_for,
    needed_parameters,
    operation_named,
)

# They end what the others need; they have no body, and parameters that others have, too.
LEFT_OUT = {
    operation for operation in OPERATIONS if operation.startswith(("delete", "remove", "revoke", "leave"))
}
TRIED = [operation for operation in OPERATIONS if operation not in LEFT_OUT]


@pytest.fixture(scope="module")
def owner(world):
    """The service, the headers of an owner, and the names of what a site has."""
    service, headers, private, _ = world
    return service, headers["owner"], private


def requests_allowed(interface, operation, owner, examples):
    from schemathesis import GenerationMode  # noqa: PLC0415 - it takes seconds, in every process that collects tests

    from tests.e2e.openapi.requests import OURS, PATIENCE, derandomized  # noqa: PLC0415 - see above

    service, credential, things = owner

    @derandomized(examples)
    @given(case=interface.find_operation_by_id(operation).as_strategy(GenerationMode.POSITIVE))
    def send(case):
        case.path_parameters = names_for(operation, things)
        sent = {name: value for name, value in (case.headers or {}).items() if name not in OURS}
        case.headers, case.cookies = sent | credential, {}
        query = {name: value for name, value in (case.query or {}).items() if name != "private_key"}
        case.query = in_agreement(query)
        if isinstance(case.body, dict):
            case.body = written(case.body)

        answered = case.call(base_url=service.base_url, timeout=PATIENCE)

        assert faults_of_form(operation, answered) == []

    return send


@pytest.mark.parametrize("operation", TRIED)
def test_no_request_that_the_document_allows_is_refused_for_its_form(interface, owner, operation):
    requests_allowed(interface, operation, owner, examples=2)()


def test_what_a_schema_cannot_describe_is_of_operations_that_there_are():
    assert set(NOT_OF_FORM_OF) - set(TRIED) == set()


@pytest.mark.thorough
@pytest.mark.parametrize("operation", TRIED)
def test_none_of_many_requests_that_the_document_allows_is_refused_for_its_form(interface, owner, operation):
    requests_allowed(interface, operation, owner, examples=60)()


@pytest.mark.parametrize("operation", [operation for operation in TRIED if bodies(operation)])
def test_a_null_is_refused_where_the_document_has_none(owner, operation):
    service, credential, things = owner
    path, method, _ = operation_named(operation)
    schema, [example, *_] = bodies(operation)
    validator = jsonschema_rs.validator_for({**schema, "components": document()["components"]})
    fields = resolve_properties(schema)
    refused = {field: {**example, field: None} for field in fields}
    refused = {field: body for field, body in refused.items() if not validator.is_valid(body)}
    assert validator.is_valid(example)

    key = credential["Authorization"].removeprefix("Bearer ")
    query = "?" + urlencode(needed_parameters(operation))
    for field, body in refused.items():
        status, found = service.send(
            method.upper(), path.format(**names_for(operation, things)) + query, body, key=key
        )
        assert status == 400, (field, found)


def resolve_properties(schema):
    """Return the names of all fields of a body."""
    schema = resolve(document(), schema)
    parts = [resolve_properties(part) for part in schema.get("allOf", ())]
    return [*schema.get("properties", ()), *(name for part in parts for name in part)]
