"""The pages about reports over HTTP name what the OpenAPI document has."""

import re

import pytest

from footfall.adapters.http.resources.docs_page import resolve
from footfall.adapters.http.resources.openapi import document

# Of the levels below, a page names those that need an explanation.
LEVELS = 2


def sections(page):
    """Return the operations of the headings of a page, each with the text below its heading."""
    parts = re.split(r"^## (GET|POST) (\S+)$", page, flags=re.MULTILINE)
    return [
        (f"{method} {path}", described(method, path), text.partition("\n## ")[0])
        for method, path, text in zip(parts[1::3], parts[2::3], parts[3::3], strict=True)
    ]


def described(method, path):
    """Return the operation that a heading names by the path and its own words for the parts of it."""
    plain = re.sub(r"&lt;(\w+?)_id&gt;", r"{\1}", path)
    item = document()["paths"][plain]
    operation = item[method.lower()]
    return {**operation, "parameters": [*item.get("parameters", ()), *operation.get("parameters", ())]}


def parameters(operation):
    every = [resolve(document(), one) for one in operation.get("parameters", ())]
    return {one["name"] for one in every if one["in"] == "query"}


def of_reports(name):
    """Return the parameters of reports, which an operation about reports takes, too."""
    if not name.endswith("/changes"):
        return set()
    gets = [
        item["get"] for path, item in document()["paths"].items() if "get" in item and "/changes" not in path
    ]
    return set().union(*map(parameters, gets))


def fields(schema, levels):
    """Return the names of the fields of an answer."""
    schema = resolve(document(), schema)
    if "items" in schema:
        return fields(schema["items"], levels)
    if not levels:
        return set()
    found = {name: fields(one, levels - 1) for name, one in schema.get("properties", {}).items()}
    parts = [fields(part, levels) for part in schema.get("allOf", ())]
    return set(found).union(*found.values(), *parts)


def answer(operation):
    found = resolve(
        document(), next(one for status, one in operation["responses"].items() if status[0] == "2")
    )
    return found["content"]["application/json"]["schema"]


@pytest.fixture(scope="module")
def reports(project):
    return (project / "docs" / "read" / "programs" / "http.md").read_text()


def test_every_parameter_of_a_described_report_is_named(reports):
    common = {
        name
        for row in re.findall(r"^\| (`.*?) \|", reports, re.MULTILINE)
        for name in re.findall(r"`(\w+)`", row)
    }

    missing = {
        name: sorted(parameters(operation) - common - of_reports(name) - words(text))
        for name, operation, text in sections(reports)
    }

    assert len(missing) == 9
    assert {name: parts for name, parts in missing.items() if parts} == {}


def test_every_field_of_a_described_report_is_named(reports):
    missing = {
        name: sorted(
            fields(answer(operation), LEVELS)
            - words(text)
            - {"meta", "total", "page", "pageSize", "totalPages"}
        )
        for name, operation, text in sections(reports)
        # Those of other reports are not repeated.
        if "…}" not in text
    }

    assert {name: parts for name, parts in missing.items() if parts} == {}


def words(text):
    return set(re.findall(r"\w+", " ".join(re.findall(r"`[^`]+`", text))))


def test_every_answer_with_positions_is_a_file_unless_it_is_named(project):
    page = (project / "docs" / "read" / "programs" / "files.md").read_text()
    listed = page.partition("JSON alone are ")[2].partition("\n")[0]

    named = {re.sub(r"<(\w+?)(_id)?>", r"{\1}", name) for name in re.findall(r"`([^`]+)`", listed)}

    answers = {
        path.removeprefix("/api/sites/{site}/"): resolve(document(), operation["responses"].get("200", {}))
        for path, item in document()["paths"].items()
        for operation in item.values()
        if isinstance(operation, dict)
    }
    reports = {path for path, answer in answers.items() if "Footfall-Positions" in answer.get("headers", {})}
    assert named == {path for path in reports if "text/csv" not in answers[path].get("content", {})}
