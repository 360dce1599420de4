"""Validity of a tracking event, at the edge of every rule and one step beyond it."""

import json
from datetime import UTC, datetime

import orjson
import pytest

from footfall.application.ingestion.draft import RequestOrigin
from footfall.application.ingestion.payload_rules import parse_track
from footfall.domain.exceptions import Invalid
from footfall.domain.number import exact_json

LONGEST = {
    "hostname": 253,
    "pathname": 2_048,
    "querystring": 2_048,
    "referrer": 2_048,
    "page_title": 512,
    "user_agent": 512,
    "language": 35,
    "user_id": 255,
    "event_name": 256,
    "api_key": 128,
}
NUMBERS = ["screenWidth", "screenHeight", "lcp", "cls", "inp", "fcp", "ttfb"]
ADDRESS = "must be an IPv4 or IPv6 address"
TIMESTAMP = "must be an ISO 8601 time with an offset, such as 2026-01-31T12:00:00.000Z"
URL = "Outbound events require url, an absolute URL"
MESSAGE = "Error events require message, a string"


def read(**fields):
    return parse_track({"site_id": "1", **fields}, orjson.loads)


def faults(**fields):
    with pytest.raises(Invalid) as refused:
        read(**fields)
    return (
        refused.value.field_errors | {"": refused.value.form_errors}
        if refused.value.form_errors
        else refused.value.field_errors
    )


def outbound(**properties):
    return {"type": "outbound", "properties": json.dumps({"url": "https://example.org/", **properties})}


def error(**properties):
    return {"type": "error", "event_name": "E", "properties": json.dumps({"message": "m", **properties})}


def an_object_of(characters):
    return '{"a": "' + "ü" * (characters - 9) + '"}'


@pytest.mark.parametrize("letter", ["a", "ü", "😀"])
@pytest.mark.parametrize(("name", "longest"), LONGEST.items())
def test_a_text_may_be_so_long_in_characters_and_no_longer(name, longest, letter):
    assert getattr(read(**{name: letter * longest}), name) == letter * longest
    assert faults(**{name: letter * (longest + 1)}) == {name: [f"must be at most {longest:,} characters"]}


@pytest.mark.parametrize("value", [0, True, 1.5, [], {}])
@pytest.mark.parametrize("name", LONGEST)
def test_a_text_is_a_string(name, value):
    assert faults(**{name: value}) == {name: ["must be a string"]}


@pytest.mark.parametrize("value", ["x" * 65, 0, True, ["UTC"], "a\0b", "a\ud800"])
def test_a_time_zone_that_is_none_is_ignored(value):
    assert read(time_zone=value) == read()
    assert read(time_zone="x" * 64).time_zone == "x" * 64


@pytest.mark.parametrize("value", ["true", "false", 1, 0, [True], {"a": "\0"}])
def test_a_webdriver_that_is_no_boolean_is_ignored(value):
    assert read(webdriver=value) == read()


@pytest.mark.parametrize(
    "name", [*LONGEST, "color_scheme", "ip_address", "properties", "time_zone", "webdriver"]
)
def test_a_text_that_is_empty_or_null_is_none(name):
    assert read(**{name: ""}) == read(**{name: None}) == read()


@pytest.mark.parametrize("value", ["\0", "a\ud800", "\udc00\ud800"])
@pytest.mark.parametrize("name", [*LONGEST, "properties"])
def test_what_the_store_cannot_hold_is_named(name, value):
    assert faults(**{name: value}) == {name: ["must not contain NUL characters or unpaired surrogates"]}


@pytest.mark.parametrize(("value", "read_as"), [(0, 0.0), (0.5, 0.5), (10**15, 1e15)])
@pytest.mark.parametrize("name", NUMBERS)
def test_a_number_may_be_anything_from_nothing_to_the_most(name, value, read_as):
    attribute = {"screenWidth": "screen_width", "screenHeight": "screen_height"}.get(name, name)

    assert getattr(read(**{name: value}), attribute) == read_as


@pytest.mark.parametrize("value", [-1, -0.001, 10**15 + 1, 10**400, float("inf"), float("nan")])
@pytest.mark.parametrize("name", NUMBERS)
def test_a_number_beyond_is_refused(name, value):
    assert faults(**{name: value}) == {name: ["must be a number from 0 to 1e15"]}


@pytest.mark.parametrize("value", ["1", True, [], {}])
@pytest.mark.parametrize("name", NUMBERS)
def test_a_number_is_no_text_and_no_boolean(name, value):
    assert faults(**{name: value}) == {name: ["must be a number"]}


@pytest.mark.parametrize("metric", ["lcp", "cls", "inp", "fcp", "ttfb"])
def test_one_metric_is_enough_and_nothing_is_a_value(metric):
    assert getattr(read(type="performance", **{metric: 0}), metric) == 0.0


def test_metrics_that_are_all_null_are_none():
    nothing = dict.fromkeys(("lcp", "cls", "inp", "fcp", "ttfb"))

    assert faults(type="performance", **nothing) == {
        "": ["Performance events require at least one of lcp, cls, inp, fcp, ttfb"]
    }


@pytest.mark.parametrize(
    ("written", "read_as"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:DB8:0:0::1", "2001:db8::1"),
        ("fe80::1%eth0", "fe80::1"),
    ],
)
def test_an_address_is_read_as_it_is_compared(written, read_as):
    assert read(ip_address=written).ip_address == read_as


@pytest.mark.parametrize("value", ["192.0.2", "192.0.2.256", "01.2.3.4", "192.0.2.0/24", " ::1", 1, [], True])
def test_what_is_no_address_is_refused(value):
    assert faults(ip_address=value) == {"ip_address": [ADDRESS]}


@pytest.mark.parametrize(
    "written", ["2026-01-31T12:00:00.000Z", "2026-01-31T14:00:00+02:00", "20260131T120000Z"]
)
def test_a_time_is_read_in_utc(written):
    assert read(timestamp=written).timestamp == datetime(2026, 1, 31, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    "value",
    ["2026-01-31T12:00:00", "2026-01-31", "yesterday", "", "0001-01-01T00:00:00+01:00", 1769860800, [], True],
)
def test_what_is_no_time_with_an_offset_is_refused(value):
    assert faults(timestamp=value) == {"timestamp": [TIMESTAMP]}


def test_properties_may_be_so_long_in_characters_and_no_longer():
    beyond = {"properties": ["must be at most 8,192 characters"]}

    assert read(properties=an_object_of(8_192)).properties is not None
    assert faults(properties=an_object_of(8_193)) == beyond
    assert faults(type="custom_event", event_name="e", properties=an_object_of(8_193)) == beyond


def test_those_of_an_error_may_be_longer_and_its_message_as_long_as_others():
    shell = len(error(stack="")["properties"])

    assert read(**error(stack="s" * (65_536 - shell))).properties is not None
    assert faults(**error(stack="s" * (65_537 - shell))) == {
        "properties": ["must be at most 65,536 characters"]
    }
    assert read(**error(message="m" * 8_192)).properties == {"message": "m" * 8_192}
    assert faults(**error(message="m" * 8_193)) == {
        "properties": ["message must be at most 8,192 characters"]
    }


def test_properties_may_have_64_levels_with_a_value_in_the_last():
    def nested(levels):
        return '{"a":' * levels + "1" + "}" * levels

    assert read(properties=nested(63)).properties is not None
    assert faults(properties=nested(64)) == {"properties": ["must not be nested more than 64 levels"]}


@pytest.mark.parametrize("url", ["https://example.org", "mailto:a@example.org", "tel:+49", "app://open"])
def test_an_outbound_link_leads_anywhere(url):
    assert read(**outbound(url=url)).properties["url"] == url


@pytest.mark.parametrize(
    "url", ["", "/a", "//example.org/a", "example.org", "https://", "https://[", None, 1]
)
def test_an_outbound_link_is_absolute(url):
    assert faults(**outbound(url=url)) == {"properties": [URL]}


@pytest.mark.parametrize("message", ["", None, 1, ["m"]])
def test_an_error_has_a_message(message):
    assert faults(**error(message=message)) == {"properties": [MESSAGE]}


@pytest.mark.parametrize("kind", [outbound, error])
def test_what_may_be_left_out_may_be_null(kind):
    nothing = dict.fromkeys(("text", "target", "stack", "fileName", "lineNumber", "columnNumber"))

    assert read(**kind(**nothing)) != read(**kind())


@pytest.mark.parametrize("number", ["42", "42.0", "4.2e1", "0.0"])
def test_a_line_number_is_whole_however_it_is_written(number):
    request = read(type="error", event_name="E", properties=f'{{"message": "m", "lineNumber": {number}}}')

    assert request.properties["lineNumber"] == float(number)


@pytest.mark.parametrize("number", ["42.5", "true", '"42"', "[42]"])
def test_a_line_number_that_is_not_whole_is_refused(number):
    text = f'{{"message": "m", "lineNumber": {number}}}'

    assert faults(type="error", event_name="E", properties=text) == {
        "properties": ["lineNumber must be a whole number"]
    }


def test_every_fault_of_properties_is_named():
    assert faults(**outbound(url=1, text=1, target=False)) == {
        "properties": [URL, "text must be a string", "target must be a string"]
    }
    assert faults(**error(message=1, stack=[], fileName=2, lineNumber="3", columnNumber=True)) == {
        "properties": [
            MESSAGE,
            "stack must be a string",
            "fileName must be a string",
            "lineNumber must be a whole number",
            "columnNumber must be a whole number",
        ]
    }


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('{"a": [1e400]}', "must not contain numbers that are too large"),
        ('{"a": ["\\ud800"]}', "must not contain NUL characters or unpaired surrogates"),
        ('{"\\u0000": 1}', "must not contain NUL characters or unpaired surrogates"),
    ],
)
def test_properties_hold_what_the_store_can_hold_whatever_decodes_them(text, fault):
    with pytest.raises(Invalid) as refused:
        parse_track({"site_id": "1", "properties": text}, json.loads)

    assert refused.value.field_errors == {"properties": [fault]}


@pytest.mark.parametrize("text", ["1e400", "-1e400", "1" + "0" * 309, "1" * 5_000])
def test_a_number_that_no_double_holds_is_named_in_fields_that_are_not_known_too(text):
    payload = exact_json(f'{{"site_id": "1", "type": "nope", "lcp": {text}, "new": {{"deep": [{text}]}}}}')

    with pytest.raises(Invalid) as refused:
        parse_track(payload, orjson.loads)

    assert set(refused.value.field_errors) == {"type", "lcp", "new.deep[0]"}


@pytest.mark.parametrize("text", ["1e400", "-1e400", "1" + "0" * 309, "1" * 5_000])
def test_a_number_in_properties_that_no_double_holds_is_refused(text):
    assert faults(properties=f'{{"a": {text}}}') == {
        "properties": ["must not contain numbers that are too large"]
    }


@pytest.mark.parametrize("number", [2**53 + 1, 2**63, 2**64, -(2**63) - 1, 10**30 + 1, int("1" * 309)])
def test_a_whole_number_in_properties_is_kept_exactly(number):
    assert read(properties=f'{{"a": {number}}}').properties == {"a": number}


def test_properties_that_cannot_be_read_have_one_fault():
    assert faults(type="outbound", properties="{") == {"properties": ["Properties must be valid JSON"]}
    assert faults(type="error", event_name="E", properties="[]") == {
        "properties": ["Properties must be a JSON object"]
    }


@pytest.mark.parametrize("hit_type", ["custom_event", "error"])
def test_a_name_that_is_empty_is_none(hit_type):
    missing = faults(**error() | {"type": hit_type, "event_name": ""})

    assert list(missing) == [""]


@pytest.mark.parametrize("value", [1.5, True, [], {}])
def test_a_site_is_a_text_or_a_whole_number(value):
    assert faults(site_id=value) == {"site_id": ["must be a string or a whole number"]}


def test_a_whole_number_names_the_same_site_however_it_is_written():
    assert read(site_id=1.0).site == read(site_id=1).site == read(site_id="1").site == "1"


def test_neither_key_nor_address_shows_in_what_is_printed():
    request = read(api_key="ff_secret", ip_address="192.0.2.77")
    sender = RequestOrigin(address="192.0.2.77", key="ff_secret")

    assert "ff_secret" not in f"{request!r} {sender!r}"
    assert "192.0.2.77" not in f"{request!r} {sender!r}"
