"""The OpenAPI document as one page of HTML, without scripts."""

import base64
import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

_HERE = Path(__file__).parent
_STYLE = (_HERE / "docs.css").read_text(encoding="utf-8")
_STYLE_HASH = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
POLICY = (
    f"default-src 'none'; style-src 'sha256-{_STYLE_HASH}'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
_METHODS = ("get", "post", "put", "patch", "delete", "options")
_CODE = re.compile(r"`([^`]+)`")


def render(document: Mapping[str, Any]) -> str:
    """Return the page."""
    environment = Environment(
        loader=FileSystemLoader(_HERE),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"prose": _prose, "json": _json, "kind": _kind}
    environment.globals["resolve"] = lambda node: resolve(document, node)
    template = environment.get_template("docs.html")
    # The content security policy admits exactly these bytes.
    style = Markup(_STYLE)  # noqa: S704
    return template.render(document=document, groups=_groups(document), style=style)


def resolve(document: Mapping[str, Any], node: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what a node refers to; the node itself when it is no reference."""
    while "$ref" in node:
        path, node = node["$ref"].removeprefix("#/").split("/"), document
        for part in path:
            node = node[part]
    return node


def _groups(document: Mapping[str, Any]) -> list[tuple[Mapping[str, Any], list[dict[str, Any]]]]:
    operations = list(_operations(document))
    return [
        (tag, [operation for operation in operations if tag["name"] in operation["tags"]])
        for tag in document["tags"]
    ]


def _operations(document: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for path, item in document["paths"].items():
        for method in _METHODS:
            if method in item:
                operation = item[method]
                parameters = [*item.get("parameters", ()), *operation.get("parameters", ())]
                security = operation.get("security", document["security"])
                yield {
                    **operation,
                    "method": method.upper(),
                    "path": path,
                    "parameters": parameters,
                    "access": [" and ".join(schemes) or "none" for schemes in security],
                }


def _prose(text: str) -> Markup:
    """Return paragraphs; `code` in backticks is all the markup that the document uses."""
    paragraphs = [
        _CODE.sub(r"<code>\1</code>", str(escape(" ".join(part.split()))))
        for part in text.strip().split("\n\n")
    ]
    return Markup("").join(Markup("<p>%s</p>") % Markup(part) for part in paragraphs)  # noqa: S704 - escaped


def _json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)


def _kind(schema: Mapping[str, Any]) -> str:
    """Return what a schema allows, in a few words."""
    if "const" in schema:
        return _json(schema["const"])
    if "enum" in schema:
        return " | ".join(str(value) for value in schema["enum"])
    types = schema.get("type", [])
    names = [types] if isinstance(types, str) else list(types)
    limits = [
        f"{words} {schema[name]:,}"
        for name, words in (
            ("minimum", "from"),
            ("maximum", "to"),
            ("maxLength", "at most"),
            ("maxItems", "at most"),
        )
        if name in schema
    ]
    default = [f"default {schema['default']}"] if "default" in schema else []
    return ", ".join([" or ".join(names), *limits, *default]).removeprefix(", ")
