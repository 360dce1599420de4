"""The proxies of the project before a service, and those of a site that hand script and endpoint on to it."""

import http.client
import json
import ssl
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

from footfall.entrypoints.server.gunicorn_app import KEEP_ALIVE_SECONDS
from tests.e2e.service import running
from tests.ports import free_port
from tests.servers.mail_server import make_certificate
from tests.servers.proxies import (
    KEY,
    Certificate,
    caddy_before,
    caddy_of_site,
    function_of_site,
    haproxy_before,
    nginx_before,
    nginx_of_site,
)
from tests.servers.receiver import receiver
from tests.stores.folders import folder_of_stores
from tests.waiting import wait_until

pytestmark = pytest.mark.slow

BROWSER = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
BEFORE = [
    pytest.param(nginx_before, marks=pytest.mark.needs("nginx")),
    pytest.param(caddy_before, marks=pytest.mark.needs("caddy")),
    pytest.param(haproxy_before, marks=pytest.mark.needs("haproxy")),
]
OF_SITES = [
    pytest.param(nginx_of_site, marks=pytest.mark.needs("nginx")),
    pytest.param(caddy_of_site, marks=pytest.mark.needs("caddy")),
    pytest.param(function_of_site, marks=pytest.mark.needs("node")),
]
# That of a visitor who is excluded, and that of another one.
EXCLUDED, OTHER = "127.0.0.2", "127.0.0.3"
# What stays inside, and other spellings of it.
INSIDE = (
    "/metrics",
    "/livez",
    "/readyz",
    "/readyz?x",
    "/%6Detrics",
    "//metrics",
    "/%2Fmetrics",
    "/x/../metrics",
)


@pytest.fixture(scope="module")
def service():
    environment = {
        "FOOTFALL_FIRST_SITE": "shop.example",
        "FOOTFALL_FIRST_API_KEY": KEY,
        "FOOTFALL_TRUSTED_PROXIES": "127.0.0.1",
    }
    with (
        tempfile.TemporaryDirectory(
            dir=folder_of_stores(), prefix="footfall-e2e-", ignore_cleanup_errors=True
        ) as folder,
        running(Path(folder) / "data", environment=environment) as service,
    ):
        assert service.send("PUT", "/api/sites/1/config", {"excludedIPs": [EXCLUDED]}, key=KEY)[0] == 200
        yield service


@pytest.fixture
def certificate(tmp_path):
    return Certificate(*make_certificate(tmp_path))


@contextmanager
def connection(port, certificate=None, *, source="127.0.0.1"):
    """Lend one connection, over TLS where there is a certificate."""
    where = {"host": "localhost", "port": port, "timeout": 30, "source_address": (source, 0)}
    if certificate is None:
        one = http.client.HTTPConnection(**where)
    else:
        context = ssl.create_default_context(cafile=certificate.certificate)
        one = http.client.HTTPSConnection(**where, context=context)
    try:
        yield one
    finally:
        one.close()


def ask(one, method, path, body=None, **headers):
    """Send a request over a connection that is kept, and return status and body."""
    before = one.sock
    one.request(method, path, body=None if body is None else json.dumps(body), headers=headers)
    answer = one.getresponse()
    content = answer.read()
    assert before in {None, one.sock}, "the connection was not kept"
    return answer.status, content


def event(path="/"):
    return {"site_id": "1", "hostname": "shop.example", "pathname": path}


def track(one, path="/api/track", **headers):
    """Send the event of a page, and return status and document."""
    status, content = ask(one, "POST", path, event(), **{"User-Agent": BROWSER}, **headers)
    return status, json.loads(content)


@pytest.mark.parametrize("before", BEFORE)
def test_requests_arrive_over_one_kept_connection(before, service, certificate, tmp_path):
    batch = {"events": [event("/" + "long" * 60) for _ in range(410)]}
    size = len(json.dumps(batch))

    with before(tmp_path, service.port, certificate) as port, connection(port, certificate) as one:
        tracked = track(one)
        batched = ask(one, "POST", "/api/track/batch", batch, Authorization=f"Bearer {KEY}")
        report = ask(one, "GET", "/api/sites/1/overview", Authorization=f"Bearer {KEY}")
        script = ask(one, "GET", "/footfall.js")

    assert size > 120_000
    assert tracked == (200, {"success": True})
    assert batched[0] == 200
    assert report[0] == 200
    assert script == (200, service_file(service, "/footfall.js"))


@pytest.mark.parametrize("before", BEFORE)
def test_what_only_the_operator_asks_for_stays_inside_in_each_spelling(
    before, service, certificate, tmp_path
):
    with before(tmp_path, service.port, certificate) as port, connection(port, certificate) as one:
        inside = {path: ask(one, "GET", path)[0] for path in INSIDE}

    assert inside == dict.fromkeys(INSIDE, 404)


@pytest.mark.parametrize("before", BEFORE)
def test_the_visitor_has_the_address_of_the_connection_and_none_that_it_claims(
    before, service, certificate, tmp_path
):
    claims = {"X-Forwarded-For": "203.0.113.9"}

    with before(tmp_path, service.port, certificate) as port:
        with connection(port, certificate, source=EXCLUDED) as one:
            hidden = track(one), track(one, **claims)
        with connection(port, certificate, source=OTHER) as one:
            counted = track(one), track(one, **{"X-Forwarded-For": EXCLUDED})

    assert [document.get("message") for _, document in hidden] == ["Event not tracked - IP excluded"] * 2
    assert [document for _, document in counted] == [{"success": True}] * 2


@pytest.mark.parametrize("before", BEFORE)
def test_the_service_refuses_too_large_batches_itself(before, service, certificate, tmp_path):
    with before(tmp_path, service.port, certificate) as port, connection(port, certificate) as one:
        status, content = ask(one, "POST", "/api/track/batch", "x" * 4_500_000)

    assert (status, json.loads(content)["success"]) == (413, False)


@pytest.mark.parametrize("before", BEFORE)
def test_an_event_after_a_pause_is_not_lost_to_a_closed_connection(before, service, certificate, tmp_path):
    with before(tmp_path, service.port, certificate) as port, connection(port, certificate) as one:
        first = track(one)
        time.sleep(KEEP_ALIVE_SECONDS + 0.2)
        second = track(one)

    assert [first[0], second[0]] == [200, 200]


@pytest.mark.parametrize("of_site", OF_SITES)
def test_a_site_hands_script_and_endpoint_on(of_site, service, tmp_path):
    with of_site(tmp_path, service.base_url) as port:
        with connection(port) as one:
            script = ask(one, "GET", "/hello.js")
            settings = ask(one, "GET", "/parcel/1")
            part = ask(one, "GET", "/parcel/activity.js")
            other = ask(one, "GET", "/api/sites/1")
        with connection(port, source=EXCLUDED) as one:
            hidden = track(one, "/parcel"), track(one, "/parcel", **{"X-Forwarded-For": OTHER})
        with connection(port, source=OTHER) as one:
            counted = track(one, "/parcel", **{"X-Forwarded-For": EXCLUDED})

    assert (script[0], settings[0], part[0]) == (200, 200, 200)
    assert script[1] == service_file(service, "/footfall.js")
    assert part[1] == service_file(service, "/api/track/activity.js")
    # Nothing else of the service is at the site.
    assert b"success" not in other[1]
    assert [document.get("message") for _, document in hidden] == ["Event not tracked - IP excluded"] * 2
    assert counted == (200, {"success": True})


@pytest.mark.parametrize("of_site", OF_SITES)
def test_a_site_keeps_its_cookies_and_passwords(of_site, tmp_path):
    own = {"Cookie": "session=of-the-site", "Authorization": "Basic of-the-site"}

    with (
        receiver(free_port()) as desk,
        of_site(tmp_path, f"http://127.0.0.1:{desk.port}") as port,
        connection(port) as one,
    ):
        ask(one, "POST", "/parcel", event(), **own)
        wait_until(lambda: desk.requests)

    [arrived] = desk.requests
    assert arrived["path"] == "/api/track"
    assert "of-the-site" not in str(arrived["headers"])


@pytest.mark.needs("node")
def test_a_function_keeps_what_a_page_says_of_users_and_times_from_its_key(service, tmp_path):
    claims = event() | {"user_id": "eve", "timestamp": "2020-01-01T00:00:00Z", "ip_address": EXCLUDED}

    with function_of_site(tmp_path, service.base_url) as port, connection(port, source=OTHER) as one:
        tracked = ask(one, "POST", "/parcel", claims, **{"User-Agent": BROWSER})
        bot = ask(one, "POST", "/parcel", event(), **{"User-Agent": "Googlebot/2.1"})
        unreadable = ask(one, "POST", "/parcel", ["text"])
        batch = ask(one, "POST", "/parcel/batch", {"events": [event()]})

    assert (tracked[0], json.loads(tracked[1])) == (200, {"success": True})
    assert json.loads(bot[1])["message"] == "Event not tracked - bot"
    assert [unreadable[0], batch[0]] == [400, 404]


@contextmanager
def nginx_of_both(folder, service, certificate, *trusted):
    """Run the nginx of a site, which hands on to another one before the service."""
    places = [folder / name for name in ("before", "site")]
    for place in places:
        place.mkdir()
    with (
        nginx_before(places[0], service.port, certificate) as desk,
        nginx_of_site(places[1], f"https://localhost:{desk}", *trusted) as port,
    ):
        yield port


@pytest.mark.needs("nginx")
def test_a_site_hands_on_through_the_proxy_of_the_service(service, certificate, tmp_path):
    with nginx_of_both(tmp_path, service, certificate, certificate.certificate) as port:
        with connection(port, source=EXCLUDED) as one:
            hidden = track(one, "/parcel", **{"X-Forwarded-For": OTHER})
        with connection(port, source=OTHER) as one:
            counted = track(one, "/parcel", **{"X-Forwarded-For": EXCLUDED})

    assert hidden[1].get("message") == "Event not tracked - IP excluded"
    assert counted == (200, {"success": True})


@pytest.mark.needs("nginx")
def test_a_site_hands_nothing_on_to_a_host_with_the_certificate_of_another(service, certificate, tmp_path):
    with nginx_of_both(tmp_path, service, certificate) as port, connection(port) as one:
        answers = [ask(one, "GET", path)[0] for path in ("/hello.js", "/parcel/1")]
        answers.append(ask(one, "POST", "/parcel", event())[0])

    assert answers == [502, 502, 502]


def service_file(service, path):
    with connection(service.port) as one:
        return ask(one, "GET", path)[1]
