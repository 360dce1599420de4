"""Hostile bodies in foreign protocols: never a failure of the service, and exactly what it acknowledges is stored."""

import gzip
import http.client
import json
import random
import zlib
from collections import Counter
from functools import cache

import brotli
import psycopg
import pytest

from footfall.adapters.embedded import EmbeddedPostgres
from footfall.adapters.http.wire.bodies import MAX_ENVELOPE
from tests.e2e.load import BROWSER
from tests.e2e.service import running
from tests.generated import at_length

BODIES = at_length(slow=2_000, thorough=20_000)
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
    assert min(statuses[200], statuses[400], statuses[404]) > BODIES / 200
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
    assert min(statuses[202], statuses[400], statuses[404]) > BODIES / 200
    assert min(stored, measures) > BODIES / 20


FRAME = {"filename": "shop/views.py", "function": "pay", "lineno": 12, "colno": 3, "in_app": True}
PARTS_OF_EVENTS = (
    "event_id", "timestamp", "level", "platform", "release", "environment", "message", "logentry", "exception",
    "threads", "stacktrace", "request", "breadcrumbs", "user", "extra", "tags", "contexts", "type", "api_key",
)  # fmt: skip
PARTS_OF_EXCEPTIONS = ("type", "value", "module", "stacktrace", "mechanism", "frames")
HEADERS_OF_ITEMS = [
    {"type": "session"}, {"type": "transaction"}, {"type": "attachment", "length": 3}, {"type": "x" * 20_000},
    {"type": None}, {"type": "\x00"}, {"type": "replay_recording"}, {"length": 5}, {"type": "event", "length": "2"},
    {"type": "event"}, {"type": "client_report", "length": 10**30}, {"type": "log", "length": -1}, [], "event",
]  # fmt: skip
SENDERS = [{"User-Agent": "sentry.python/2.75.0"}, HEADERS, {**HEADERS, "Origin": "http://elsewhere.example"}]
DEEP = b"[" * 200_000


@cache
def bombs():
    """Return bodies that unpack to 64 MiB, with their encodings; each process that collects tests would make them."""
    endless = bytes(64 * 1024 * 1024)
    return [(gzip.compress(endless), "gzip"), (brotli.compress(endless, quality=1), "br")]


def event_of_sentry(chance):
    """Return an event that is wrong in up to four places, at any depth."""
    exception = {"type": "E", "value": "x", "stacktrace": {"frames": [dict(FRAME) for _ in range(3)]}}
    event = {"release": "1", "exception": {"values": [{"type": "C"}, exception]}}
    event["request"] = {"url": "http://localhost/a?b=1"}
    places = (
        (event, PARTS_OF_EVENTS),
        (exception, PARTS_OF_EXCEPTIONS),
        (exception["stacktrace"]["frames"][-1], tuple(FRAME)),
        (event["request"], ("url", "headers", "data")),
    )
    for _ in range(chance.randrange(5)):
        part, names = chance.choice(places)
        part[chance.choice(names)] = chance.choice(
            [*AWKWARD, [None, {"type": "T", "value": 1}], {"values": {}}]
        )
    return event


def envelope_of(chance, event):
    """Return an envelope that is whole, or has more items, other lengths, or another header."""
    content = json.dumps(event, ensure_ascii=False).encode("utf-8", "surrogatepass")
    length = {} if chance.random() < 0.5 else {"length": len(content) + (chance.random() < 0.1)}
    header = {"event_id": f"{chance.getrandbits(128):032x}"} if chance.random() < 0.8 else {}
    if chance.random() < 0.1:
        header[chance.choice(["event_id", "dsn", "sent_at"])] = chance.choice(AWKWARD)
    items = [({"type": "event", **length}, content)]
    for _ in range(chance.choice([0, 0, 0, 1, 3])):
        items.insert(
            chance.randrange(2),
            (chance.choice(HEADERS_OF_ITEMS), chance.choice([b"{}", b"", b"\x00\n{}", DEEP])),
        )
    lines = [json.dumps(header).encode()]
    for named, inside in items:
        lines += [json.dumps(named).encode(), inside]
    return (b"\n" if chance.random() < 0.97 else b"").join(lines)


def compressed(chance, sent):
    """Return a body with its encoding, now and then a wrong one, a broken or an endless one."""
    match chance.randrange(20):
        case 0 | 1 | 2:
            return gzip.compress(sent, 1), "gzip"
        case 3:
            return brotli.compress(sent, quality=1), "br"
        case 4:
            return zlib.compress(sent, 1), "deflate"
        case 5:
            return gzip.compress(sent, 1)[: chance.randrange(40)], "gzip"
        case 6:
            return sent, chance.choice(["gzip", "br", "zstd", "deflate, gzip", ""])
        case 7:
            return chance.choice(bombs())
        case 8 if chance.random() < 0.1:
            return sent + b" " * MAX_ENVELOPE, None
    return sent, None


@pytest.mark.slow
@pytest.mark.timeout(1_800)
def test_envelopes_of_sentry_are_stored_whole_or_refused(data_dir):
    chance = random.Random(36)
    statuses, clean = Counter(), 0
    environment = {"FOOTFALL_WORKERS": "1", "FOOTFALL_RATE_LIMIT": "off"}
    with running(data_dir, environment=environment) as service:
        key = service.first_key()
        assert service.send("PUT", "/api/sites/1/config", {"acceptSentry": True}, key=key)[0] == 200
        connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=60)
        for number in range(BODIES):
            is_clean, path = number % 20 == 0, chance.choice(["envelope", "envelope", "envelope", "store"])
            event = {"message": f"clean {number}"} if is_clean else event_of_sentry(chance)
            if is_clean or path == "store":
                path, sent = "store", body(chance, event) if not is_clean else json.dumps(event).encode()
            else:
                sent = envelope_of(chance, event)
                if chance.random() < 0.2:
                    at = chance.randrange(len(sent))
                    sent = sent[:at] + chance.randbytes(2) + sent[at + chance.randrange(4) :]
            sent, encoding = (sent, None) if is_clean else compressed(chance, sent)
            headers = dict(chance.choice(SENDERS[: 2 if is_clean else None]))
            headers |= {"Content-Encoding": encoding} if encoding is not None else {}
            connection.request("POST", f"/api/1/{path}/", body=sent, headers=headers)
            response = connection.getresponse()
            answer = json.loads(response.read())
            statuses[response.status] += 1
            assert response.status in {200, 400, 403, 413, 415}, (sent[:2_000], answer)
            assert response.status != 200 or set(answer) <= {"id"}
            assert response.status == 200 or answer["detail"]
            assert response.status == 200 or not is_clean
            clean += is_clean
            if response.headers.get("Connection") == "close":
                connection.close()
        connection.close()
        told = service.get("/api/sites/1/ingestion", key=key)[1]["data"]
        with EmbeddedPostgres(service.data_dir) as server, psycopg.connect(server.url) as store:
            [(stored, whole, as_sent)] = store.execute(
                "select count(*), count(*) filter (where type = 'error' and event_name <> ''"
                " and properties ->> 'message' <> ''), count(*) filter (where properties ->> 'message' like 'clean %')"
                " from hit"
            ).fetchall()

    assert (stored, whole) == (told["outcomes"]["stored"]["events"],) * 2
    assert as_sent == clean
    assert told["translated"] == {"sentry": told["received"]}
    assert stored <= statuses[200]
    assert min(statuses[status] for status in (200, 400, 403, 413, 415)) > BODIES / 200
    assert stored > BODIES / 5
