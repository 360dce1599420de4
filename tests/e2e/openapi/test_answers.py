"""The live service keeps to its OpenAPI document, whatever is sent with whichever credential."""

import pytest
from hypothesis import given

from tests.e2e.openapi.operations import OPERATIONS, shares_its_parameters
from tests.generated import at_length

# The events of a batch are those of `track`.
SHARING = shares_its_parameters() | {"trackBatch"}


@pytest.mark.parametrize("operation", OPERATIONS)
def test_every_answer_is_one_that_the_document_describes(interface, world, operation):
    from tests.e2e.openapi.requests import (  # noqa: PLC0415 - it takes seconds, in every process that collects tests
        EVERYONE,
        derandomized,
        requests_of,
        send_with_credentials,
    )

    @derandomized(1)
    @given(case=requests_of(interface, operation))
    def send(case):
        send_with_credentials(case, world, EVERYONE)

    send()


# To find the boundaries of a schema takes most of the time: two dozen reports have the same ones.
@pytest.mark.parametrize(
    "operation",
    [
        pytest.param(one, marks=pytest.mark.thorough if one in SHARING else pytest.mark.slow)
        for one in OPERATIONS
    ],
)
def test_every_answer_to_a_request_at_a_boundary_is_one_that_the_document_describes(
    interface, world, operation
):
    from tests.e2e.openapi.requests import (  # noqa: PLC0415 - see above
        EVERYONE,
        derandomized,
        send_with_credentials,
        turn_of,
        with_every_boundary,
    )

    # There are 17,000. Most parameters are those of two dozen reports, which take turns; the few requests without any
    # are all sent. The test above sends generated requests.
    @derandomized(at_length(slow=0, thorough=10))
    def send(case):
        varies = case.query or isinstance(case.body, dict | list)
        if not varies or turn_of(case) % at_length(slow=32, thorough=1) == 0:
            send_with_credentials(case, world, at_length(slow=2, thorough=EVERYONE))

    with_every_boundary(interface.find_operation_by_id(operation), send)()
