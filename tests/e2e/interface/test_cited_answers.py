"""Cited answers: asked again after more events, a rebuild and a restart, they have the same bytes."""

import asyncio
import http.client
import time
from contextlib import closing
from datetime import UTC, datetime, timedelta
from itertools import product
from urllib.parse import quote

import pytest

from footfall.adapters.embedded import EmbeddedPostgres
from footfall.entrypoints.composition.projectors import rebuilding
from tests.benchmarks.reports import fill
from tests.e2e.service import READY_SECONDS, running
from tests.generated import at_length
from tests.waiting import wait_until

SITE = "/api/sites/1"
RULES = ("/blog/*", "/pricing", "/**/post-*7")
FUNNEL = {
    "name": "Reading",
    "steps": [
        {"goalType": "path", "config": {"pathPattern": "/"}},
        {"goalType": "path", "config": {"pathPattern": "/blog/*"}},
    ],
}
FILTERED = "filters=" + quote('[{"parameter":"country","type":"equals","value":["DE"]}]') + "&"
BREAKDOWNS = ("country", "browser", "channel", "entry_page", "referrer_host", "event_name")
REPORTS = (
    "overview?",
    "timeseries?bucket=day&",
    "goals?",
    "goals?sort=conversion_rate&",
    *(f"breakdown?by={by}&" for by in BREAKDOWNS),
    "breakdown?by=pathname&visitors=true&",
    "breakdown?by=pathname&goal=1&",
    "pages?",
    "web-vitals?",
    "goals/1/sessions?limit=5&",
    "funnels/1?",
    "properties?event=signup&",
    "property-values?event=order&property=plan&",
    "error-names?",
    "errors?",
    "overview?" + FILTERED,
    "timeseries?bucket=day&" + FILTERED,
    "goals?" + FILTERED,
    "pages?" + FILTERED,
    "funnels/1?" + FILTERED,
)
# The longest period first: what is counted for it serves the others. How many days ago it ends, and how many it has.
PERIODS = ((0, 30), (0, 1), (1, 7), (20, 5), (29, 1))
# Under load a connection can take longer than a request waits (docs/operate/troubleshooting.md#faults).
ATTEMPTS = 5


@pytest.mark.slow
@pytest.mark.timeout(1_800)
def test_answers_are_given_again_after_more_events_a_rebuild_and_a_restart(tmp_path):
    # Positions that the answers name; eight of them make a thousand answers. What comes later is what makes them slow.
    states, later = at_length(slow=1, thorough=8), at_length(slow=8_000, thorough=100_000)
    data_dir = tmp_path / "data"
    with running(data_dir) as service:
        key = service.first_key()
        for rule in RULES:
            goal = {"goalType": "path", "config": {"pathPattern": rule}}
            service.send("POST", f"{SITE}/goals", goal, key=key)
        service.send("POST", f"{SITE}/funnels", FUNNEL, key=key)
        with EmbeddedPostgres(data_dir) as server:
            fill(server.url, 2_000)
        _settle(service, key)
        given = dict(_record(service, key, states))
        changed = {"goalType": "path", "config": {"pathPattern": "/p*"}}
        service.send("PUT", f"{SITE}/goals/1", changed, key=key)
    with EmbeddedPostgres(data_dir) as server:
        fill(server.url, later)
        asyncio.run(_rebuild(server.url))
    with running(data_dir) as service:
        _settle(service, key)
        with closing(_connected(service)) as connection:
            different = [asked for asked, text in given.items() if _get(connection, key, *asked)[0] != text]

    assert len(given) == states * len(PERIODS) * len(REPORTS)
    assert different == []


def _record(service, key, states):
    """Yield questions with the positions of their answers, and the answers."""
    today = datetime.now(UTC).date()
    for state in range(states):
        event = {"site_id": "1", "type": "pageview", "pathname": f"/blog/{state}", "user_id": str(state)}
        assert service.send("POST", "/api/track", event, key=key)[0] == 200
        with closing(_connected(service)) as connection:
            for (back, length), report in product(PERIODS, REPORTS):
                end = today - timedelta(days=back)
                path = f"{SITE}/{report}start_date={end - timedelta(days=length)}&end_date={end}"
                text, positions = _get(connection, key, path)
                yield (path, positions), text


def _connected(service):
    return http.client.HTTPConnection("127.0.0.1", service.port, timeout=60)


def _get(connection, key, path, positions=None):
    """Return an answer and its positions; a 503 is asked again after its time, as clients do."""
    asked = path if positions is None else f"{path}&as_of={quote(positions)}"
    for _ in range(ATTEMPTS):
        connection.request("GET", asked, headers={"Authorization": f"Bearer {key}"})
        response = connection.getresponse()
        text = response.read()
        if response.status != http.HTTPStatus.SERVICE_UNAVAILABLE:
            break
        time.sleep(int(response.headers["Retry-After"]))
    assert response.status == http.HTTPStatus.OK, (asked, text)
    return text, response.headers["Footfall-Positions"]


def _settle(service, key):
    """Wait until the reports hold all events."""
    wait_until(lambda: _is_complete(service, key), seconds=READY_SECONDS)


def _is_complete(service, key):
    with closing(_connected(service)) as connection:
        connection.request("GET", f"{SITE}/overview", headers={"Authorization": f"Bearer {key}"})
        response = connection.getresponse()
        response.read()
        return response.status == http.HTTPStatus.OK and "Footfall-Incomplete" not in response.headers


async def _rebuild(url):
    async with rebuilding(url) as rebuilt:
        while await rebuilt.live.catch_up():
            pass
        await rebuilt.replay(lambda _position, _target: None)
        await rebuilt.exchange()
