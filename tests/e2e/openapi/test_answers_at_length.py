"""The live service keeps to its OpenAPI document, at every boundary of every parameter and in many requests."""

import pytest
import schemathesis

from footfall.adapters.http.resources.openapi import document
from tests.e2e.openapi.allowed import described, register_formats
from tests.e2e.openapi.requests import derandomized, send_with_every_credential

register_formats()
interface = schemathesis.openapi.from_dict(described(document()))


@pytest.mark.slow
@interface.parametrize()
@derandomized(10)
def test_every_answer_to_many_requests_is_one_that_the_document_describes(case, world):
    send_with_every_credential(case, world)
