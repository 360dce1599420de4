"""The live service keeps to its OpenAPI document, whatever is sent with whichever credential."""

import pytest
from hypothesis import given

from footfall.adapters.http.resources.openapi import document

OPERATIONS = [
    operation["operationId"]
    for path in document()["paths"].values()
    for method, operation in path.items()
    if method in {"get", "post", "put", "delete", "options"}
]


@pytest.fixture(scope="module")
def interface():
    import schemathesis  # noqa: PLC0415 - it takes seconds, in every process that collects tests

    return schemathesis.openapi.from_dict(document())


@pytest.mark.parametrize("operation", OPERATIONS)
def test_every_answer_is_one_that_the_document_describes(interface, world, operation):
    from tests.e2e.openapi.requests import (  # noqa: PLC0415 - see above
        derandomized,
        requests_of,
        send_with_every_credential,
    )

    @derandomized(1)
    @given(case=requests_of(interface, operation))
    def send(case):
        send_with_every_credential(case, world)

    send()
