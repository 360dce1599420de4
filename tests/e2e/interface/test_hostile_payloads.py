"""Payloads of every kind against the running service: never a 500, never a stored event for a refused one."""

import http.client
import json

import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.adapters.embedded import EmbeddedPostgres
from tests.e2e.load import BROWSER
from tests.generated import examples

FIELDS = [
    "site_id", "type", "pathname", "hostname", "querystring", "page_title", "referrer", "user_id", "user_agent",
    "ip_address", "screenWidth", "screenHeight", "language", "event_name", "properties", "lcp", "cls", "inp", "fcp",
    "ttfb", "event_id", "timestamp", "api_key", "unknown",
]  # fmt: skip
TYPES = ["pageview", "custom_event", "performance", "outbound", "error"]
AWKWARD = [
    "\x00", "\ud800", "a" * 70_000, "1" * 5_000, "\u202e\ufeff", "\r\nX: y", "%00", "::1", "0", "1e999", "NaN",
    "{", "[]",
    '{"message": "m"}', '{"url": "https://a.org"}', '{"a": 1e400}', '{"a": ' + "9" * 400 + "}", "2026-11-21T00:00:00Z",
    "https://[", "https://\ud83d\ude00.org/", '{"a":' * 300 + "1" + "}" * 300,
]  # fmt: skip
scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=50)
    | st.sampled_from(AWKWARD + TYPES)
)
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3)
)
events = st.builds(
    lambda start, rest: {**start, **rest},
    st.just({"site_id": "1", "hostname": "localhost", "user_agent": BROWSER}),
    st.dictionaries(st.sampled_from(FIELDS), values, max_size=8),
)
near_valid = st.builds(
    lambda event, hit_type: {**event, "type": hit_type},
    st.fixed_dictionaries(
        {"site_id": st.just("1"), "hostname": st.just("localhost"), "user_agent": st.just(BROWSER)},
        optional={
            "event_name": st.text(min_size=1, max_size=20),
            "properties": st.sampled_from(AWKWARD[-9:]) | st.dictionaries(st.text(), scalars).map(json.dumps),
            "lcp": st.floats(0, 1e4) | st.none(),
            "pathname": st.text(max_size=60),
            "referrer": st.text(max_size=60) | st.just("https://www.google.com/search?q=a"),
            "querystring": st.text(max_size=60).map("utm_source=".__add__),
        },
    ),
    st.sampled_from(TYPES),
)
RAW = [
    b"", b"{", b"null", b"[]", b'"', b"\xff\xfe{}", b"[" * 100_000, b'{"a":' * 20_000, b" " * 131_072, b"1" * 131_073,
    b'{"site_id": NaN}', b'{"site_id": Infinity, "lcp": -Infinity}', b'{"site_id": "1", "site_id": "2"}',
    b'{"site_id": 1' + b"0" * 5_000 + b"}", b'{"screenWidth": 1e400}', b'{"page_title": "\\ud800"}',
    b'{"page_title": "\\u0000"}', b'{"page_title": "' + b"x" * 1_048_576 + b'"}', b"\x00" * 100,
]  # fmt: skip


@pytest.fixture(scope="module")
def stored(service):
    """Count what is in the traffic log."""
    with (
        EmbeddedPostgres(service.data_dir) as server,
        psycopg.connect(server.url, autocommit=True) as connection,
    ):
        yield lambda: connection.execute("select count(*) from hit").fetchone()[0]


def post(service, body, path="/api/track", key=None):
    connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=30)
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    try:
        connection.request("POST", path, body=body, headers=headers)
        response = connection.getresponse()
        return response.status, json.loads(response.read())
    finally:
        connection.close()


def encoded(value):
    return json.dumps(value, allow_nan=True).encode("utf-8", "surrogatepass")


@given(event=events | near_valid)
@examples(400)
def test_an_event_is_stored_or_refused_with_its_faults(service, stored, event):
    before = stored()

    status, body = post(service, encoded(event))

    assert (status, body["success"]) in {
        (200, True),
        *((code, False) for code in (400, 401, 403, 404, 413)),
    }, body
    assert stored() - before == (1 if status == 200 else 0)
    if status == 400:
        assert body["details"]["fieldErrors"] or body["details"]["formErrors"]


@given(batch=st.lists(events | near_valid | values, max_size=6))
@examples(100)
def test_of_a_batch_exactly_the_accepted_are_stored(service, stored, batch):
    before = stored()

    status, body = post(service, encoded({"events": batch}), "/api/track/batch", service.first_key())

    accepted = [one for one in body.get("results", []) if one["success"]]
    assert status in {200, 400, 429}, (status, body)
    # An event that repeats the idempotency key of an earlier one is accepted and not stored again.
    assert stored() - before <= len(accepted)
    if not any("event_id" in event for event in batch if isinstance(event, dict)):
        assert stored() - before == len(accepted)


@pytest.mark.parametrize("number", range(len(RAW)))
@pytest.mark.parametrize("path", ["/api/track", "/api/track/batch"])
def test_no_body_at_all_makes_an_internal_error(service, stored, number, path):
    before = stored()

    status, body = post(service, RAW[number], path, service.first_key())

    assert status in {400, 404, 413, 429}
    assert body["success"] is False
    assert stored() == before
