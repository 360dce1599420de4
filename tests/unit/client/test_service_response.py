"""The pause that the service asks for, and bodies that are not its own."""

from datetime import UTC, datetime

import pytest

from footfall.client.delivery.service_response import read_object, read_retry_after

NOW = datetime(2026, 1, 31, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        (None, 0),
        ("", 0),
        ("0", 0),
        ("7", 7),
        (" 7 ", 7),
        ("-7", 0),
        ("nan", 0),
        ("soon", 0),
        ("9" * 5_000, float("inf")),
        ("Sat, 31 Jan 2026 12:00:30 GMT", 30),
        ("Sat, 31 Jan 2026 12:00:30 -0000", 30),
        ("Sat, 31 Jan 2026 11:00:00 GMT", 0),
        ("Sat, 99 Jan 2026 11:00:00 GMT", 0),
    ],
)
def test_retry_after_is_a_number_of_seconds_or_a_date(header, seconds):
    assert read_retry_after(header, NOW) == seconds


@pytest.mark.parametrize("content", [b"", b"<html>", b"[]", b"5", b"null", b"\xff\xfe", b"[" * 100_000])
def test_a_body_that_is_no_json_object_is_none(content):
    assert read_object(content) is None
