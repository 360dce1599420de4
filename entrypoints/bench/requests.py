"""The requests that `footfall bench` sends: pageviews of many visitors with many browsers."""

import json
import random
from collections.abc import Iterator

_BLINK = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/{version}.0.0.0 Safari/537.36"
_WEBKIT = "AppleWebKit/605.1.15 (KHTML, like Gecko) Version/{version}.1 Mobile/15E148 Safari/604.1"
_BROWSERS = (
    f"Mozilla/5.0 (Windows NT 10.0; Win64; x64) {_BLINK}",
    "Mozilla/5.0 (X11; Linux x86_64; rv:{version}.0) Gecko/20100101 Firefox/{version}.0",
    f"Mozilla/5.0 (iPhone; CPU iPhone OS 18_2 like Mac OS X) {_WEBKIT}",
)
_REFERRERS = (None, None, "https://www.google.com/", "https://news.ycombinator.com/", "https://t.co/abc")
_VERSIONS = range(100, 140)
_PAGES = 2_000


def pageviews(site_id: int, *, hostname: str, count: int) -> list[bytes]:
    """Return that many different HTTP requests, each a pageview of the site, by 120 browsers on 2,000 pages."""
    return list(_pageviews(random.Random(1), site_id, hostname, count))  # noqa: S311 - the same load every time


def _pageviews(chance: random.Random, site_id: int, hostname: str, count: int) -> Iterator[bytes]:
    for number in range(count):
        body = {
            "site_id": str(site_id),
            "hostname": hostname,
            "pathname": f"/articles/{chance.randrange(_PAGES)}",
            "page_title": "An article",
            "referrer": chance.choice(_REFERRERS),
            "screenWidth": 1440,
            "screenHeight": 900,
            "language": "en-US",
        }
        agent = chance.choice(_BROWSERS).format(version=chance.choice(_VERSIONS))
        # An address that only counts where the service trusts this machine to name it.
        address = f"198.{18 + number % 2}.{number // 256 % 256}.{number % 256}"
        yield _request({name: value for name, value in body.items() if value is not None}, agent, address)


def _request(body: dict[str, object], agent: str, address: str) -> bytes:
    encoded = json.dumps(body).encode()
    lines = [
        "POST /api/track HTTP/1.1",
        "Host: 127.0.0.1",
        "Content-Type: application/json",
        f"User-Agent: {agent}",
        f"X-Forwarded-For: {address}",
        f"Content-Length: {len(encoded)}",
    ]
    return "\r\n".join([*lines, "", ""]).encode() + encoded
