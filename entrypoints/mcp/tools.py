"""The tools of the MCP server, made from the OpenAPI document: one for each report.

See docs/read/programs/mcp.md#tools.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from attrs import frozen

# Every operation of these groups that is a GET is a tool, so that a new report is one without being named here.
GROUPS = frozenset({"Funnels", "Goals", "Page groups", "Reports", "Segments"})
# Operations of other groups: they find the sites, and say what happened on them.
OTHERS = frozenset({"getSite", "listAnnotations", "listOrganizations", "listReleases", "listSites"})

_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")

Document = Mapping[str, Any]


class UnusableArguments(Exception):
    """The arguments of a call are not those of the tool; the text names what is accepted."""


@frozen(kw_only=True)
class Parameter:
    """A parameter of an operation."""

    name: str
    in_path: bool
    required: bool
    schema: Mapping[str, Any]


@frozen(kw_only=True)
class Call:
    """A call of a tool: the path and the query of its request, and the arguments by their names."""

    operation: str
    path: str
    query: Mapping[str, str]
    arguments: Mapping[str, Any]
    # Whether the report can be asked as of earlier positions.
    has_past: bool

    def address(self, *, as_of: str | None) -> str:
        """Return path and query of the same answer again, as of the positions that it was made from."""
        past = self.has_past and as_of is not None
        query = {**self.query, "as_of": as_of} if past else self.query
        return f"{self.path}?{urlencode(query)}" if query else self.path


@frozen(kw_only=True)
class ReportTool:
    """A tool that reads one report; its name is the `operationId`."""

    name: str
    title: str
    description: str
    template: str
    parameters: Sequence[Parameter]

    @property
    def input_schema(self) -> dict[str, Any]:
        """The JSON Schema of the arguments."""
        return {
            "type": "object",
            "properties": {parameter.name: dict(parameter.schema) for parameter in self.parameters},
            "required": [parameter.name for parameter in self.parameters if parameter.required],
            "additionalProperties": False,
        }

    def call(self, arguments: Mapping[str, Any]) -> Call:
        """Return the request for these arguments; the interface checks the values.

        Raises:
            UnusableArguments: one is missing, has another name, or is no id where the path needs one.

        """
        values = {name: value for name, value in arguments.items() if value is not None}
        self._require_known(values)
        texts = {name: _text(value) for name, value in values.items()}
        in_path = {parameter.name for parameter in self.parameters if parameter.in_path}
        segments = {name: _segment(name, text) for name, text in texts.items() if name in in_path}
        return Call(
            operation=self.name,
            path=self.template.format_map(segments),
            query={name: text for name, text in texts.items() if name not in in_path},
            arguments=values,
            has_past=any(parameter.name == "as_of" for parameter in self.parameters),
        )

    def _require_known(self, values: Mapping[str, Any]) -> None:
        names = [parameter.name for parameter in self.parameters]
        missing = [
            parameter.name
            for parameter in self.parameters
            if parameter.required and values.get(parameter.name, "") == ""
        ]
        if missing:
            raise UnusableArguments(f"{self.name} requires {', '.join(missing)}")
        if unknown := sorted(values.keys() - set(names)):
            accepted = ", ".join(names) or "none"
            raise UnusableArguments(
                f"{self.name} does not take {', '.join(unknown)}; accepted are {accepted}"
            )


def report_tools(document: Document) -> tuple[ReportTool, ...]:
    """Return the tools of an OpenAPI document, in its order."""
    return tuple(
        _tool(document, template, path)
        for template, path in document["paths"].items()
        if "get" in path and _is_read(path["get"])
    )


def _is_read(operation: Mapping[str, Any]) -> bool:
    return operation["operationId"] in OTHERS or bool(GROUPS & {*operation["tags"]})


def _tool(document: Document, template: str, path: Mapping[str, Any]) -> ReportTool:
    operation = path["get"]
    parameters = [*path.get("parameters", []), *operation.get("parameters", [])]
    texts = (f"{operation['summary']}.", operation.get("description", ""))
    return ReportTool(
        name=operation["operationId"],
        title=operation["summary"],
        description="\n\n".join(filter(None, map(str.strip, texts))),
        template=template,
        parameters=tuple(_parameters(document, parameters)),
    )


def _parameters(document: Document, parameters: Sequence[Mapping[str, Any]]) -> Iterator[Parameter]:
    for parameter in parameters:
        resolved = _resolved(document, parameter)
        content = resolved.get("content", {}).get("application/json")
        schema = resolved["schema"] if content is None else content["schema"]
        described = {key: resolved[key] for key in ("description",) if key in resolved}
        yield Parameter(
            name=resolved["name"],
            in_path=resolved["in"] == "path",
            required=resolved.get("required", False),
            schema={**schema, **described},
        )


def _resolved(document: Document, node: Any) -> Any:
    """Return a part of the document with all it refers to in its place."""
    if isinstance(node, list):
        return [_resolved(document, part) for part in node]
    if not isinstance(node, dict):
        return node
    if reference := node.get("$ref"):
        target: Any = document
        for key in reference.removeprefix("#/").split("/"):
            target = target[key]
        return _resolved(document, target)
    return {key: _resolved(document, value) for key, value in node.items()}


def _text(value: Any) -> str:
    """Return a value in an address: texts as they are, among them JSON that a caller has encoded, others as JSON."""
    return value if isinstance(value, str) else json.dumps(value)


def _segment(name: str, text: str) -> str:
    """Return an id as a segment of a path: one with a slash would be another path to the service.

    Raises:
        UnusableArguments: it is no id.

    """
    if not _ID.fullmatch(text):
        raise UnusableArguments(f"{name} must be an id: letters, digits, _ and -")
    return text
