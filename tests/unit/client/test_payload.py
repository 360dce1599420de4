"""Events that are refused before they are sent."""

import json
import re
from datetime import UTC, datetime
from enum import StrEnum

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.client import InvalidEvent, Payload
from footfall.client.event.events import Events
from tests.snippets import ROOT

SCALARS = st.text() | st.integers() | st.booleans() | st.floats(allow_nan=False, allow_infinity=False)

EVENTS = Events("1", {})


class Plan(StrEnum):
    PRO = "pro"


@pytest.mark.parametrize(
    "value",
    [
        None,
        float("nan"),
        float("inf"),
        {},
        {"a": 1},
        {1, 2},
        b"bytes",
        datetime(2026, 1, 1, tzinfo=UTC),
        [None],
        [[1]],
        [float("nan")],
        object(),
    ],
)
def test_a_property_that_is_no_scalar_is_refused_and_named(value):
    with pytest.raises(InvalidEvent) as caught:
        EVENTS.custom("signup", None, {"fine": 1, "odd": value})

    assert list(caught.value.details["fieldErrors"]) == ["properties.odd"]
    assert (caught.value.outcome, caught.value.status, caught.value.attempts) == ("refused", None, 0)


@pytest.mark.parametrize("key", ["anna@example.com", "a\nb", "x" * 500])
def test_a_message_of_the_log_has_no_name_that_a_visitor_can_have_chosen(key):
    with pytest.raises(InvalidEvent) as caught:
        EVENTS.custom("signup", None, {key: {}})

    assert key not in caught.value.message
    assert list(caught.value.details["fieldErrors"]) == [f"properties.{key}"]


@pytest.mark.parametrize("properties", ["text", 1, True, [1], [("a", 1)]])
def test_properties_that_are_no_mapping_are_refused(properties):
    with pytest.raises(InvalidEvent, match="properties must be a mapping"):
        EVENTS.custom("signup", None, properties)


def test_properties_of_a_pageview_are_checked_like_those_of_an_event():
    with pytest.raises(InvalidEvent, match=r"properties\.odd"):
        EVENTS.pageview(None, {"odd": None})


def test_a_key_that_is_no_string_is_refused():
    with pytest.raises(InvalidEvent, match=r"properties\.1"):
        EVENTS.custom("signup", None, {1: "a"})


@given(st.dictionaries(st.text(), SCALARS | st.lists(SCALARS)))
def test_scalars_and_lists_of_them_arrive_as_they_were(properties):
    event = EVENTS.custom("signup", None, properties)

    assert json.loads(event["properties"]) == properties


def test_a_member_of_a_string_enumeration_is_its_value():
    event = EVENTS.custom("signup", None, {"plan": Plan.PRO, "plans": (Plan.PRO,)})

    assert json.loads(event["properties"]) == {"plan": "pro", "plans": ["pro"]}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("pathname", 5),
        ("screenWidth", "1920"),
        ("screenHeight", float("nan")),
        ("screenHeight", True),
        ("screenHeight", 10**400),
        ("pathName", "/"),
        ("site_id", "2"),
        (5, "x"),
    ],
)
def test_a_field_of_another_name_or_type_is_refused_and_named(field, value):
    with pytest.raises(InvalidEvent) as caught:
        EVENTS.pageview({field: value})

    assert list(caught.value.details["fieldErrors"]) == [str(field)]


def test_a_payload_that_is_no_mapping_is_refused():
    with pytest.raises(InvalidEvent, match="payload"):
        EVENTS.pageview(["pathname"])


def test_the_clients_of_both_languages_take_the_same_fields():
    declared = (ROOT / "clients/node/index.d.ts").read_text()
    _, payload = declared.split("export interface Payload {", 1)

    fields = re.findall(r"^ {2}(\w+)\?:", payload.partition("\n}")[0], re.MULTILINE)

    assert sorted(fields) == sorted(Payload.__annotations__)
