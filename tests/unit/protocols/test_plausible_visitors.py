"""The visitor whom a sender with a key names in the words of Plausible."""

import pytest

from footfall.adapters.http.protocols.endpoint import ForeignRequest
from footfall.adapters.http.protocols.plausible import translate
from footfall.application.ingestion.draft import RequestOrigin

BODY = {"n": "pageview", "u": "https://shop.example/", "d": "shop.example"}


@pytest.mark.parametrize(
    ("forwarded", "expected"),
    [
        ("203.0.113.9", "203.0.113.9"),
        ("203.0.113.9, 198.51.100.1", "203.0.113.9"),
        ("198.51.100.1", None),
        ("198.51.100.1, 203.0.113.9", None),
        ("::ffff:198.51.100.1", None),
        ("unknown", None),
        (None, None),
    ],
)
def test_the_address_of_a_visitor_is_another_than_that_of_the_sender(forwarded, expected):
    headers = {"x-forwarded-for": forwarded}
    origin = RequestOrigin(address="198.51.100.1", key="ff_key")

    translated = translate(BODY, ForeignRequest(b"", origin, headers.get, {}))

    assert translated.payload["ip_address"] == expected
