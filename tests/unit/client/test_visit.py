"""Fields of a visit, taken from a request."""

from wsgiref.util import setup_testing_defaults

import pytest

from footfall.client import VisitReader
from footfall.client.event.events import Events

AGENT = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"


def environ(**more):
    defaults = {
        "REMOTE_ADDR": "10.0.0.1",
        "HTTP_HOST": "Shop.example.com:8080",
        "SCRIPT_NAME": "/base",
        "PATH_INFO": "/caf\xc3\xa9 au lait",
        "QUERY_STRING": "utm_source=news&x=%20",
        "HTTP_REFERER": "https://search.example/?q=1",
        "HTTP_USER_AGENT": AGENT,
        "HTTP_X_FORWARDED_FOR": "192.0.2.66, 203.0.113.7",
    }
    return {**defaults, **more}


def scope(headers=(), **more):
    defaults = {
        "type": "http",
        "client": ("10.0.0.1", 50_000),
        "server": ("internal.example.com", 8000),
        "path": "/base/café au lait",
        "raw_path": b"/base/caf%C3%A9%20au%20lait",
        "query_string": b"utm_source=news&x=%20",
        "headers": [
            (b"host", b"Shop.example.com:8080"),
            (b"referer", b"https://search.example/?q=1"),
            (b"user-agent", AGENT.encode()),
            (b"x-forwarded-for", b"192.0.2.66"),
            (b"x-forwarded-for", b"203.0.113.7"),
            *headers,
        ],
    }
    return {**defaults, **more}


EXPECTED = {
    "hostname": "shop.example.com",
    "pathname": "/base/caf%C3%A9%20au%20lait",
    "querystring": "utm_source=news&x=%20",
    "referrer": "https://search.example/?q=1",
    "user_agent": AGENT,
    "ip_address": "10.0.0.1",
}


def test_a_wsgi_request_tells_six_things_and_its_forwarding_header_is_not_believed():
    assert VisitReader().wsgi(environ()) == EXPECTED


def test_an_asgi_request_tells_six_things_and_its_forwarding_header_is_not_believed():
    assert VisitReader().asgi(scope()) == EXPECTED


@pytest.mark.parametrize("trust", [{"trusted_hops": 1}, {"trusted_networks": ["10.0.0.0/8"]}])
def test_a_trusted_proxy_is_believed(trust):
    reader = VisitReader(**trust)

    assert reader.wsgi(environ())["ip_address"] == "203.0.113.7"
    assert reader.asgi(scope())["ip_address"] == "203.0.113.7"


@pytest.mark.parametrize(
    "trust",
    [
        {"trusted_hops": -1},
        {"trusted_networks": ["10.0.0.0/8"], "trusted_hops": 1},
        {"trusted_networks": ["example.com"]},
    ],
)
def test_trust_that_makes_no_sense_is_refused(trust):
    with pytest.raises(ValueError, match=r"trusted|network|address"):
        VisitReader(**trust)


def test_the_standard_environment_of_wsgi_is_enough():
    plain = {}
    setup_testing_defaults(plain)

    assert VisitReader().wsgi(plain) == {"hostname": "127.0.0.1", "pathname": "/"}


def test_an_empty_environment_and_scope_are_enough():
    assert VisitReader().wsgi({}) == {"pathname": "/"}
    assert VisitReader().asgi({"type": "http", "client": None, "server": None}) == {"pathname": "/"}


def test_an_asgi_server_that_gives_no_raw_path_is_enough():
    visit = VisitReader().asgi(scope(raw_path=None))

    assert visit["pathname"] == "/base/caf%C3%A9%20au%20lait"


def test_a_server_on_a_unix_socket_believes_its_proxy_by_counting():
    visit = VisitReader(trusted_hops=1).asgi(scope(client=None))

    assert visit["ip_address"] == "203.0.113.7"


@pytest.mark.parametrize("host", ["[2001:db8::1]:8000", "[2001:db8::1]"])
def test_a_host_that_is_an_address_loses_only_its_port(host):
    assert VisitReader().wsgi(environ(HTTP_HOST=host))["hostname"] == "[2001:db8::1]"


@pytest.mark.parametrize("agent", ["caf\xc3\xa9", "\xff\xfe", "\udce9", "☃"])
def test_no_bytes_in_a_header_break_the_application(agent):
    visit = VisitReader().wsgi(environ(HTTP_USER_AGENT=agent))

    assert visit["user_agent"].encode()


@pytest.mark.parametrize(
    ("header", "field"),
    [("HTTP_REFERER", "referrer"), ("QUERY_STRING", "querystring")],
)
def test_what_a_visitor_makes_too_long_for_the_service_is_left_out(header, field):
    visit = VisitReader().wsgi(environ(**{header: "x" * 2_049}))

    assert field not in visit


def test_of_a_long_user_agent_and_path_the_beginning_is_kept():
    visit = VisitReader().wsgi(environ(HTTP_USER_AGENT=f"{AGENT} {'x' * 600}", PATH_INFO="/" + "a" * 3_000))

    assert visit["user_agent"].startswith(AGENT)
    assert (len(visit["user_agent"]), len(visit["pathname"])) == (512, 2_048)


def test_every_visit_is_a_valid_payload():
    assert Events("1", {}).pageview(VisitReader().asgi(scope()))["type"] == "pageview"
