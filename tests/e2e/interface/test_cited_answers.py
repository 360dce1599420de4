"""Cited answers: asked again after more events, a rebuild and a restart, they have the same bytes."""

import asyncio
import http.client
from datetime import UTC, datetime, timedelta
from itertools import product
from urllib.parse import quote

from footfall.adapters.embedded import EmbeddedPostgres
from footfall.entrypoints.composition.commands.command_stores import rebuilding
from tests.benchmarks.reports import fill
from tests.e2e.service import READY_SECONDS, running
from tests.waiting import wait_until

SITE = "/api/sites/1"
RULES = ("/blog/*", "/pricing", "/**/post-*7")
REPORTS = (
    "overview?",
    "timeseries?bucket=day&",
    "goals?",
    "breakdown?by=country&",
    "breakdown?by=pathname&visitors=true&",
    "web-vitals?",
    "goals/1/sessions?limit=5&",
    "overview?filters=" + quote('[{"parameter":"country","type":"equals","value":["DE"]}]') + "&",
)
ANSWERS = 16
LATER = 1_000
# Positions advance between this many answers.
TOGETHER = 8


def test_answers_are_given_again_after_more_events_a_rebuild_and_a_restart(tmp_path):
    data_dir = tmp_path / "data"
    with running(data_dir) as service:
        key = service.first_key()
        for rule in RULES:
            goal = {"goalType": "path", "config": {"pathPattern": rule}}
            service.send("POST", f"{SITE}/goals", goal, key=key)
    with EmbeddedPostgres(data_dir) as server:
        fill(server.url, 2_000)
    with running(data_dir) as service:
        _settle(service, key)
        given = dict(_record(service, key, ANSWERS))
        changed = {"goalType": "path", "config": {"pathPattern": "/p*"}}
        service.send("PUT", f"{SITE}/goals/1", changed, key=key)
    with EmbeddedPostgres(data_dir) as server:
        fill(server.url, LATER)
        asyncio.run(_rebuild(server.url))
    with running(data_dir) as service:
        _settle(service, key)
        again = {asked: _get(service, key, *asked)[0] for asked in given}

    assert len(given) == ANSWERS
    assert again == given


def _record(service, key, answers):
    """Yield questions with the positions of their answers, and the answers."""
    today = datetime.now(UTC).date()
    spans = product(range(90), (1, 7, 30))
    for number, ((back, length), report) in zip(range(answers), product(spans, REPORTS), strict=False):
        if number % TOGETHER == 0:
            event = {
                "site_id": "1",
                "type": "pageview",
                "pathname": f"/blog/{number}",
                "user_id": str(number),
            }
            assert service.send("POST", "/api/track", event, key=key)[0] == 200
        end = today - timedelta(days=back)
        path = f"{SITE}/{report}start_date={end - timedelta(days=length)}&end_date={end}"
        text, positions = _get(service, key, path)
        yield (path, positions), text


def _get(service, key, path, positions=None):
    connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=60)
    asked = path if positions is None else f"{path}&as_of={quote(positions)}"
    connection.request("GET", asked, headers={"Authorization": f"Bearer {key}"})
    response = connection.getresponse()
    text = response.read()
    connection.close()
    assert response.status == http.HTTPStatus.OK, (asked, text)
    return text, response.headers["Footfall-Positions"]


def _settle(service, key):
    """Wait until the reports hold all events."""
    wait_until(lambda: _is_complete(service, key), seconds=READY_SECONDS)


def _is_complete(service, key):
    connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=60)
    connection.request("GET", f"{SITE}/overview", headers={"Authorization": f"Bearer {key}"})
    response = connection.getresponse()
    response.read()
    connection.close()
    return response.status == http.HTTPStatus.OK and "Footfall-Incomplete" not in response.headers


async def _rebuild(url):
    async with rebuilding(url) as rebuilt:
        while await rebuilt.live.catch_up():
            pass
        await rebuilt.replay(lambda _position, _target: None)
        await rebuilt.exchange()
