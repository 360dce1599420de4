"""What the middlewares of all frameworks do alike."""

import json
import logging

import pytest

from footfall.client import ErrorHandler
from tests.unit.client.web.conftest import AGENT
from tests.web_hosts.views import HostFailedError

NOT_PAGES = [
    *("/data", "/style.css", "/missing", "/moved", "/broken", "/static/about.html", "/healthz", "/ignored"),
]
NOT_SHOWN = [
    {"method": "HEAD"},
    {"method": "POST"},
    {"headers": {"Sec-Purpose": "prefetch;prerender"}},
    {"headers": {"Purpose": "prefetch"}},
    {"headers": {"X-Moz": "prefetch"}},
    {"headers": {"Sec-Fetch-Dest": "iframe"}},
    # Browsers tell no destination to a server without TLS, but libraries that ask for parts tell of themselves.
    {"headers": {"HX-Request": "true"}},
    {"headers": {"Turbo-Frame": "cart"}},
    {"headers": {"X-PJAX": "true"}},
    {"headers": {"X-Requested-With": "XMLHttpRequest"}},
]
STRANGE = [
    ("/" + "a" * 5_000, {}),
    ("/page?" + "b" * 9_000, {}),
    ("/caf\xe9\xff", {}),
    ("/page", {"Referer": "\xff", "User-Agent": "\xe9\xff"}),
    ("/page", {"User-Agent": "u" * 3_000, "Accept": "\xff", "X-Forwarded-For": "," * 5_000}),
    ("/page", {"Sec-Fetch-Dest": "document", "Referer": "r\x00"}),
]
REFUSED_BY_SOME = [("/page?\xff\xfe", {}), ("/page", {"Host": "x" * 300}), ("/page", {"Host": "\xff:\x00"})]


def kinds(events):
    return [event["type"] for event in events]


def test_a_page_is_counted_with_its_visitor_and_bots_are_to_be_judged(host, tracked):
    assert host.open().get("/page?utm_source=news") == (200, b"<p>page")

    (event,) = tracked()
    assert (
        event.items()
        >= {
            "type": "pageview",
            "hostname": "shop.example.com",
            "pathname": "/page",
            "querystring": "utm_source=news",
            "referrer": "https://search.example/",
            "user_agent": AGENT,
            "ip_address": "192.0.2.1",
            "bots": "judge",
        }.items()
    )


def test_what_no_visitor_looks_at_is_not_counted(host, tracked):
    host.open()
    for path in NOT_PAGES:
        host.get(path)
    for request in NOT_SHOWN:
        host.get("/page", **request)

    assert tracked() == []


def test_a_page_within_an_application_of_android_is_counted(host, tracked):
    host.open()

    host.get("/page", headers={"X-Requested-With": "com.example.reader"})

    assert kinds(tracked()) == ["pageview"]


def test_a_page_that_the_visitor_has_already_is_counted(host, tracked):
    host.open()

    assert host.get("/same", headers={"Accept": "text/html,*/*"})[0] == 304
    assert host.get("/same", headers={"Accept": "image/webp,*/*"})[0] == 304

    assert kinds(tracked()) == ["pageview"]


def test_a_streamed_page_is_counted_and_arrives_whole(host, tracked):
    assert host.open().get("/streamed") == (200, b"<p>1<p>2")

    assert kinds(tracked()) == ["pageview"]


def test_code_of_the_application_tracks_events_of_the_visitor(host, tracked):
    host.open().get("/signup")

    (event,) = tracked()
    assert (event["type"], event["event_name"], event["properties"]) == (
        "custom_event",
        "signup",
        '{"plan": "pro"}',
    )
    assert (event["user_id"], event["ip_address"], event["bots"]) == ("42", "192.0.2.1", "judge")


def test_code_of_the_application_says_more_of_its_page(host, tracked):
    host.open().get("/titled")

    assert tracked()[0]["page_title"] == "Titled"


def test_an_exception_is_reported_with_its_visitor_and_goes_on_as_it_was(host, tracked):
    status, _ = host.open().get("/fails")

    (event,) = tracked()
    assert (status, event["type"], event["event_name"]) == (500, "error", "HostFailedError")
    assert (event["pathname"], event["ip_address"], "bots" in event) == ("/fails", "192.0.2.1", False)
    properties = json.loads(event["properties"])
    assert (properties["message"], properties["fileName"]) == ("no price", "tests/web_hosts/views.py")
    assert "Caused by: KeyError: 'price'" in properties["stack"]
    assert "not to be told" not in event["properties"]
    assert host.raised is None or (type(host.raised), host.raised.args) == (HostFailedError, ("no price",))


def test_an_exception_that_the_application_logs_and_raises_is_reported_once(host, tracked):
    host.open()
    handler = ErrorHandler(host.client)
    logging.getLogger().addHandler(handler)
    try:
        host.get("/caught")
        host.get("/caught")
    finally:
        logging.getLogger().removeHandler(handler)

    assert kinds(tracked()) == ["error", "error"]


def test_an_exception_that_the_server_logs_once_more_is_reported_once(host, tracked):
    host.open().get("/fails")
    if host.raised is not None:
        log = logging.Logger("server")  # noqa: LOG001
        log.addHandler(ErrorHandler(host.client))
        log.error("Exception in the application", exc_info=host.raised)

    assert kinds(tracked()) == ["error"]


def test_a_line_of_the_log_has_the_visitor_of_its_request(host, tracked):
    host.open(pageviews=False)
    handler = ErrorHandler(host.client)
    logging.getLogger("shop").addHandler(handler)
    try:
        host.get("/logs")
    finally:
        logging.getLogger("shop").removeHandler(handler)

    (event,) = tracked()
    assert (event["event_name"], json.loads(event["properties"])["message"]) == ("Message", "Out of stock: 7")
    assert event["ip_address"] == "192.0.2.1"


def test_an_answer_that_breaks_off_is_a_page_and_breaks_off(host, tracked):
    host.open().get("/breaks-off")

    assert "pageview" in kinds(tracked())
    assert isinstance(host.raised, HostFailedError)


@pytest.mark.parametrize(
    ("trust", "forwarded", "address"),
    [
        ({}, "203.0.113.7", "192.0.2.1"),
        ({"trusted_hops": 1}, "198.51.100.1, 203.0.113.7", "203.0.113.7"),
    ],
)
def test_a_forged_address_is_not_believed(host, tracked, trust, forwarded, address):
    host.open(**trust).get("/page", headers={"X-Forwarded-For": forwarded})

    assert tracked()[0].get("ip_address") == address


def test_a_strange_request_is_answered_and_counted(host, tracked):
    host.open()

    assert {host.get(target, headers=headers)[0] for target, headers in STRANGE} == {200}

    events = tracked()
    assert kinds(events) == ["pageview"] * len(STRANGE)
    assert all(len(event["pathname"]) <= 2_048 for event in events)
    assert all("\0" not in value and value.encode() for event in events for value in event.values())


def test_a_request_that_a_framework_may_refuse_is_refused_by_it_alone(host, tracked):
    def ask():
        return [(host.get(target, headers=headers), repr(host.raised)) for target, headers in REFUSED_BY_SOME]

    host.open(pageviews=False, exceptions=False)
    without = ask()
    host.client.close()
    host.open()

    assert ask() == without
    assert len(tracked()) == sum(status == 200 or raised != "None" for (status, _), raised in without)


def test_options_count_bots_and_leave_out_paths_exceptions_and_what_a_hook_leaves_out(host, tracked):
    def before(payload, _request):
        return None if payload["pathname"] == "/secret" else {**payload, "language": "de"}

    host.open(bots="count", skip=["/admin/*", "/*.html"], exceptions=False, before=before)
    for path in ("/admin/users", "/about.html", "/secret", "/fails", "/page"):
        host.get(path)

    (event,) = tracked()
    assert (event["pathname"], event["language"], "bots" in event) == ("/page", "de", False)


def test_a_hook_that_fails_harms_nothing(host, tracked, caplog):
    def before(payload, _request):
        raise ValueError(payload["ip_address"])

    assert host.open(before=before).get("/page") == (200, b"<p>page")
    assert tracked() == []
    assert "192.0.2.1" not in caplog.text
