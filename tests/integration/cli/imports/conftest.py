"""Access logs, and a site into which commands import them."""

import random
from datetime import UTC, datetime, timedelta

import psycopg
import pytest

from tests.commands import commands

AGENTS = (
    "Mozilla/5.0 (X11; Linux x86_64; rv:120.0) Gecko/20100101 Firefox/120.0",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.1",
    "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
)
PAGE = '192.0.2.7 - - [{} +0000] "GET /new HTTP/1.1" 200 1 "-" "Mozilla/5.0 (X11) Firefox/120.0"\n'

# Twice the days that a log spans; each day is closed and counted by itself.
DAYS = 80


def write_log(path, lines, *, seed=1, first="2019-12-31T23:00:00+00:00"):
    """Write an access log over six weeks or so, with assets, bots, errors and late lines."""
    chance = random.Random(seed)
    at = datetime.fromisoformat(first).astimezone(UTC)
    with path.open("w") as log:
        for number in range(lines):
            at += timedelta(seconds=chance.random() * 60 * 60 * 24 * DAYS / lines)
            page = chance.choice(
                ["/", f"/blog/{number}", "/caf%C3%A9?utm_source=news", "/app.js", "/%F0%9F%92%A9"]
            )
            log.write(
                f"192.0.2.{chance.randrange(250)} - - [{at:%d/%b/%Y:%H:%M:%S} +0000]"
                f' "GET {page} HTTP/1.1" {chance.choice([200, 200, 200, 404])} 1'
                f' "{chance.choice(["-", "https://www.google.com/"])}" "{chance.choice(AGENTS)}"\n'
            )
    return path


def hits(url):
    with psycopg.connect(url) as connection:
        return connection.execute(
            "select site_id, occurred_at, visitor_id, pathname, browser, channel from hit order by position"
        ).fetchall()


@pytest.fixture
def environment(database_url, tmp_path):
    return {"FOOTFALL_DATABASE_URL": database_url, "FOOTFALL_DATA_DIR": str(tmp_path / "data")}


@pytest.fixture
def footfall(environment):
    return commands(environment)


@pytest.fixture
def site(footfall):
    names = ("--organization", "O", "--site", "Shop", "--domain", "shop.example")
    return str(footfall("init", *names, "--json")["siteId"])
