"""Messages of Umami become events of our own endpoint."""

import json
import tracemalloc
from urllib.parse import urlsplit

import orjson
import pytest

from footfall.adapters.http.protocols.umami_payload import translated
from footfall.application.ingestion.payload_rules import parse_track

WEBSITE = "0b1f9a52-0000-4000-8000-000000000001"
SENT = {
    "website": WEBSITE,
    "screen": "1920x1080",
    "language": "de-DE",
    "title": "Shop",
    "hostname": "example.com",
    "url": "https://example.com/shop?utm_source=news",
    "referrer": "https://search.example/",
}


def event_of(*, has_key=False, kind="event", **fields):
    """Return the fields of an event that are there."""
    message = translated({"type": kind, "payload": {**SENT, **fields}}, has_key=has_key)
    assert message.errors == {}
    return {name: value for name, value in message.event.items() if value not in {None, ""}}


def errors_of(kind="event", **fields):
    return translated({"type": kind, "payload": {**SENT, **fields}}, has_key=False).errors


def test_a_page_is_a_pageview_with_all_that_the_script_says():
    assert event_of() == {
        "type": "pageview",
        "hostname": "example.com",
        "pathname": "/shop",
        "querystring": "utm_source=news",
        "page_title": "Shop",
        "referrer": "https://search.example/",
        "language": "de-DE",
        "screenWidth": 1920,
        "screenHeight": 1080,
    }


def test_a_message_with_a_name_is_a_custom_event_of_its_user():
    event = event_of(name="sign up", data={"plan": "pro"}, id="u-1", tag="b")

    assert (event["type"], event["event_name"], event["user_id"]) == ("custom_event", "sign up", "u-1")
    assert json.loads(event["properties"]) == {"tag": "b", "plan": "pro"}


@pytest.mark.parametrize(
    ("url", "page"),
    [
        ("/a?b=1", ("example.com", "/a", "b=1")),
        ("/a#part", ("example.com", "/a#part", None)),
        ("/#/cart?token=1", ("example.com", "/#/cart", None)),
        ("https://other.org", ("example.com", "/", None)),
        ("pricing", ("example.com", "pricing", None)),
        ("", ("example.com", "/", None)),
        ("https://e.com/" + "x" * 3_000, ("example.com", "/" + "x" * 2_047, None)),
    ],
)
def test_addresses_are_split(url, page):
    event = event_of(url=url)

    assert (event["hostname"], event["pathname"], event.get("querystring")) == page


def test_the_host_is_that_of_the_address_where_none_is_said():
    assert event_of(hostname=None, url="https://a.example.com/x")["hostname"] == "a.example.com"
    assert "pathname" not in event_of(hostname=None, url=None)


def test_addresses_of_any_length_take_no_memory():
    urlsplit.cache_clear()
    tracemalloc.start()
    for number in range(100):
        event_of(url=f"https://example.com/{number}?" + "x" * 1_000_000)
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert kept < 5_000_000


def test_nested_data_is_flattened_and_lists_stay():
    event = event_of(name="n", data={"a": {"b": {"c": 1}, "d": [1, {"e": 2}]}, "f": None, "g": {}, "h": True})

    assert json.loads(event["properties"]) == {"a.b.c": 1, "a.d": [1, {"e": 2}], "f": None, "h": True}


def test_data_wins_over_the_tag():
    assert json.loads(event_of(tag="a", data={"tag": "b"})["properties"]) == {"tag": "b"}


def test_address_user_agent_and_time_count_with_a_key_only():
    of_visitor = {"ip": "192.0.2.1", "userAgent": "Firefox", "timestamp": 1_700_000_000}

    assert event_of(**of_visitor) == event_of()
    assert event_of(has_key=True, **of_visitor) == {
        **event_of(),
        "ip_address": "192.0.2.1",
        "user_agent": "Firefox",
        "timestamp": "2023-11-14T22:13:20+00:00",
    }


def test_times_may_be_texts_and_none_is_that_of_arrival():
    assert event_of(has_key=True, timestamp="1700000000")["timestamp"] == "2023-11-14T22:13:20+00:00"
    assert "timestamp" not in event_of(has_key=True, timestamp=0)


def test_measures_are_those_of_their_names():
    event = event_of(kind="performance", lcp=1200.5, cls=0, name="n")

    assert (event["type"], event["lcp"], event["cls"]) == ("performance", 1200.5, 0)
    assert "event_name" not in event


@pytest.mark.parametrize(
    ("kind", "fields"), [("identify", {"data": {"plan": "pro"}, "id": "u"}), ("performance", {"duration": 9})]
)
def test_what_is_not_kept_is_named_by_its_kind(kind, fields):
    message = translated({"type": kind, "payload": {**SENT, **fields}}, has_key=False)

    assert (message.website, message.ignored, message.event["type"]) == (WEBSITE, kind, "pageview")


@pytest.mark.parametrize(
    ("title", "stored"), [("Caf%C3%A9", "Café"), ("100%", "100%"), ("%FF", "%FF"), ("x" * 600, "x" * 512)]
)
def test_titles_are_decoded_and_cut(title, stored):
    assert event_of(title=title)["page_title"] == stored


@pytest.mark.parametrize(
    ("fields", "names"),
    [
        ({"website": None}, {"website"}),
        ({"website": 1}, {"website"}),
        ({"link": WEBSITE}, {"website"}),
        ({"title": 5, "url": [], "id": {}, "tag": True}, {"title", "url", "id", "tag"}),
        ({"url": "https://["}, {"url"}),
        ({"data": []}, {"data"}),
        ({"data": {"a": "x\0"}}, {"data"}),
        ({"data": {"x" * 60: {str(number): number for number in range(200)}}}, {"data"}),
        ({"timestamp": "now"}, {"timestamp"}),
        ({"timestamp": 1e17}, {"timestamp"}),
        ({"timestamp": True}, {"timestamp"}),
        ({"duration": float("inf")}, {"duration"}),
    ],
)
def test_each_wrong_field_is_named(fields, names):
    assert set(errors_of(**fields)) == names


def test_deep_data_is_refused_before_its_names_fill_the_memory():
    data = value = {}
    for _ in range(900):
        value["long name"] = value = {}
    for number in range(1_000):
        value[str(number)] = number

    assert set(errors_of(name="n", data=data)) == {"data"}
    deep: list = []
    for _ in range(900):
        deep = [deep]
    assert set(errors_of(name="n", data={"deep": deep})) == {"data"}


@pytest.mark.parametrize("message", [None, [], "x", 1, {}, {"type": "event"}, {"payload": []}])
def test_what_is_no_message_is_refused(message):
    assert translated(message, has_key=False).errors


@pytest.mark.parametrize("kind", [None, "pageview", [], {}, 1, "EVENT"])
def test_other_types_are_refused(kind):
    assert set(errors_of(kind)) == {"type"}


@pytest.mark.parametrize("kind", ["event", "performance"])
def test_our_own_checks_take_each_translated_message(kind):
    request = parse_track({"site_id": 7, **event_of(kind=kind, lcp=3, name="n")}, orjson.loads)

    assert (request.site, request.hostname) == ("7", "example.com")
