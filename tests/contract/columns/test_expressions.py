"""Filters and rules of goals as DuckDB and RE2 read them: with the meaning that the domain gives them."""

import json

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.adapters.columns.functions import functions
from footfall.adapters.columns.selection import expressions
from footfall.adapters.columns.selection.expressions import (
    Values,
    event_condition,
    hit_condition,
    path_condition,
)
from footfall.adapters.postgres.projections.goal_versions import rule_values
from footfall.adapters.postgres.reports import expressions as of_rows
from footfall.adapters.regular_expressions import compile_expression
from footfall.domain.exceptions import ExpressionRefused, Invalid
from footfall.domain.goals.goal import EventRule
from footfall.domain.goals.matching import matches, property_text
from footfall.domain.paths.path_pattern import path_matcher, path_pattern_error
from footfall.domain.tracking.acquisition.query_parameters import query_parameter
from footfall.domain.traffic.filters import Filter, FilterType
from footfall.domain.traffic.selection import select_visits
from tests.conditions import filter_of
from tests.generated import examples
from tests.histories import days, event, record
from tests.stores.columns import property_of

unhurried = examples(60)
ALWAYS = days("2026-01-01", "2027-01-01")


def _repeated(part):
    atom, quantifier = part
    return atom if atom in "^$" else f"(?:{atom}){quantifier}" if quantifier else atom


# Letters with and without case, of one to four bytes, and everything that has a meaning in some dialect.
ALPHABET = (
    "abAB01_-kK\u017f /.,*+?{}()[]|^$\\&%'\"\n\r\t\x0b\x0c\x1f\x7f\x85\xa0éßœ\u0131\u0301\u2028中\ufeff😀"
)
TEXTS = st.text(st.sampled_from(ALPHABET), max_size=8) | st.text(
    st.characters(codec="utf-8", exclude_characters="\0"), max_size=5
)
ATOMS = st.sampled_from(
    [
        *"abA01é中😀_-/.^$",
        *[r"\d", r"\w", r"\s", r"\D", r"\W", r"\S", r"\.", r"\\", r"\n", r"\t", r"\v"],
        *[
            r"[a-z]",
            r"[^a-z]",
            r"[é-😀]",
            r"[\d_]",
            r"[^\s]",
            r"[\]\-^]",
            r"[^\\]",
            r"[a&&b]",
            r"[~||]",
            r"[--/]",
            r"[[:alpha:]]",
            r"[[:^space:]é]",
            r"[\D]",
            r"[^\W\x{e9}]",
        ],
        *[r"\A", r"\z", r"\b", r"\B", r"\C", r"\x41", r"\x{1F600}", r"\101", r"\a", r"\Qa.b\E", r"\-"],
        *[
            "(?i)",
            "(?-i)",
            "(?s)",
            "(?-s)",
            "(?m)",
            "(?U)",
            "(?i:é)",
            "(?-s:.)",
            "(?:)",
            "(?P<name>a)",
            "(?<name>a)",
        ],
        *[r"\pL", r"\P{Greek}", "ΐ", "ﬆ", "{", "}", "]", "(?=a)", r"\1", r"\Z"],
    ]
)
QUANTIFIERS = st.sampled_from(["", "", "", "*", "+", "?", "{2}", "{1,3}", "{0,}", "{1,60}", "*?", "**", "+?"])
EXPRESSIONS = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        st.lists(st.tuples(inner, QUANTIFIERS).map(_repeated), min_size=1, max_size=4).map("".join),
        st.lists(inner, min_size=2, max_size=3).map(lambda parts: f"({'|'.join(parts)})"),
    ),
    max_leaves=6,
)
VALUES = st.one_of(
    TEXTS,
    st.integers(-(2**60), 2**60),
    st.floats(allow_nan=False, allow_infinity=False),
    st.booleans(),
    st.none(),
    st.from_regex(r"-?[0-9]{1,20}(\.[0-9]{1,20})?([eE][-+]?[0-9]{1,3})?", fullmatch=True),
    st.lists(st.integers(), max_size=2),
)
EXPECTED = st.one_of(
    TEXTS.filter(bool),
    st.integers(-(2**53), 2**53),
    st.floats(-1e15, 1e15),
    st.booleans(),
    st.from_regex(r"-?[0-9]{1,9}(\.[0-9]{1,9})?", fullmatch=True),
)


@pytest.fixture(scope="module")
def duck():
    with duckdb.connect() as connection:
        for statements in functions():
            connection.execute(statements)
        yield connection


@unhurried
@given(expression=EXPRESSIONS, texts=st.lists(TEXTS, min_size=5, max_size=30))
def test_memory_rows_and_duckdb_agree_on_every_expression_that_is_accepted(duck, expression, texts):
    try:
        search = compile_expression(expression)
    except ExpressionRefused:
        return
    values = Values()

    condition = hit_condition(filter_of("page_title", "regex", expression), values, "true")
    by_duckdb = _asked(duck, condition, values.parameters, texts, column="page_title")
    found, _ = of_rows.matching([search], texts, of_rows.MATCHING_SECONDS, Invalid({}))

    by_memory = [search(text) for text in texts]
    assert by_duckdb == by_memory
    assert [text in found for text in texts] == by_memory


@pytest.mark.parametrize(
    "expression",
    ["a(?:)", "(?:)a", "(?i:)a", "(?:|)a", "(?:(?:))a", "^(?:)", "(?:)$", "(?m)^a", "a()", "a{0}b", "|a"],
)
def test_empty_groups_are_no_ends_of_a_text(duck, expression):
    values, texts = Values(), ["", "a", "ba", "ab", "bab", "b\na", "bb"]

    condition = hit_condition(filter_of("page_title", "regex", expression), values, "true")

    found = _asked(duck, condition, values.parameters, texts, column="page_title")
    assert found == [compile_expression(expression)(text) for text in texts]


def test_both_engines_bring_the_same_letters_together_but_for_those_that_are_refused(duck):
    cased = [chr(code) for code in range(0x80, 0x20000) if chr(code).lower() != chr(code).upper()]
    others = {
        letter: {letter.lower(), letter.upper(), letter.casefold(), letter.swapcase(), chr(ord(letter) ^ 1)}
        for letter in cased
    }
    accepted = [letter for letter in cased if _is_accepted(f"(?i)^{letter}$")]

    differing = []
    for letter in accepted:
        texts, search = sorted(others[letter]), compile_expression(f"(?i)^{letter}$")
        found = _asked(duck, "regexp_matches(text, $value, 's')", {"value": f"(?i)^{letter}$"}, texts)
        differing += [letter] * (found != [search(text) for text in texts])

    assert len(accepted) > 2_500
    assert differing == []
    assert set(cased) - set(accepted) == set("\u0390\u03b0\u1fd3\u1fe3\ufb05\ufb06")


def _is_accepted(expression):
    try:
        compile_expression(expression)
    except ExpressionRefused:
        return False
    return True


@unhurried
@given(
    kind=st.sampled_from([one for one in FilterType if one.positive is not FilterType.REGEX]),
    values=st.lists(TEXTS, min_size=1, max_size=3),
    texts=st.lists(TEXTS | st.none(), min_size=5, max_size=30),
)
def test_duckdb_compares_texts_with_the_values_of_filters_as_the_domain_does(duck, kind, values, texts):
    texts += values
    values_of_query = Values()
    condition = hit_condition(Filter("page_title", kind, tuple(values)), values_of_query, "true")

    found = _asked(duck, condition, values_of_query.parameters, texts, column="page_title")

    compare = {
        FilterType.EQUALS: lambda text, value: text == value,
        FilterType.CONTAINS: lambda text, value: value in text,
        FilterType.STARTS_WITH: str.startswith,
        FilterType.ENDS_WITH: str.endswith,
    }[kind.positive]
    assert found == [any(compare(text or "", value) for value in values) for text in texts]


@unhurried
@given(
    pattern=st.text(st.sampled_from("ab/*.é%2F?()[$^\\"), max_size=12).map(lambda rest: f"/{rest}"),
    paths=st.lists(st.text(st.sampled_from("ab/.é%2F?*()[$^\\\n"), max_size=12), min_size=5, max_size=30),
)
def test_duckdb_compares_paths_with_patterns_as_the_domain_does(duck, pattern, paths):
    if path_pattern_error(pattern):
        return
    values = Values()
    condition = path_condition(pattern, values)
    paths = [f"/{path}" for path in paths] + [pattern, pattern.replace("*", "a/b")]

    found = _asked(duck, condition, values.parameters, paths, column="pathname")

    assert found == [path_matcher(pattern)(path) for path in paths]


@unhurried
@given(value=VALUES, expected=EXPECTED)
def test_duckdb_compares_properties_with_values_as_the_domain_does(duck, value, expected):
    rule, values = EventRule("n", "k", expected), Values()
    condition = event_condition(rule, values)
    hits = [{"event_name": "n", "properties": [property_of("other", expected), property_of("k", value)]}]

    [(found,)] = duck.execute(
        f"select {condition} from (select unnest(from_json($hits, $shape), recursive := true))",
        {
            **values.parameters,
            "hits": json.dumps(hits),
            "shape": '[{"event_name":"VARCHAR","properties":'
            '[{"key":"VARCHAR","kind":"VARCHAR","text":"VARCHAR","decimal":"VARCHAR"}]}]',
        },
    ).fetchall()

    assert bool(found) == matches(rule, event("n", properties={"k": value}))
    assert set(rule_values(rule)) >= {"property_value", "property_decimal"}


@unhurried
@given(
    value=VALUES,
    kind=st.sampled_from([one for one in FilterType if one.positive is not FilterType.REGEX]),
    wanted=st.lists(
        TEXTS | VALUES.map(property_text).filter(lambda text: text is not None), min_size=1, max_size=3
    ),
)
def test_duckdb_compares_properties_with_the_values_of_filters_as_the_domain_does(duck, value, kind, wanted):
    values = Values()
    condition = hit_condition(Filter("property:k", kind, tuple(wanted)), values, "true")
    logged = event("n", properties={"k": value, "other": wanted[0]})
    hits = [
        {"type": "custom_event", "properties": [property_of("other", wanted[0]), property_of("k", value)]}
    ]

    [(found,)] = duck.execute(
        f"select {condition} from (select unnest(from_json($hits, $shape), recursive := true))",
        {
            **values.parameters,
            "hits": json.dumps(hits),
            "shape": '[{"type":"VARCHAR","properties":'
            '[{"key":"VARCHAR","kind":"VARCHAR","text":"VARCHAR","decimal":"VARCHAR"}]}]',
        },
    ).fetchall()

    positive = Filter("property:k", kind.positive, tuple(wanted))
    assert bool(found) == (len(select_visits(record(logged), ALWAYS, [positive])) == 1)


# Escapes of each kind, and what is between them.
QUERIES = st.lists(
    st.sampled_from(
        [*"ab=&+?%/", "ref", "&ref=", "?ref=", "%72", "%C3%A9", "%ff", "%00", "%F0%9F", "%", "%4", "é"]
    ),
    max_size=8,
).map("".join)


@unhurried
@given(
    queries=st.lists(QUERIES | st.none(), min_size=5, max_size=30),
    name=st.sampled_from(["ref", "a", "é", "b ", "%"]),
)
def test_duckdb_reads_parameters_of_query_strings_as_the_domain_does(duck, queries, name):
    values = Values()
    text = expressions.query_parameter(name, values)

    rows = duck.execute(
        f"select {text} from (select unnest(from_json($texts, '[\"VARCHAR\"]')) as querystring)",
        {**values.parameters, "texts": json.dumps(queries)},
    ).fetchall()

    assert [found for (found,) in rows] == [query_parameter(query, name) for query in queries]


def _asked(duck, condition, parameters, texts, column="text"):
    rows = duck.execute(
        f"select {condition} from (select unnest(from_json($texts, '[\"VARCHAR\"]')) as {column})",
        {**parameters, "texts": json.dumps(texts)},
    ).fetchall()
    return [bool(found) for (found,) in rows]
