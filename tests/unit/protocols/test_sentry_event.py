"""Events of Sentry SDKs as errors: stacks that our own reader understands, and an allow-list."""

import json

import pytest

from footfall.adapters.http.protocols.sentry_event import MAX_STACK, translated
from footfall.application.ingestion.payload_rules import parse_track
from footfall.domain.error_tracking.fingerprint import fingerprint
from footfall.domain.error_tracking.occurrence import error_details
from footfall.domain.error_tracking.stack_trace import Frame, frames

APP = "https://example.com/assets/app.js"
# As the SDKs of these platforms write them, the innermost frame last.
PYTHON = {
    "platform": "python",
    "exception": {
        "values": [
            {
                "type": "KeyError",
                "value": "'price'",
                "stacktrace": {"frames": [{"filename": "shop/cart.py", "function": "total", "lineno": 7}]},
            },
            {
                "type": "OrderError",
                "value": "cannot be paid",
                "stacktrace": {
                    "frames": [
                        {"filename": "django/core/handlers.py", "function": "inner", "lineno": 55, "in_app": False},
                        {"filename": "shop/views.py", "function": "pay", "lineno": 12, "in_app": True},
                        {"filename": "stripe/api.py", "function": "<lambda>", "lineno": 90, "in_app": False},
                    ]
                },
            },
        ]
    },
}  # fmt: skip
BROWSER = {
    "platform": "javascript",
    "exception": {
        "values": [
            {
                "type": "TypeError",
                "value": "x is undefined",
                "stacktrace": {
                    "frames": [
                        {"filename": APP, "function": "?", "lineno": 1, "colno": 900, "in_app": True},
                        {"filename": APP, "function": "a", "lineno": 1, "colno": 48213, "in_app": True},
                    ]
                },
            }
        ]
    },
}  # fmt: skip


def failed(platform, kind, message, **frame):
    """Return an event in the form of the public documentation of an SDK."""
    exception = {"type": kind, "value": message, "stacktrace": {"frames": [{**frame, "in_app": True}]}}
    return {"platform": platform, "exception": {"values": [exception]}}


NODE = failed("node", "Error", "off", filename="app:///dist/server.mjs", function="pay", lineno=3, colno=11)
PHP = failed("php", "App\\Unpaid", "no", filename="/src/Cart.php", function="App\\Cart::pay", lineno=44)
JAVA = failed(
    "java", "IllegalState", "", filename="Cart.java", module="com.shop.Cart", function="pay", lineno=31
)
GO = failed(
    "go",
    "*errors.errorString",
    "EOF",
    abs_path="/src/cart.go",
    module="shop",
    function="(*Cart).Pay",
    lineno=18,
)
# Go's SDK writes exceptions as a list, and frames without `filename`.
GO["exception"] = GO["exception"]["values"]


def properties(event):
    return json.loads(translated(event)["properties"])


def places(event):
    told = properties(event)
    return list(frames(told["stack"], message=told["message"]))


def exception(value="x", **fields):
    return {"exception": {"values": [{"type": "E", "value": value, **fields}]}}


def test_the_outermost_exception_is_the_error_and_its_causes_are_named():
    told = translated(PYTHON)

    assert (told["type"], told["event_name"]) == ("error", "OrderError")
    assert properties(PYTHON) == {
        "message": "cannot be paid",
        "stack": (
            "OrderError: cannot be paid\n"
            "    at <lambda> (stripe/api.py:90)\n"
            "    at pay (shop/views.py:12)\n"
            "    at inner (django/core/handlers.py:55)\n"
            "Caused by: KeyError: 'price'\n"
            "    at total (shop/cart.py:7)"
        ),
        "fileName": "shop/views.py",
        "lineNumber": 12,
    }


@pytest.mark.parametrize(
    ("event", "first"),
    [
        (PYTHON, Frame("stripe/api.py", 90)),
        (BROWSER, Frame("https://example.com/assets/app.js", 1, 48213)),
        (NODE, Frame("app:///dist/server.mjs", 3, 11)),
        (PHP, Frame("/src/Cart.php", 44)),
        (JAVA, Frame("Cart.java", 31)),
        (GO, Frame("/src/cart.go", 18)),
    ],
)
def test_stacks_of_every_platform_are_read_by_our_own_rules(event, first):
    assert places(event)[0] == first
    assert parse_track({**translated(event), "site_id": "1"}, json.loads).properties == properties(event)


def test_functions_of_java_and_go_have_their_class_or_package():
    assert "at com.shop.Cart.pay (Cart.java:31)" in properties(JAVA)["stack"]
    assert "at shop.(*Cart).Pay (/src/cart.go:18)" in properties(GO)["stack"]


def test_the_first_frame_of_the_application_is_the_place_of_an_error_and_the_topmost_one_its_group():
    details = error_details(properties(PYTHON))
    elsewhere = error_details({**properties(PYTHON), "fileName": "other.py"})

    assert (details.file_name, details.line_number) == ("shop/views.py", 12)
    assert fingerprint("OrderError", details) == fingerprint("OrderError", elsewhere)


def test_the_innermost_frames_are_kept_and_causes_are_behind_them():
    deep = {"frames": [{"filename": "a.py", "lineno": number} for number in range(1, 1_001)]}
    values = [{"type": "Cause", "value": "y"}, {"type": "E", "value": "x", "stacktrace": deep}]

    stack = properties({"exception": {"values": values}})["stack"].splitlines()

    kept = [f"    at a.py:{number}" for number in range(1_000, 950, -1)]
    assert stack[1:] == [*kept, "Caused by: Cause: y"]


@pytest.mark.parametrize(
    ("named", "kept"),
    [
        ("https://example.com/reset?token=private#private", "https://example.com/reset"),
        ("https://example.com/reset#private", "https://example.com/reset"),
        ("webpack:///./src/App.vue?private", "webpack:///./src/App.vue"),
        ("what?.py", "what?.py"),
    ],
)
def test_addresses_of_frames_have_no_query_strings(named, kept):
    frame = {"filename": named, "lineno": 3, "in_app": True}

    told = properties(exception(stacktrace={"frames": [frame]}))

    assert (told["stack"].splitlines()[1], told["fileName"]) == (f"    at {kept}:3", kept)


def test_a_frame_of_an_anonymous_function_has_a_place_alone():
    assert properties(BROWSER)["stack"].splitlines()[2] == "    at https://example.com/assets/app.js:1:900"


def test_nothing_but_the_allowed_parts_of_an_event_is_kept():
    private = {
        "user": {"email": "anna@private.example", "ip_address": "192.0.2.9"},
        "request": {
            "url": "https://example.com/pay?a=1#private",
            "headers": {"Cookie": "private", "User-Agent": "private"},
            "data": {"card": "private"},
            "cookies": "private",
            "query_string": "private=1",
            "env": {"REMOTE_ADDR": "192.0.2.9"},
        },
        "breadcrumbs": {"values": [{"message": "private"}]},
        "extra": {"x": "private"},
        "tags": {"x": "private"},
        "contexts": {"device": {"name": "private"}},
        "server_name": "private",
        "modules": {"private": "1"},
        "transaction": "private",
        "logger": "private",
        "fingerprint": ["private"],
    }
    frame = {
        "filename": "a.py",
        "function": "f",
        "lineno": 1,
        "vars": {"password": "private"},
        "context_line": "private",
        "pre_context": ["private"],
        "post_context": ["private"],
    }
    event = {**exception(stacktrace={"frames": [frame]}, mechanism={"data": "private"}), **private}

    told = translated({**event, "release": "1.4", "environment": "production"})

    assert "private" not in json.dumps(told)
    assert "192.0.2.9" not in json.dumps(told)
    assert {name for name, value in told.items() if value is not None} == {
        "type",
        "event_name",
        "properties",
        "release",
        "hostname",
        "pathname",
        "querystring",
    }
    assert (told["hostname"], told["pathname"], told["querystring"]) == ("example.com", "/pay", "a=1")
    assert set(json.loads(told["properties"])) == {"message", "stack", "environment"}


@pytest.mark.parametrize(
    "event",
    [
        {"message": "disk is full", "level": "error"},
        {"message": "disk is full"},
        {"logentry": {"message": "%s is full", "params": ["disk"], "formatted": "disk is full"}, "level": "fatal"},
        {"message": {"message": "%s is full", "formatted": "disk is full"}},
    ],
)  # fmt: skip
def test_a_serious_message_is_an_error(event):
    told = translated(event)

    assert (told["event_name"], properties(event)) == ("Message", {"message": "disk is full"})


@pytest.mark.parametrize(
    "event",
    [
        {"message": "disk is full", "level": "warning"},
        {"message": "disk is full", "level": []},
        {"message": "disk is full", "level": "info", "exception": {"values": [{"value": "disk is full"}]}},
        {"message": ""},
        {"exception": {"values": [{}]}, "level": "info"},
        {},
    ],
)
def test_another_message_is_none(event):
    assert translated(event) is None


def test_the_stack_of_a_message_is_that_of_its_thread_or_of_an_exception_without_a_type():
    stack = {"frames": [{"filename": "a.py", "lineno": 3}]}
    threads = {"values": [{}, {"current": True, "stacktrace": stack}]}
    values = [{"value": "disk is full", "stacktrace": stack}]
    told = {"level": "error", "logentry": {"message": "%s is full"}, "exception": {"values": values}}

    assert places({"message": "m", "threads": threads}) == [Frame("a.py", 3)]
    assert places(told) == [Frame("a.py", 3)]
    assert (translated(told)["event_name"], properties(told)["message"]) == ("Message", "disk is full")


def test_an_exception_without_a_type_is_an_error():
    assert translated({"exception": {"values": [{"value": "off"}]}})["event_name"] == "Error"


def test_longest_texts_in_any_characters_pass_our_own_checks():
    for character in ("\\", '"', "\n", "\x01", "\x00", "\ud800", "\u2028", "😀", "a", "("):
        text = character * 20_000
        frame = {"filename": text, "function": text, "lineno": 2**31, "colno": 1e300, "in_app": True}
        event = exception(text, type=text, stacktrace={"frames": [frame] * 500})
        event |= {
            "release": text,
            "environment": text,
            "request": {"url": f"https://example.com/{text}?{text}"},
        }

        request = parse_track({**translated(event), "site_id": "1"}, json.loads)

        assert len(request.properties.get("stack", "")) <= MAX_STACK + 8_192 + 300
        assert len(request.properties["message"]) <= 8_192


def test_a_message_with_a_place_in_it_and_a_cause_with_one_are_no_frames():
    values = [{"type": "E", "value": "me@example.com/a:1:2"}, {"type": "E", "value": "at x (b.js:3:4)"}]

    assert places({"exception": {"values": values}}) == []


@pytest.mark.parametrize(
    ("sent", "read"),
    [
        (1_780_000_000.5, "2026-05-28T20:26:40.500000+00:00"),
        ("2026-05-28T20:26:40.5Z", "2026-05-28T20:26:40.500000+00:00"),
        ("2026-05-28T20:26:40", "2026-05-28T20:26:40+00:00"),
        ("yesterday", None),
        (float("inf"), None),
        (10**30, None),
        (True, None),
        (None, None),
    ],
)
def test_times_are_read_in_both_forms(sent, read):
    assert translated({**exception(), "timestamp": sent})["timestamp"] == read


@pytest.mark.parametrize(
    "url",
    [5, "", "/a", "app:///index.html", "file:///home/anna/index.html", "http://[", "https://" + "a" * 300, "\ud800"],
)  # fmt: skip
def test_what_is_no_address_of_a_page_says_nothing(url):
    assert "hostname" not in translated({**exception(), "request": {"url": url}})
