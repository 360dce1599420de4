"""The operations of the OpenAPI document."""

from typing import Any

from footfall.adapters.http.resources.docs_page import resolve
from footfall.adapters.http.resources.openapi import document

_METHODS = frozenset({"get", "post", "put", "delete", "options"})
_OPERATIONS = {
    operation["operationId"]: (path, method, operation)
    for path, item in document()["paths"].items()
    for method, operation in item.items()
    if method in _METHODS
}
OPERATIONS = tuple(_OPERATIONS)


def operation_named(name: str) -> tuple[str, str, Any]:
    """Return the path, the method and the description of an operation."""
    return _OPERATIONS[name]


def bodies(name: str) -> tuple[Any, list[Any]] | None:
    """Return the schema of the JSON body of an operation and its examples; None without a body."""
    described = _OPERATIONS[name][2].get("requestBody")
    if described is None:
        return None
    media = resolve(document(), described)["content"]["application/json"]
    return media["schema"], [example["value"] for example in media["examples"].values()]
