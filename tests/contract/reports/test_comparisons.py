"""Properties and paths: PostgreSQL compares them with goals and filters as the domain does."""

import json
from itertools import product

import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.adapters.postgres.database.connections import Connections
from footfall.adapters.postgres.database.schemas import with_option
from footfall.adapters.postgres.projections.goal_versions import rule_values
from footfall.adapters.postgres.reports.live_reports import PostgresLiveReports
from footfall.adapters.regular_expressions import compile_patterns
from footfall.domain.goals.goal import EventRule, GoalQuery, PathRule
from footfall.domain.goals.matching import matches
from footfall.domain.paths.pathname import stored_path
from footfall.domain.tracking.acquisition.query_parameters import query_parameter
from footfall.domain.tracking.hit import HitType
from footfall.domain.traffic.conversion import Conversions
from footfall.domain.traffic.dimensions import of_events_alone
from footfall.domain.traffic.filters import FilterType
from footfall.domain.traffic.online.live import live, live_period
from footfall.domain.traffic.overview import Traffic
from footfall.domain.traffic.report_query import ReportQuery
from tests.conditions import filter_of
from tests.generated import examples
from tests.histories import SITE, START, days, event, hit, record
from tests.stores.stored import catch_up

unhurried = examples(60)
DAY = days("2026-03-28", "2026-03-28")
NUMERIC = st.from_regex(
    r"-?[0-9]{1,20}(\.[0-9]{1,20})?([eE][-+]?[0-9]{1,4})?", fullmatch=True, alphabet="0123456789.eE+-"
)
EXTREMES = st.sampled_from(
    [
        "1e308", "1e-999", "1e999", "1e1000", "1e131073", "-1e-16384", "0e9999", "9" * 8192, "9" * 8193,
        f"0.{'0' * 8180}1e-999", "12\n", " 12", "١٢", "true", "null", "", "-0", "1E+02",
        2**53 + 1, 2**64 + 1, 10**308, -(10**308), 1.7976931348623157e308, 5e-324, -0.0, 0.1, 19.9, 100, True, False,
    ]
)  # fmt: skip
# Escapes of each kind, and what is between them.
QUERIES = st.lists(
    st.sampled_from(
        [*"ab=&+?%/'", "ref", "&ref=", "?ref=", "%72", "%C3%A9", "%ff", "%00", "%F0%9F", "%", "%4", "é"]
    ),
    max_size=8,
).map("".join)
FLOATS = st.floats(allow_nan=False, allow_infinity=False)
SCALARS = EXTREMES | NUMERIC | st.integers(-(10**20), 10**20) | FLOATS | st.booleans()
PROPERTIES = SCALARS | st.none() | st.just([12]) | st.just({"a": 12})


@unhurried
@given(st.lists(st.tuples(PROPERTIES, SCALARS), min_size=20, max_size=40))
def test_a_property_equals_a_value_in_postgresql_when_it_does_in_the_domain(database_url, pairs):
    asked = [(json.dumps(value), rule_values(EventRule("n", "k", expected))) for value, expected in pairs]
    with psycopg.connect(database_url) as connection:
        rows = connection.execute(
            "select coalesce(property_equals(value::jsonb, text, decimal), false)"
            " from unnest(%s::text[], %s::text[], %s::text[]) with ordinality as given (value, text, decimal, place)"
            " order by place",
            (
                [value for value, _ in asked],
                [rule["property_value"] for _, rule in asked],
                [rule["property_decimal"] for _, rule in asked],
            ),
        ).fetchall()

    assert [found for (found,) in rows] == [
        matches(EventRule("n", "k", expected), event("n", properties={"k": value}))
        for value, expected in pairs
    ]


@unhurried
@given(
    st.lists(QUERIES | st.none(), min_size=20, max_size=40),
    st.sampled_from(["ref", "a", "é", "b ", "%", "'"]),
)
def test_parameters_of_query_strings_are_read_in_postgresql_as_in_the_domain(database_url, queries, name):
    with psycopg.connect(database_url) as connection:
        rows = connection.execute(
            "select query_parameter(querystring, %s)"
            " from unnest(%s::text[]) with ordinality as one (querystring, place) order by place",
            (name, queries),
        ).fetchall()

    assert [found for (found,) in rows] == [query_parameter(query, name) for query in queries]


# What PostgreSQL reads for the live page: each value is that of another visitor.
_PROPERTIES = [
    "pro",
    "12",
    12,
    12.0,
    "12.0",
    True,
    "true",
    None,
    [12],
    {"pro": 1},
    "",
    "p'r%o",
    2**53 + 1,
    1e-7,
]
_QUERIES = ["ref=pro", "r%65f=%70ro", "ref=12", "?ref", "a=1&ref=true", "ref=%ff", "xref=pro", None]


# What lets PostgreSQL read a few rows in parallel, as it reads those of large tables.
_CHEAP = (
    "parallel_setup_cost",
    "parallel_tuple_cost",
    "min_parallel_table_scan_size",
    "min_parallel_index_scan_size",
)


@pytest.fixture
async def in_parallel(database_url):
    """Lend connections for which PostgreSQL plans every query in parallel that may be."""
    with psycopg.connect(database_url) as connection:
        version = connection.info.server_version
    forced = "debug_parallel_query" if version >= 160_000 else "force_parallel_mode"
    url = with_option(database_url, forced, "on")
    for setting in _CHEAP:
        url = with_option(url, setting, "0")
    connections = Connections(url, most=2)
    await connections.open()
    yield connections
    await connections.close()


def test_no_function_that_catches_errors_is_run_in_parallel(database_url):
    with psycopg.connect(database_url) as connection:
        found = connection.execute(
            "select proname from pg_proc where pronamespace = current_schema()::regnamespace"
            r" and proparallel <> 'u' and prosrc ~* '\mexception\s+when\M'"
        ).fetchall()

    assert found == []


# Before PostgreSQL 17 a function that catches errors ends a parallel query.
async def test_filters_select_alike_when_postgresql_reads_in_parallel(stored, in_parallel):
    await stored.empty()
    log = record(*(hit(visitor_id=place, querystring=one) for place, one in enumerate(_QUERIES)))
    await stored.append(log)
    await catch_up(stored.projector)
    period, reports = live_period(START), PostgresLiveReports(in_parallel, compile_patterns)
    for parameter in ("property:a'b", "query:ref", "release", "screen_class", "pathname", "hits"):
        filters = [filter_of(parameter, FilterType.EQUALS, "pro")]

        found = await reports.live(SITE, ReportQuery(period, filters))

        assert found == live(log, period, filters), parameter


async def test_filters_that_postgresql_reads_select_as_in_the_domain(stored):
    await stored.empty()
    log = record(
        *(event("buy", visitor_id=place, properties={"a'b": one}) for place, one in enumerate(_PROPERTIES)),
        *(hit(visitor_id=50 + place, properties={"a'b": one}) for place, one in enumerate(_PROPERTIES)),
        *(hit(visitor_id=100 + place, querystring=one) for place, one in enumerate(_QUERIES)),
        *(
            hit(visitor_id=150 + width, screen_width=float(width), release=str(width))
            for width in (0, 12, 576, 2000)
        ),
        hit(visitor_id=3000, kind=HitType.OUTBOUND, properties={"a'b": "pro"}, querystring="ref=pro"),
    )
    await stored.append(log)
    await catch_up(stored.projector)
    period, reports = live_period(START), PostgresLiveReports(stored.connections, compile_patterns)
    parameters = ["property:a'b", of_events_alone("property:a'b"), "query:ref", "release", "screen_class"]
    texts = ["pro", "12", "12.0", "true", "", "'", "%ff", "0.0000001", str(2**53 + 1), "small", "very_large"]

    for kind, parameter in product(FilterType, parameters):
        for value in ["^p", "[0-9]+", "^$"] if kind.positive is FilterType.REGEX else texts:
            filters = [filter_of(parameter, kind, value)]

            found = await reports.live(SITE, ReportQuery(period, filters))

            assert found == live(log, period, filters), filters


@pytest.mark.parametrize("known", [True, False])
async def test_goals_count_numbers_written_as_texts_and_paths_written_with_escapes(stored, known):
    await stored.empty()
    prices = (19.9, "19.90", "19.9", 2**53 + 1, 2**53)
    paths = ("/Caf%C3%A9", "Café", "/caf%2fé", "/other")
    log = record(
        *(event("buy", visitor_id=n, properties={"price": price}) for n, price in enumerate(prices)),
        *(hit(visitor_id=10 + n, pathname=stored_path(path)) for n, path in enumerate(paths)),
    )
    rules = [
        *(EventRule("buy", "price", value) for value in (19.9, "19.90", str(2**53 + 1))),
        *(PathRule(pattern) for pattern in ("/Café", "/Caf%c3%a9", "/caf%2F*", "/*af%C3%A9/**")),
    ]
    goals = [(await stored.define(rule))[1] if known else GoalQuery(rule) for rule in rules]
    await stored.append(log)
    await catch_up(stored.projector)

    counted = await stored.goals.count_conversions(SITE, goals, ReportQuery(DAY))

    assert counted == await stored.oracle.count_conversions(SITE, goals, ReportQuery(DAY))
    assert counted == [Conversions(number, 9, sessions_with_pageviews=4) for number in (3, 2, 1, 2, 2, 1, 0)]


# Each with the number of sessions that it finds.
ENCODED = {
    (FilterType.EQUALS, "/Caf%C3%A9"): 1,
    (FilterType.NOT_EQUALS, "/Caf%C3%A9"): 1,
    (FilterType.CONTAINS, "f%c3%a9"): 1,
    (FilterType.STARTS_WITH, "/Caf%C3%A9"): 1,
    (FilterType.ENDS_WITH, "%C3%A9"): 1,
    (FilterType.EQUALS, "/a%2fb"): 1,
    (FilterType.EQUALS, "/a/b"): 0,
    (FilterType.REGEX, "^/Café$"): 1,
}


@pytest.mark.parametrize("parameter", ["pathname", "entry_page", "exit_page"])
async def test_filters_decode_paths_as_they_are_stored(stored, parameter):
    await stored.empty()
    await stored.append(record(hit(visitor_id=1, pathname="/Café"), hit(visitor_id=2, pathname="/a%2Fb")))
    await catch_up(stored.projector)
    for (kind, value), sessions in ENCODED.items():
        filters = [filter_of(parameter, kind, value)]

        overview = await stored.traffic.overview(SITE, ReportQuery(DAY, filters))

        assert overview == await stored.oracle.overview(SITE, ReportQuery(DAY, filters)), filters
        assert overview == Traffic(
            sessions=sessions,
            visitors=sessions,
            pageviews=sessions,
            sessions_with_pageviews=sessions,
            bounces=sessions,
        ), filters
