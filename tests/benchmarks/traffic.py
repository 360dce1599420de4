"""Requests as many visitors with many browsers would send them."""

import json
import random
import uuid

_WEBKIT = "AppleWebKit/605.1.15 (KHTML, like Gecko) Version/{v}.1"
_BLINK = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/{v}.0.0.0 Safari/537.36"
BROWSERS = [
    f"Mozilla/5.0 (Windows NT 10.0; Win64; x64) {_BLINK}",
    f"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) {_WEBKIT} Safari/605.1.15",
    "Mozilla/5.0 (X11; Linux x86_64; rv:{v}.0) Gecko/20100101 Firefox/{v}.0",
    f"Mozilla/5.0 (iPhone; CPU iPhone OS 18_2 like Mac OS X) {_WEBKIT} Mobile/15E148 Safari/604.1",
]
REFERRERS = [
    None,
    None,
    "https://www.google.com/",
    "https://news.ycombinator.com/item?id=1",
    "https://t.co/abc",
]


def user_agents(count: int) -> list[str]:
    """Return that many different user agents."""
    return [
        BROWSERS[number % len(BROWSERS)].format(v=100 + number // len(BROWSERS)) for number in range(count)
    ]


def addresses(count: int) -> list[str]:
    """Return that many different addresses of the range for documentation and its neighbours."""
    return [f"198.{18 + number // 65536}.{number // 256 % 256}.{number % 256}" for number in range(count)]


def event(randomness: random.Random, site_id: str) -> dict[str, object]:
    """Return one tracking event."""
    fields = {
        "site_id": site_id,
        "hostname": "localhost",
        "pathname": f"/articles/{randomness.randrange(2_000)}",
        "page_title": "An article",
        "referrer": randomness.choice(REFERRERS),
        "screenWidth": 1440,
        "screenHeight": 900,
        "language": "en-US",
    }
    return {name: value for name, value in fields.items() if value is not None}


def request(path: str, body: object, headers: dict[str, str]) -> bytes:
    """Return an HTTP request as it goes over the wire."""
    encoded = json.dumps(body).encode()
    lines = [f"POST {path} HTTP/1.1", "Host: 127.0.0.1", "Content-Type: application/json"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, f"Content-Length: {len(encoded)}", "", ""]).encode() + encoded


def batches(count: int, keys: list[str], site_id: str = "1") -> list[bytes]:
    """Return requests of 100 events each, the keys in turn."""
    randomness = random.Random(2)
    agents, clients = user_agents(200), addresses(10_000)
    requests = []
    for number in range(count):
        events = [
            event(randomness, site_id)
            | {"user_agent": randomness.choice(agents), "ip_address": randomness.choice(clients)}
            for _ in range(100)
        ]
        headers = {"Authorization": f"Bearer {keys[number % len(keys)]}"}
        requests.append(request("/api/track/batch", {"events": events}, headers))
    return requests


def single_events(count: int, site_id: str = "1", *, named: bool = False) -> list[bytes]:
    """Return keyless requests: 200 user agents, 10,000 addresses, 2,000 paths; with `named` each has its event_id."""
    randomness = random.Random(1)
    agents, clients = user_agents(200), addresses(10_000)
    return [
        request(
            "/api/track",
            event(randomness, site_id) | ({"event_id": str(uuid.uuid4())} if named else {}),
            {"User-Agent": randomness.choice(agents), "X-Forwarded-For": randomness.choice(clients)},
        )
        for _ in range(count)
    ]
