"""Hostile bodies in foreign protocols: never a failure of the service, and exactly what it acknowledges is stored."""

import http.client
import json
import random
from collections import Counter

import psycopg
import pytest

from footfall.adapters.embedded import EmbeddedPostgres
from tests.e2e.load import BROWSER
from tests.e2e.service import running
from tests.generated import at_length

BODIES = at_length(slow=3_000, thorough=20_000)
REFUSED = {400, 403, 404, 413}
WEBSITE = "7c6ee6e2-8a3a-4a1c-9d63-5b4d1f6b2a10"
HEADERS = {"User-Agent": BROWSER, "Origin": "http://localhost", "Content-Type": "application/json"}
DEEP_LIST, DEEP_OBJECT = [], {}
for _ in range(300):
    DEEP_LIST, DEEP_OBJECT = [DEEP_LIST], {"a" * 50: DEEP_OBJECT, "b": 1}
AWKWARD = [
    None, True, False, 0, -1, 1.5, 2**53 + 1, 10**30, 1e308, float("inf"), float("nan"), "", " ", "\x00", "a\x00b",
    "\ud800", "x" * 300, "x" * 9_000, "1" * 5_000, "\u202e\ufeff", "%00", "%ff%fe", "%ED%A0%80", "//", "https://[",
    "http://[::1", "http://a:b:c", "https://\ud83d\ude00.org/", "javascript:alert(1)", "data:,x", "about:blank",
    "/a?b#c?d", "?", "#", "1e999", "-5", "1700000000", "192.0.2.1", "::1", "999x999", "1x", "x1", "pageview",
    "identify", "performance", [], {}, [1, [2, [3]]], {"": ""}, {"a": {"": {"b": []}}}, {"a.b": 1, "a": {"b": 2}},
    {"k" * 8_000: "v"}, {"k" * 100: {str(n): n for n in range(200)}}, DEEP_LIST, DEEP_OBJECT, {"n": 10**309},
    {"x": "\ud800"}, {"x": "\x00"}, {"\x00": 1}, {"\ud800": 1},
]  # fmt: skip
FIELDS = (
    "website", "hostname", "url", "title", "referrer", "language", "screen", "name", "data", "tag", "id", "timestamp",
    "ip", "userAgent", "lcp", "cls", "inp", "fcp", "ttfb", "link", "pixel", "unknown", "site_id", "api_key",
    "properties", "type", "event_id",
)  # fmt: skip
TYPES = ["event", "event", "event", "identify", "performance", "pageview", None, 1, []]
VALID = {
    "website": WEBSITE, "hostname": "localhost", "url": "/a?b=1", "title": "A", "screen": "800x600", "language": "en",
    "referrer": "",
}  # fmt: skip


OF_PLAUSIBLE = (
    "n", "name", "u", "url", "d", "domain", "r", "referrer", "p", "props", "m", "meta", "$", "revenue", "i",
    "interactive", "h", "hashMode", "w", "e", "sd", "v", "unknown", "site_id", "api_key", "type", "properties",
)  # fmt: skip
EVENTS_OF_PLAUSIBLE = [
    {"n": "pageview"},
    {"n": "engagement", "e": 1_000, "sd": 50},
    {"n": "Sign up", "p": {"plan": "pro", "seats": 3}},
    {"n": "Purchase", "$": {"currency": "EUR", "amount": "12.5"}},
    {"n": "Outbound Link: Click", "p": {"url": "https://example.org/"}},
]


def event_of_plausible(chance):
    """Return an event that is wrong in up to four places."""
    event = {"u": "http://localhost/a?b=1#c", "d": "localhost", **chance.choice(EVENTS_OF_PLAUSIBLE)}
    for _ in range(chance.randrange(5)):
        event[chance.choice(OF_PLAUSIBLE)] = chance.choice(AWKWARD)
    return chance.choice(AWKWARD) if chance.random() < 0.03 else event


def message(chance):
    """Return a message that is wrong in up to four places."""
    payload = dict(VALID)
    if chance.random() < 0.5:
        payload |= {"name": "n", "data": {"a": 1, "b": {"c": [True, None]}}}
    for _ in range(chance.randrange(5)):
        payload[chance.choice(FIELDS)] = chance.choice(AWKWARD)
    kind = "event" if chance.random() < 0.7 else chance.choice(TYPES)
    made = {"type": kind, "payload": payload}
    return chance.choice(AWKWARD) if chance.random() < 0.03 else made


def body(chance, value):
    """Return a value as bytes, one in five of them damaged."""
    written = bytearray(
        json.dumps(value, allow_nan=True, ensure_ascii=False).encode("utf-8", "surrogatepass")
    )
    if chance.random() < 0.2:
        for _ in range(chance.randrange(1, 4)):
            place = chance.randrange(len(written) + 1)
            written[place : place + chance.randrange(3)] = chance.randbytes(chance.randrange(3))
        if chance.random() < 0.3:
            del written[chance.randrange(len(written) + 1) :]
    return bytes(written)


def acknowledged_of_umami(path, answer):
    """Return how many events an answer with the status 200 says are stored or knowingly not kept."""
    if path == "/api/send":
        return int("cache" in answer)
    assert answer["processed"] + answer["errors"] == answer["size"]
    assert {one["response"]["error"]["status"] for one in answer["details"]} <= REFUSED
    return answer["processed"]


@pytest.mark.slow
@pytest.mark.timeout(1_800)
def test_bodies_of_umami_are_stored_whole_or_refused(data_dir):
    chance = random.Random(36)
    statuses, acknowledged = Counter(), 0
    with running(data_dir, environment={"FOOTFALL_WORKERS": "1"}) as service:
        key = service.first_key()
        assert service.send("PUT", f"/api/sites/1/aliases/{WEBSITE}", key=key)[0] < 300
        assert service.send("PUT", "/api/sites/1/config", {"acceptUmami": True}, key=key)[0] == 200
        connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=60)
        for number in range(BODIES):
            path = "/api/batch" if number % 5 == 0 else "/api/send"
            value = (
                [message(chance) for _ in range(chance.randrange(6))]
                if path == "/api/batch"
                else message(chance)
            )
            sent = body(chance, value)
            connection.request("POST", path, body=sent, headers=HEADERS)
            response = connection.getresponse()
            answer = json.loads(response.read())
            statuses[response.status] += 1
            assert response.status in {200, *REFUSED}, (path, sent, answer)
            if response.status == 200:
                acknowledged += acknowledged_of_umami(path, answer)
            else:
                assert answer["error"]["status"] == response.status
        connection.close()
        told = service.get("/api/sites/1/ingestion", key=key)[1]["data"]
        with EmbeddedPostgres(service.data_dir) as server, psycopg.connect(server.url) as store:
            [(stored, whole)] = store.execute(
                "select count(*), count(*) filter (where hostname is not null or pathname is not null) from hit"
            ).fetchall()

    ignored = sum(told["ignored"].values())
    assert (stored, whole) == (told["outcomes"]["stored"]["events"],) * 2
    assert acknowledged == stored + ignored
    # Each kind of answer is there, so that the bodies are hostile enough, and not too hostile.
    assert min(statuses[200], statuses[400], statuses[404]) > BODIES / 100
    assert stored > BODIES / 10


@pytest.mark.slow
@pytest.mark.timeout(1_800)
def test_bodies_of_plausible_are_stored_whole_or_refused(data_dir):
    chance = random.Random(36)
    statuses, acknowledged = Counter(), 0
    headers = {**HEADERS, "Content-Type": "text/plain"}
    with running(data_dir, environment={"FOOTFALL_WORKERS": "1"}) as service:
        key = service.first_key()
        assert service.send("PUT", "/api/sites/1/config", {"acceptPlausible": True}, key=key)[0] == 200
        connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=60)
        for _ in range(BODIES):
            sent = body(chance, event_of_plausible(chance))
            connection.request("POST", "/api/event", body=sent, headers=headers)
            response = connection.getresponse()
            answer = response.read()
            statuses[response.status] += 1
            assert response.status in {202, 400, 404, 413}, (sent, answer)
            if response.status == 202:
                assert answer == b"ok"
                acknowledged += "x-plausible-dropped" not in response.headers
            else:
                assert all(json.loads(answer)["errors"].values())
        connection.close()
        told = service.get("/api/sites/1/ingestion", key=key)[1]["data"]
        with EmbeddedPostgres(service.data_dir) as server, psycopg.connect(server.url) as store:
            [(stored, whole, measures)] = store.execute(
                "select count(*), count(*) filter (where hostname is not null or pathname is not null),"
                " (select count(*) from engagement) from hit"
            ).fetchall()

    assert (stored, whole) == (told["outcomes"]["stored"]["events"],) * 2
    assert acknowledged == stored + measures
    assert told["translated"] == {"plausible": told["received"]}
    assert min(statuses[202], statuses[400], statuses[404]) > BODIES / 100
    assert min(stored, measures) > BODIES / 20
