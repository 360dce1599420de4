"""The live service keeps to its OpenAPI document, whatever is sent with whichever credential."""

import pytest
from hypothesis import given

from tests.e2e.openapi.operations import OPERATIONS


@pytest.mark.parametrize("operation", OPERATIONS)
def test_every_answer_is_one_that_the_document_describes(interface, world, operation):
    from tests.e2e.openapi.requests import (  # noqa: PLC0415 - it takes seconds, in every process that collects tests
        derandomized,
        requests_of,
        send_with_every_credential,
    )

    @derandomized(1)
    @given(case=requests_of(interface, operation))
    def send(case):
        send_with_every_credential(case, world)

    send()
