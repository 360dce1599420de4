"""Sessions that filters select."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.adapters.regular_expressions import compile_expression
from footfall.domain.exceptions import Invalid
from footfall.domain.goals.goal import EventRule, GoalQuery, PathRule
from footfall.domain.periods.period import Period
from footfall.domain.traffic.filters import (
    PARAMETERS,
    Filter,
    FilterType,
    excluding,
    parse_filters,
    selector,
    with_expressions,
)
from footfall.domain.traffic.selection import select_visits
from footfall.domain.traffic.session import visits
from tests.conditions import filter_of, single_filters
from tests.histories import after, event, histories, hit, record
from tests.unit.traffic.selecting import ALWAYS, selected

TYPES = "equals, not_equals, contains, not_contains, starts_with, ends_with, regex, not_regex"
LOG = record(
    hit(visitor_id=1, country="DE", pathname="/a", page_title="Home"),
    hit(visitor_id=1, at=after(minutes=1), country="NP", pathname="/b/c"),
    hit(visitor_id=2, country="NP", pathname="/b"),
    event("signup", visitor_id=3, pathname="/d"),
)


@pytest.mark.parametrize(
    ("condition", "sessions"),
    [
        (("country", "equals", ["DE", "FR"]), [1]),
        (("country", "equals", ["de"]), []),
        (("country", "equals", [""]), [4]),
        (("country", "not_equals", ["DE", "FR"]), [3, 4]),
        (("country", "contains", ["P", "X"]), [3]),
        (("country", "not_contains", ["P", "E"]), [4]),
        (("country", "starts_with", ["N"]), [3]),
        (("country", "ends_with", ["E", "P"]), [1, 3]),
        (("country", "regex", ["^[A-M]"]), [1]),
        (("country", "not_regex", ["^[A-M]", "^$"]), [3]),
        (("entry_page", "equals", ["/a"]), [1]),
        (("exit_page", "equals", ["/b/c"]), [1]),
        (("device_type", "equals", ["unknown"]), [1, 3, 4]),
        (("user_id", "ends_with", ["2"]), [3]),
        # One hit of the session is enough ...
        (("pathname", "equals", ["/b/c", "/d"]), [1, 4]),
        (("page_title", "equals", ["Home"]), [1]),
        (("page_title", "equals", [""]), [1, 3, 4]),
        (("event_name", "equals", ["signup"]), [4]),
        # ... and one too many.
        (("pathname", "not_equals", ["/a"]), [3, 4]),
        (("pathname", "not_regex", ["^/b"]), [4]),
    ],
)
def test_a_filter_selects_sessions(condition, sessions):
    assert selected(LOG, condition) == sessions


def test_all_filters_must_hold_though_not_for_the_same_hit():
    conditions = [("page_title", "equals", ["Home"]), ("pathname", "equals", ["/b/c"])]

    assert selected(LOG, *conditions) == [1]


def test_without_filters_every_session_is_selected():
    assert selected(LOG) == [1, 3, 4]


@given(histories(), single_filters(kinds=["equals", "contains", "regex"]))
def test_negative_filter_selects_the_complement_of_its_positive(log, positive):
    negative = filter_of(positive.parameter, f"not_{positive.type}", *positive.values)

    outcomes = [
        (selector([positive], ALWAYS)(visit), selector([negative], ALWAYS)(visit)) for visit in visits(log)
    ]

    assert set(outcomes) <= {(True, False), (False, True)}


def rule(*conditions):
    return [filter_of(parameter, kind, *values) for parameter, kind, values in conditions]


def test_an_exclusion_leaves_out_whole_sessions_for_which_all_filters_of_a_rule_hold():
    exclusion = excluding(
        [
            rule(("pathname", "equals", ["/a"]), ("country", "equals", ["DE"])),
            rule(("event_name", "equals", ["signup"]), ("country", "equals", ["XX"])),
            rule(("event_name", "equals", ["signup"])),
        ]
    )

    kept = {one.session.session_id for one in select_visits(LOG, ALWAYS, [exclusion])}

    by_segment = {
        *selected(LOG, ("pathname", "equals", ["/a"]), ("country", "equals", ["DE"])),
        *selected(LOG, ("event_name", "equals", ["signup"])),
    }
    assert by_segment
    assert by_segment != set(selected(LOG))
    assert kept == set(selected(LOG)) - by_segment


@pytest.mark.parametrize(("count", "sessions"), [("1", [3, 4]), ("2", [1]), ("3", [])])
def test_sessions_are_selected_by_the_number_of_their_hits(count, sessions):
    assert selected(LOG, ("hits", "equals", [count])) == sessions


def test_filters_are_read_from_decoded_json():
    decoded = [{"parameter": "country", "type": "equals", "value": ["DE"], "label": "is ignored"}]

    assert parse_filters(decoded) == (Filter("country", FilterType.EQUALS, ("DE",)),)


def test_a_filter_by_goal_names_goals_by_their_ids():
    decoded = [{"parameter": "goal", "type": "not_equals", "value": ["3", 41]}]

    assert parse_filters(decoded) == (Filter("goal", FilterType.NOT_EQUALS, ("3", "41")),)


@pytest.mark.parametrize(
    "value", ["3", [], ["x"], ["0"], [True], [1.5], ["-1"], ["1" * 19], [None], ["1"] * 51]
)
def test_a_filter_by_goal_refuses_what_is_no_id(value):
    with pytest.raises(Invalid) as refusal:
        parse_filters([{"parameter": "goal", "type": "contains", "value": value}])

    assert refusal.value.field_errors == {
        "filters[0].type": ["must be one of equals, not_equals for a goal"],
        "filters[0].value": ["must be an array of 1 to 50 ids of goals"],
    }


def test_a_filter_by_goal_selects_sessions_that_reached_one_of_its_goals_in_the_period():
    rules = (GoalQuery(EventRule("signup")), GoalQuery(PathRule("/a")))
    log = record(
        hit(visitor_id=1, pathname="/a"),
        hit(visitor_id=1, at=after(minutes=20), pathname="/b"),
        event("signup", visitor_id=2, at=after(minutes=20)),
        hit(visitor_id=3, at=after(minutes=20), pathname="/b"),
    )
    later = Period(after(minutes=10), after(minutes=30))

    one = Filter("goal", FilterType.EQUALS, ("1", "2"), rules)
    other = Filter("goal", FilterType.NOT_EQUALS, ("1", "2"), rules)

    assert [visit.session.session_id for visit in select_visits(log, later, [one])] == [3]
    assert [visit.session.session_id for visit in select_visits(log, later, [other])] == [1, 4]


@pytest.mark.parametrize(
    ("decoded", "faults"),
    [
        ({}, {"filters": "must be a JSON array of at most 20 filters"}),
        (None, {"filters": "must be a JSON array of at most 20 filters"}),
        ([{}] * 21, {"filters": "must be a JSON array of at most 20 filters"}),
        (["x"], {"filters[0]": "must be an object with parameter, type and value"}),
        (
            [{"parameter": [], "type": {}, "value": "DE"}],
            {
                "filters[0].parameter": f"must be one of {', '.join(PARAMETERS)}, property:NAME, query:NAME",
                "filters[0].type": f"must be one of {TYPES}",
                "filters[0].value": "must be an array of 1 to 50 texts",
            },
        ),
        (
            [
                {"parameter": "city", "type": "equals", "value": ["Berlin"]},
                {"parameter": "city", "type": "equals", "value": []},
                {"parameter": "city", "type": "equals", "value": ["x"] * 51},
                {"parameter": "city", "type": "equals", "value": ["x", 1]},
                {"parameter": "city", "type": "equals", "value": ["x" * 2049]},
                {"parameter": "city", "type": "equals", "value": ["\x00"]},
                {"parameter": "city", "type": "regex", "value": ["a", "x" * 201]},
            ],
            {
                "filters[1].value": "must be an array of 1 to 50 texts",
                "filters[2].value": "must be an array of 1 to 50 texts",
                "filters[3].value": "must be an array of 1 to 50 texts",
                "filters[4].value": "must be at most 2,048 characters",
                "filters[5].value": "must not contain NUL characters or unpaired surrogates",
                "filters[6].value": "a regular expression must be at most 200 characters",
            },
        ),
    ],
)
def test_malformed_filters_are_refused_together_with_what_is_accepted(decoded, faults):
    with pytest.raises(Invalid) as refusal:
        parse_filters(decoded)

    assert refusal.value.field_errors == {field: [message] for field, message in faults.items()}


def test_an_expression_that_is_not_accepted_is_named_with_its_filter():
    filters = [
        Filter("city", FilterType.EQUALS, ("(",)),
        Filter("city", FilterType.REGEX, ("a", "(")),
        Filter("city", FilterType.NOT_REGEX, ("[",)),
    ]

    with pytest.raises(Invalid) as refusal:
        with_expressions(filters, compile_expression)

    assert refusal.value.field_errors == {
        "filters[1].value": ["not an accepted regular expression: missing ): ("],
        "filters[2].value": ["not an accepted regular expression: missing ]: ["],
    }


def test_expressions_of_a_library_without_re2_are_evaluated_as_they_are_given():
    log = record(
        *(hit(visitor_id=number, city=city) for number, city in enumerate(["Berlin", "Ulm", "Bonn"]))
    )

    filters = with_expressions(
        [Filter("city", FilterType.REGEX, ("^B",))],
        lambda text: lambda value: re.search(text, value) is not None,
    )

    assert [one.session.city for one in select_visits(log, ALWAYS, filters)] == ["Berlin", "Bonn"]


def test_an_expression_that_was_not_compiled_is_an_error_and_selects_nothing():
    with pytest.raises(ValueError, match="with_expressions"):
        selector([Filter("city", FilterType.REGEX, ("^B",))], ALWAYS)


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=5)
    | st.sampled_from([*PARAMETERS, *FilterType, "property:", "property:plan", "query:ref"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["parameter", "type", "value"]), inner, max_size=3)
    ),
)


@given(JSON)
def test_any_json_is_either_filters_or_refused(decoded):
    try:
        parsed = parse_filters(decoded)
    except Invalid as refusal:
        parsed = refusal.field_errors

    assert parsed or decoded == []
