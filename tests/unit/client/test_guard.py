"""What keeps failures of the client away from the program that it is part of."""

import pytest

from footfall.client.guard import Guard


def test_failures_are_logged_by_their_class_once_a_minute(caplog):
    guard = Guard("Counting a request")

    for text in ("192.0.2.1", "192.0.2.2"):
        with guard:
            raise ValueError(text)

    assert caplog.messages == ["Counting a request failed 1 time(s): ValueError"]


def test_what_ends_the_program_goes_on():
    with pytest.raises(KeyboardInterrupt), Guard("Counting a request"):
        raise KeyboardInterrupt
