"""What holds of every report of the interface: what it refuses, its file, and what it says of events that wait."""

import csv
from io import StringIO

import pytest

from footfall.adapters.http.resources.openapi import document
from footfall.adapters.http.resources.reports.catalogue import REPORTS
from tests.http.resources.reports.questions import EVERY, ask, define, events, fill, needed_by, path_of

# Values that no report accepts, by the parameters.
REFUSED = {
    "start_date": ["2026-03-14", "2026-02-30", "2026-3-1", ""],
    "end_date": ["2026-03-14", "2026-02-30"],
    "past_minutes_start": ["10", "1e3", "-1"],
    "past_minutes_end": ["10", "x"],
    "time_zone": ["Mars/Olympus", "../../etc/passwd", ""],
    "filters": ["", "[[", "{}", "[" * 2000, "[{}]"],
    "segment": ["7", "x", ""],
    "excluded": ["", "exclude", "true"],
    "as_of": ["yesterday", "2026-11-22T10:15:00"],
    "page": ["0", "x", "1.0", "1e3", ""],
    "limit": ["0", "201", "-1", ""],
    "page_size": ["0", "201"],
    "search": ["x" * 257, "\0"],
    "sort": ["colour", ""],
    "order": ["up"],
    "status": ["new"],
    "by": ["color", ""],
    "visitors": ["yes", ""],
    "model": ["linear", ""],
    "compare_model": ["linear", ""],
    "lookback": ["0", "91", "x", ""],
    "goal": ["x", "-1", "9" * 30, ""],
    "cohort": ["", "DAY", "hour", "year", "week "],
    "bucket": ["", "HOUR", "fortnight", "second", "hour ", "minute"],
    "event": ["", "x" * 257],
    "property": ["", "x" * 8193, "\0"],
    "errorMessage": ["", "x" * 8193, "\0"],
    "compare": ["year", ""],
    "compare_with": ["week"],
    "compare_start_date": ["2026-01-01", "x"],
    "compare_end_date": ["2026-01-01", "x"],
    "after": ["", "end", "page:", "event:", "goal:x", "goal:99", "/pricing", "page:" + "/*a" * 21],
    "before": ["", "start", "page:", "event:" + "x" * 257, "goal:0"],
    "custom_events": ["yes", ""],
    "error": ["", "x", "1-0"],
    "first_from": ["", "yesterday"],
    "first_to": ["", "yesterday"],
    "first_goal": ["", "x", "99"],
    "ended_after": ["5", "-1", "x", ""],
    "other_than": [
        "",
        "1",
        "[]",
        "{",
        # Nested more deeply than a decoder follows, and numbers that no number holds.
        "[" * 2000,
        '{"step": 1e999, "not": ["page:/"]}',
        '{"step": NaN, "not": ["page:/"]}',
        f'{{"step": {"9" * 400}, "not": ["page:/"]}}',
        '{"step": true, "not": ["page:/"]}',
        '{"step": 1.5, "not": ["page:/"]}',
        *(f'{{"step": {one}}}' for one in ('6, "not": ["page:/"]', '1, "not": []', '1, "not": ["/"]')),
    ],
    "groups": ["yes", ""],
    **{
        f"step_{number}": ["", "/pricing", "goal:1", "page:\0", "page:" + "x" * 2049]
        for number in range(1, 6)
    },
    # Every text is the name of some user.
    "assignee": [],
    "visitor": ["", "x" * 16, "0" * 15],
    "cursor": ["", "1", "17697-0", "9" * 17 + "-0000000000000001", "1-8000000000000000"],
}
# What is missing beside one of them is named, too.
PAIRS = [
    ("start_date", "end_date"),
    ("past_minutes_start", "past_minutes_end"),
    ("compare_start_date", "compare_end_date"),
    ("first_from", "first_to", "first_goal"),
]
ADDRESSES = pytest.mark.parametrize("address", REPORTS)


@pytest.fixture
async def filled(world):
    """A site with goals, a funnel and some days of traffic."""
    await fill(world)
    return world


@ADDRESSES
async def test_a_value_that_is_not_accepted_is_refused_by_the_name_of_its_parameter(filled, address):
    report, found = REPORTS[address], {}
    asked = [(name, value) for name in parameters_of(report) for value in REFUSED[name]]

    for name, value in asked:
        refused = await ask(filled, path_of(address), {name: value})
        named = refused.json.get("details", {}).get("fieldErrors", {})
        found[name, value] = (refused.status_code, {field.partition("[")[0] for field in named})

    accepted = {one: found[one] for one in asked if found[one][0] != 400 or not names(one[0], found[one][1])}
    assert accepted == {}


@ADDRESSES
async def test_what_is_missing_and_what_is_given_twice_are_named_together(filled, address):
    name = max(parameters_of(REPORTS[address]) - {*needed_by(address)})

    refused = await ask(
        filled, path_of(address), {**dict.fromkeys(needed_by(address)), name: ["x", "y"], "colour": "red"}
    )

    errors = refused.json["details"]["fieldErrors"]
    assert (refused.status_code, {*errors}) == (400, {*needed_by(address), name, "colour"})
    assert errors[name] == ["is given more than once"]


@ADDRESSES
async def test_a_report_that_does_not_hold_everything_stored_says_so(filled, address):
    complete = await ask(filled, path_of(address))
    filled.projection.behind = 7
    incomplete = await ask(filled, path_of(address))

    assert complete.status_code == incomplete.status_code == 200
    assert "Footfall-Incomplete" not in complete.headers
    assert incomplete.headers["Footfall-Incomplete"] == "7"
    assert incomplete.json == complete.json


def test_the_document_says_which_answers_may_be_incomplete():
    described = {
        path.removeprefix("/api/sites/{site}/")
        for path, methods in document()["paths"].items()
        for method in methods.values()
        if isinstance(method, dict) and "Footfall-Incomplete" in headers_of(method)
    }

    others = {
        *("goals/preview", "funnels/preview", "annotations", "errors/{group}", "sessions/{session}"),
        *("goals/{goal}/what-if", "funnels/{funnel}/what-if", "excluded-countries/what-if"),
        *("excluded-hosts/what-if", "excluded-paths/what-if", "exclusions/what-if"),
        "page-groups/what-if",
        "/api/organizations/{organization}/overview",
    }
    assert described == {*REPORTS, *others}


@pytest.mark.parametrize("path", [path for path in EVERY if "{group}" not in path])
async def test_every_report_is_a_file_whose_columns_need_no_data(world, path):
    await define(world)
    [columns, *_] = await rows(world, path)
    assert (await world.batch(list(events()))).status_code == 200

    found = await rows(world, path)

    # Visitors and conversions of values are columns when there are some.
    assert [name for name in found[0] if name in columns] == columns
    assert {len(row) for row in found} == {len(found[0])}


def parameters_of(report):
    return {*report.own, *report.shown, *report.common}


def names(parameter, fields):
    """Whether errors are about a parameter."""
    expected = next(({*pair} for pair in PAIRS if parameter in pair), {parameter})
    return bool(fields) and fields <= expected


def headers_of(method):
    """Return the headers that an answer of an operation is described with."""
    described = method.get("responses", {}).get("200", {})
    if "$ref" in described:
        described = document()["components"]["responses"][described["$ref"].rpartition("/")[2]]
    return described.get("headers", {})


async def rows(world, path):
    answered = await ask(world, path, headers={"Accept": "text/csv"})
    assert answered.status_code == 200, answered.text
    assert answered.headers["Content-Type"] == "text/csv; charset=utf-8; header=present"
    return list(csv.reader(StringIO(answered.text, newline="")))
