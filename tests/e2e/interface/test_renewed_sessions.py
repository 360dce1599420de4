"""A store whose sessions a former version formed: the service answers from them, and forms them anew."""

import http.client
import json
import time
from contextlib import closing
from datetime import UTC, datetime, timedelta

import psycopg
import pytest

from footfall.adapters.embedded import EmbeddedPostgres
from tests.e2e.service import running
from tests.waiting import LONG

# The third event, which lies between the others, joined the latest session, and both stayed.
FORMER = """
    update session set session_id = 7 where session_id = 1;
    update projection_checkpoint set sessions = 1
"""


# The files of a rebuild are made by a process that gives way to all others.
@pytest.mark.alone
@pytest.mark.timeout(300)
def test_former_sessions_answer_until_the_first_worker_has_formed_them_anew(tmp_path):
    data_dir = tmp_path / "data"
    start = datetime.now(UTC) - timedelta(hours=5)
    with running(data_dir) as service:
        key = service.first_key()
        for minutes in (0, 50, 25):
            at = (start + timedelta(minutes=minutes)).isoformat()
            event = {"site_id": "1", "pathname": "/", "user_id": "anna", "timestamp": at}
            assert service.send("POST", "/api/track", event, key=key)[0] == 200
        service.settle()
    with EmbeddedPostgres(data_dir) as server, psycopg.connect(server.url, autocommit=True) as connection:
        connection.execute(FORMER)

    seen = []
    with running(data_dir) as service, closing(_connected(service)) as connection:
        deadline = time.monotonic() + 3 * LONG
        while not seen or "sessions=2" not in seen[-1][2]:
            seen.append(_overview(connection, key))
            assert time.monotonic() < deadline, service.output()
            time.sleep(0.05)

    assert {status for status, *_ in seen} == {200}
    assert seen[-1][1] == 1
    assert "sessions have been formed anew by the times of hits" in service.output()


def _connected(service):
    return http.client.HTTPConnection("127.0.0.1", service.port, timeout=60)


def _overview(connection, key):
    connection.request("GET", "/api/sites/1/overview", headers={"Authorization": f"Bearer {key}"})
    response = connection.getresponse()
    body = json.load(response)
    return response.status, body.get("data", {}).get("sessions"), response.headers["Footfall-Positions"]
