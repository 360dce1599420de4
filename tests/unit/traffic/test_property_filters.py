"""Sessions that filters by properties, query parameters and other facts of hits select."""

import pytest

from footfall.domain.exceptions import Invalid
from footfall.domain.tracking.hit import HitType
from footfall.domain.traffic.filters import (
    Filter,
    FilterType,
    parse_filters,
)
from footfall.domain.traffic.selection import select_visits
from tests.conditions import filter_of
from tests.histories import after, days, event, hit, record
from tests.unit.traffic.selecting import selected

PROPERTIES = record(
    event("order", visitor_id=1, properties={"plan": "pro", "amount": 19.9, "gift": True}),
    hit(visitor_id=2, properties={"plan": "12", "amount": "19.90", "gift": "true"}),
    event("order", visitor_id=3, properties={"plan": 12, "amount": "19.9", "gift": None}),
    event("order", visitor_id=4, properties={"plan": ["pro"], "amount": {"pro": 1}, "gift": ""}),
    hit(visitor_id=5),
    hit(kind=HitType.OUTBOUND, visitor_id=6, properties={"plan": "pro", "url": "https://pro.example"}),
    hit(kind=HitType.ERROR, visitor_id=7, properties={"plan": "pro", "message": "x"}),
)


@pytest.mark.parametrize(
    ("condition", "sessions"),
    [
        (("property:plan", "equals", ["pro"]), [1]),
        (("property:plan", "not_equals", ["pro"]), [2, 3, 4, 5, 6, 7]),
        # As rules of goals compare them: a text with a number by the decimal, two texts by all characters.
        (("property:plan", "equals", ["12"]), [2, 3]),
        (("property:plan", "equals", ["12.0"]), [3]),
        (("property:amount", "equals", ["19.9"]), [1, 3]),
        (("property:amount", "equals", ["19.90"]), [1, 2]),
        (("property:gift", "equals", ["true"]), [1, 2]),
        (("property:gift", "equals", [""]), [4]),
        (("property:plan", "equals", ["pro", "12"]), [1, 2, 3]),
        (("property:plan", "contains", ["r"]), [1]),
        (("property:amount", "starts_with", ["19"]), [1, 2, 3]),
        (("property:amount", "ends_with", ["0"]), [2]),
        (("property:gift", "regex", ["^t.*e$"]), [1, 2]),
        (("property:gift", "contains", [""]), [1, 2, 4]),
        (("property:gift", "not_contains", [""]), [3, 5, 6, 7]),
        (("property:missing", "contains", [""]), []),
        (("property:url", "contains", [""]), []),
    ],
)
def test_properties_of_events_and_pageviews_select_sessions(condition, sessions):
    assert selected(PROPERTIES, condition) == sessions


def test_parameters_of_the_query_strings_of_pageviews_select_sessions():
    log = record(
        hit(visitor_id=1, querystring="?ref=blog"),
        hit(visitor_id=2, querystring="ref=mail&ref=blog"),
        hit(visitor_id=3, querystring="ref"),
        event("signup", visitor_id=4, querystring="ref=blog"),
        hit(visitor_id=5),
    )

    assert selected(log, ("query:ref", "equals", ["blog"])) == [1]
    assert selected(log, ("query:ref", "equals", [""])) == [3]
    assert selected(log, ("query:ref", "contains", [""])) == [1, 2, 3]
    assert selected(log, ("query:ref", "not_regex", ["."])) == [3, 4, 5]


def test_releases_and_classes_of_screens_select_sessions():
    log = record(
        hit(visitor_id=1, release="1.0", screen_width=400.0),
        hit(visitor_id=1, at=after(minutes=1), release="1.1", screen_width=1500.0),
        hit(visitor_id=2),
    )

    assert selected(log, ("release", "equals", ["1.1"])) == [1]
    assert selected(log, ("release", "equals", [""])) == [3]
    assert selected(log, ("screen_class", "equals", ["small"])) == [1]
    assert selected(log, ("screen_class", "equals", ["very_large"])) == [1]
    assert selected(log, ("screen_class", "equals", [""])) == [3]


def test_values_of_properties_are_texts_numbers_and_booleans():
    decoded = [
        {"parameter": "property:plan", "type": "equals", "value": ["pro", 12.0, 1e3, -0.5, True, False]}
    ]

    [parsed] = parse_filters(decoded)

    assert parsed.values == ("pro", "12", "1000", "-0.5", "true", "false")


@pytest.mark.parametrize("value", [[None], [["pro"]], [{}], ["pro", None], [float("inf")], [True, []]])
def test_properties_have_no_other_values(value):
    with pytest.raises(Invalid) as refusal:
        parse_filters([{"parameter": "property:plan", "type": "equals", "value": value}])

    assert refusal.value.field_errors == {
        "filters[0].value": ["must be an array of 1 to 50 texts, numbers or booleans"]
    }


@pytest.mark.parametrize(
    ("parameter", "fault"),
    [
        ("property:", "the name of a property must follow property:"),
        ("query:", "the name of a query parameter must follow query:"),
        (f"property:{'x' * 257}", "the name of a property must be at most 256 characters"),
        ("property:a\0", "the name of a property must not contain NUL characters or unpaired surrogates"),
        (
            "query:\ud800",
            "the name of a query parameter must not contain NUL characters or unpaired surrogates",
        ),
    ],
)
def test_names_of_properties_and_parameters_have_limits(parameter, fault):
    with pytest.raises(Invalid) as refusal:
        parse_filters([{"parameter": parameter, "type": "equals", "value": ["x"]}])

    assert refusal.value.field_errors == {"filters[0].parameter": [fault]}


@pytest.mark.parametrize(
    "key", ["x" * 256, "a:b", "a, b", " ", "'; drop table hit; --", "$value_0", "{key}", "%"]
)
def test_any_other_name_is_accepted(key):
    decoded = [{"parameter": f"property:{key}", "type": "equals", "value": ["x"]}]
    log = record(
        event("a", visitor_id=1, properties={key: "x"}), event("a", visitor_id=2, properties={"y": "x"})
    )

    assert parse_filters(decoded) == (Filter(f"property:{key}", FilterType.EQUALS, ("x",)),)
    assert selected(log, (f"property:{key}", "equals", ["x"])) == [1]


def test_the_class_of_an_error_is_no_name_of_an_event():
    log = record(
        event("paid", visitor_id=1),
        hit(kind=HitType.ERROR, event_name="TypeError", properties={"message": "x"}, visitor_id=2),
        hit(visitor_id=3),
    )
    day = days("2026-03-28", "2026-03-28")

    found = {
        kind: {
            visit.session.visitor_id
            for visit in select_visits(log, day, [filter_of("event_name", kind, value)])
        }
        for kind, value in [
            (FilterType.EQUALS, "TypeError"),
            (FilterType.CONTAINS, ""),
            (FilterType.NOT_EQUALS, "TypeError"),
            (FilterType.NOT_REGEX, "[a-z]"),
        ]
    }

    assert found == {
        FilterType.EQUALS: set(),
        FilterType.CONTAINS: {1},
        FilterType.NOT_EQUALS: {1, 2, 3},
        FilterType.NOT_REGEX: {2, 3},
    }
