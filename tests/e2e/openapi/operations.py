"""The operations of the OpenAPI document."""

import re
from collections.abc import Mapping
from typing import Any

from footfall.adapters.http.resources.docs_page import resolve
from footfall.adapters.http.resources.openapi import document

_METHODS = frozenset({"get", "post", "put", "patch", "delete", "options"})
_OPERATIONS = {
    operation["operationId"]: (path, method, operation)
    for path, item in document()["paths"].items()
    for method, operation in item.items()
    if method in _METHODS
}
OPERATIONS = tuple(_OPERATIONS)
# What would end what the others need: it is tried with names of things that are not there.
_ENDING = {
    "deleteSite",
    "deleteGoal",
    "deleteFunnel",
    "deleteSegment",
    "deleteExclusionRule",
    "removeAnnotation",
    "removeAlertTarget",
    "deleteAlertRule",
    "revokeApiKey",
    "removeMember",
    "changeMember",
    "leaveOrganization",
}
_NOT_THERE = 98


def shares_its_parameters() -> set[str]:
    """Return the operations each of whose parameters, and whose body, is one of an operation with more of them, too."""
    met: set[str] = set()
    found = set()
    for name in sorted(OPERATIONS, key=lambda name: -len(_parameters(name))):
        parameters = {repr([one["name"], one["in"], one["schema"]]) for one in _parameters(name)}
        if body := bodies(name):
            # What an operation accepts that only tries a body, another one has to store, too.
            parameters.add(repr([body[0], name.startswith(("preview", "try"))]))
        if parameters and parameters <= met:
            found.add(name)
        met |= parameters
    return found


def operation_named(name: str) -> tuple[str, str, Any]:
    """Return the path, the method and the description of an operation."""
    return _OPERATIONS[name]


def bodies(name: str) -> tuple[Any, list[Any]] | None:
    """Return the schema of the body of an operation and its examples; None without a body."""
    described = _OPERATIONS[name][2].get("requestBody")
    if described is None:
        return None
    [media] = resolve(document(), described)["content"].values()
    return media["schema"], [example["value"] for example in media["examples"].values()]


def path_parameters(name: str) -> list[str]:
    """Return the names in the path of an operation."""
    return re.findall(r"{(\w+)}", _OPERATIONS[name][0])


def needed_parameters(name: str) -> dict[str, Any]:
    """Return an example of each parameter of the query that an operation needs."""
    return {
        one["name"]: one["example"]
        for one in _parameters(name)
        if one["in"] == "query" and one.get("required")
    }


def answer_types(name: str, status: int) -> list[str] | None:
    """Return the content types of an answer; None when the document does not describe it."""
    described = _OPERATIONS[name][2]["responses"].get(str(status))
    return None if described is None else list(resolve(document(), described).get("content", ()))


def names_for(name: str, things: Mapping[str, Any]) -> dict[str, str]:
    """Return what the path of a request names: what is there, unless the operation would end it."""
    there = {"organization": 1, "user": 2, **things}
    if name in _ENDING:
        there = {"organization": 1} if name != "leaveOrganization" else {}
    return {one: str(there.get(one, _NOT_THERE)) for one in path_parameters(name)}


def _parameters(name: str) -> list[Any]:
    return [resolve(document(), one) for one in _OPERATIONS[name][2].get("parameters", ())]
