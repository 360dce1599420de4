"""The tools of the MCP server are the read operations of the OpenAPI document, with its parameters."""

import pytest

from footfall.adapters.http.resources.docs_page import resolve
from footfall.adapters.http.resources.openapi import document
from footfall.entrypoints.mcp.tools import GROUPS, UnusableArguments, report_tools

DOCUMENT = document()
TOOLS = {tool.name: tool for tool in report_tools(DOCUMENT)}
EVERY_TOOL = pytest.mark.parametrize("tool", TOOLS.values(), ids=TOOLS)


def operations():
    for template, path in DOCUMENT["paths"].items():
        for method, operation in path.items():
            if method != "parameters":
                yield template, method, operation, path.get("parameters", [])


@EVERY_TOOL
def test_a_tool_has_the_parameters_of_its_operation(tool):
    [(shared, own)] = [
        (shared, operation.get("parameters", []))
        for template, method, operation, shared in operations()
        if (template, method) == (tool.template, "get")
    ]
    expected = [resolve(DOCUMENT, one) for one in [*shared, *own]]

    schema = tool.input_schema
    assert list(schema["properties"]) == [one["name"] for one in expected]
    assert schema["required"] == [one["name"] for one in expected if one.get("required")]
    assert not schema["additionalProperties"]
    for one in expected:
        described = schema["properties"][one["name"]]
        assert described.get("description") == one.get("description", described.get("description"))


def test_every_report_is_a_tool_and_no_tool_writes():
    reads = {one["operationId"] for _, method, one, _ in operations() if method == "get"}
    reports = {
        one["operationId"]
        for _, method, one, _ in operations()
        if method == "get" and GROUPS & {*one["tags"]}
    }

    assert reports <= TOOLS.keys() <= reads
    assert TOOLS.keys() - reports == {
        "getSite",
        "listAnnotations",
        "listOrganizations",
        "listReleases",
        "listSites",
    }


@EVERY_TOOL
def test_a_schema_refers_to_nothing_outside_of_it(tool):
    assert "$ref" not in str(tool.input_schema)


def test_arguments_become_a_request():
    filters = [{"parameter": "country", "type": "equals", "value": ["DE"]}]

    call = TOOLS["getBreakdown"].call({"site": 1, "by": "browser", "visitors": True, "filters": filters})

    assert call.path == "/api/sites/1/breakdown"
    assert call.query == {
        "by": "browser",
        "visitors": "true",
        "filters": '[{"parameter": "country", "type": "equals", "value": ["DE"]}]',
    }
    assert call.address(as_of="site=1, at=2").endswith("&as_of=site%3D1%2C+at%3D2")


def test_json_that_the_caller_has_encoded_is_sent_as_it_is():
    assert TOOLS["getOverview"].call({"site": "1", "filters": "[]"}).query == {"filters": "[]"}


def test_an_argument_without_a_value_is_left_out():
    assert TOOLS["getOverview"].call({"site": "1", "as_of": None}).query == {}


@pytest.mark.parametrize(
    ("name", "arguments", "refusal"),
    [
        ("getOverview", {}, "requires site"),
        ("getOverview", {"site": ""}, "requires site"),
        ("getBreakdown", {"site": "1"}, "requires by"),
        ("listFunnels", {"site": "1", "page": 2}, "does not take page; accepted are site"),
        ("listOrganizations", {"x": 2}, "accepted are none"),
        ("getSite", {"site": "1/private-link-config"}, "site must be an id"),
        ("getSite", {"site": ".."}, "site must be an id"),
        ("getSite", {"site": ["1"]}, "site must be an id"),
    ],
)
def test_unusable_arguments_are_refused_with_what_is_accepted(name, arguments, refusal):
    with pytest.raises(UnusableArguments, match=refusal):
        TOOLS[name].call(arguments)
