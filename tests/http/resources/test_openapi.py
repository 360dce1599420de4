"""The OpenAPI document says what the service does, no more and no less."""

import re
from collections.abc import Iterator

import jsonschema_rs
import orjson
import pytest

from footfall.adapters.http.resources.docs_page import resolve
from footfall.adapters.http.resources.openapi import document
from footfall.adapters.http.resources.reports.catalogue import REPORTS
from footfall.application.access.authorization import Access
from footfall.client.reading.interface.reports import REPORTS as READABLE
from tests.http import reading_interface
from tests.http.openapi_json import FOLDER, generated
from tests.routes import api_routes, rule_of

DOCUMENT = document()
OPERATIONS = [
    (path, method, operation)
    for path, item in DOCUMENT["paths"].items()
    for method, operation in item.items()
    if method != "parameters"
]
EVERY_OPERATION = pytest.mark.parametrize(
    ("path", "method", "operation"),
    OPERATIONS,
    ids=[operation["operationId"] for _, _, operation in OPERATIONS],
)
NEEDS = {
    Access.USER: [{"apiKey": []}],
    Access.VIEWER: [{"apiKey": []}],
    Access.MEMBER: [{"apiKey": []}],
    Access.ADMIN: [{"apiKey": []}],
    Access.OWNER: [{"apiKey": []}],
    Access.READER: [{"apiKey": []}, {"privateLink": []}, {"privateLinkInQuery": []}, {}],
    Access.DETAILS: [{"apiKey": []}, {"privateLink": []}, {"privateLinkInQuery": []}, {}],
}


def routes(app) -> list[tuple[str, str, object]]:
    return [(path, method.lower(), resource) for path, method, resource in api_routes(app)]


def nodes(node, where="#") -> Iterator[tuple[str, dict]]:
    if isinstance(node, dict):
        yield where, node
        for name, inner in node.items():
            yield from nodes(inner, f"{where}/{name}")
    elif isinstance(node, list):
        for number, inner in enumerate(node):
            yield from nodes(inner, f"{where}/{number}")


def test_the_generated_json_is_up_to_date():
    assert (FOLDER / "openapi.json").read_text(encoding="utf-8") == generated(), "run make openapi"


def test_the_generated_types_of_reports_are_up_to_date():
    folder = reading_interface.FOLDER
    kept = {name: (folder / name).read_text(encoding="utf-8") for name in ("schemas.py", "reports.py")}

    assert kept == reading_interface.generated(), "run make openapi"


def test_every_report_can_be_read_by_its_name():
    assert set(READABLE) == {*REPORTS, "sessions/{session}", "annotations"}


async def test_routes_and_document_name_the_same_operations(world):
    there = {(path, method) for path, method, _ in routes(world.framework)}

    assert {(path, method) for path, method, _ in OPERATIONS} == there


async def test_the_document_asks_for_the_credentials_that_the_routes_ask_for(world):
    expected, described = {}, {}
    for path, method, resource in routes(world.framework):
        access = rule_of(resource, method) or Access.OPEN
        if access is not Access.OPEN:
            operation = DOCUMENT["paths"][path][method]
            expected[path, method] = NEEDS[access]
            described[path, method] = operation.get("security", DOCUMENT["security"])

    assert described == expected


def test_every_reference_has_its_target():
    for where, node in nodes(DOCUMENT):
        if isinstance(node.get("$ref"), str):
            assert resolve(DOCUMENT, node), where


def test_nothing_in_the_components_is_left_unused():
    used = {node["$ref"] for _, node in nodes(DOCUMENT) if "$ref" in node}
    there = {
        f"#/components/{kind}/{name}"
        for kind, items in DOCUMENT["components"].items()
        if kind != "securitySchemes"
        for name in items
    }

    assert there - used == set()


def test_every_schema_is_valid():
    for where, node in nodes(DOCUMENT):
        if isinstance(node.get("schema"), dict):
            jsonschema_rs.validator_for({"components": DOCUMENT["components"], **node["schema"]}), where


def test_every_example_is_of_its_schema():
    seen = 0
    for where, node in nodes(DOCUMENT):
        examples = node.get("examples") if "schema" in node else None
        for name, example in (examples or {}).items():
            schema = {"components": DOCUMENT["components"], **node["schema"]}
            validator = jsonschema_rs.Draft202012Validator(schema, validate_formats=True)
            assert list(validator.iter_errors(example["value"])) == [], f"{where}: {name}"
            seen += 1
    assert seen > 50


def test_every_needed_parameter_of_a_query_has_an_example_of_its_schema():
    parameters = [
        resolve(DOCUMENT, each) for _, _, operation in OPERATIONS for each in operation.get("parameters", ())
    ]
    needed = [each for each in parameters if each["in"] == "query" and each.get("required")]

    assert [each["name"] for each in needed if "example" not in each] == []
    for each in needed:
        schema = {"components": DOCUMENT["components"], **each["schema"]}
        assert jsonschema_rs.Draft202012Validator(schema).is_valid(each["example"]), each["name"]


def test_generators_of_clients_take_every_operation():
    # They leave out one with a parameter that has `content`, and read an answer as the first type that it lists.
    components = DOCUMENT["components"]["parameters"].values()
    parameters = [*components, *(node for _, node in nodes(DOCUMENT["paths"]) if "in" in node)]
    contents = [list(node["content"]) for _, node in nodes(DOCUMENT) if isinstance(node.get("content"), dict)]

    assert [one["name"] for one in parameters if "schema" not in one] == []
    assert [types for types in contents if "application/json" in types[1:]] == []


@EVERY_OPERATION
def test_every_operation_has_its_words_and_every_json_answer_an_example(path, method, operation):
    assert operation["operationId"]
    assert operation["summary"]
    assert set(operation["tags"]) <= {tag["name"] for tag in DOCUMENT["tags"]}
    for status, response in operation["responses"].items():
        answer = resolve(DOCUMENT, response)
        assert answer["description"]
        body = answer.get("content", {}).get("application/json")
        assert body is None or body.get("examples") or path == "/api/openapi.json", (method, path, status)


@EVERY_OPERATION
def test_every_operation_lists_the_refusals_that_its_kind_can_have(path, method, operation):
    statuses, expected = set(operation["responses"]), set()
    if path.startswith("/api/") and operation.get("security") != []:
        expected |= {"401", "503"}
    if "requestBody" in operation:
        expected |= {"400", "413"}
    if operation.get("parameters"):
        expected |= {"400"}
    # What an answer of the past was made from can be erased since.
    if {"as_of", "from"} & {
        resolve(DOCUMENT, parameter)["name"] for parameter in operation.get("parameters", ())
    }:
        expected |= {"410"}
    # A preflight asks about no resource.
    if "{" in path and method != "options":
        expected |= {"404"}

    assert expected <= statuses, (method, path)


async def test_the_document_is_served_as_json(world):
    answered = await world.request("GET", "/api/openapi.json")

    assert answered.status_code == 200
    assert orjson.loads(answered.content) == orjson.loads(orjson.dumps(DOCUMENT))
    assert answered.headers["Access-Control-Allow-Origin"] == "*"


async def test_the_page_needs_nothing_from_anywhere_else(world):
    answered = await world.request("GET", "/api/docs")

    links = set(re.findall(r'(?:href|src)="([^"]*)"', answered.text))
    assert answered.status_code == 200
    assert {link for link in links if not link.startswith("#")} == {"/", "/api/openapi.json"}
    assert "<script" not in answered.text
    assert answered.text.count("<main>") == 1
    assert "default-src 'none'" in answered.headers["Content-Security-Policy"]
    for _, _, operation in OPERATIONS:
        assert f'id="{operation["operationId"]}"' in answered.text


def test_the_positions_of_an_answer_are_those_that_a_request_takes():
    components = DOCUMENT["components"]
    taken = re.compile(components["schemas"]["AsOf"]["anyOf"][1]["pattern"])
    named = components["headers"]["Positions"]["example"], components["parameters"]["AsOf"]["example"]

    assert [text for text in named if taken.match(text) is None] == []
