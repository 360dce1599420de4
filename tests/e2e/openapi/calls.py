"""One call of each operation of the OpenAPI document, with names of what there is."""

from collections.abc import Mapping
from typing import Any

from attrs import asdict, frozen

from tests.e2e.openapi.operations import (
    OPERATIONS,
    bodies,
    needed_parameters,
    operation_named,
    path_parameters,
)

# What ends something is called last, the site itself after all that is on it.
_LAST = ("eraseVisitor", "deleteSite", "removeMember", "leaveOrganization")


@frozen
class Call:
    """A call: the operation, the names in its path, its parameters and its body."""

    operation: str
    path: Mapping[str, Any]
    query: Mapping[str, Any]
    headers: Mapping[str, Any]
    body: Any


def every_call(
    things: Mapping[str, Any], *, named: Mapping[str, Any], written: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """Return a call of each operation: those that end something last.

    Parameters have the values that are `named`, or else those of their examples if they are needed; bodies those that
    are `written` for an operation, or else those of their first examples.
    """
    ending = [name for name in OPERATIONS if operation_named(name)[1] == "delete" and name not in _LAST]
    others = [name for name in OPERATIONS if name not in {*ending, *_LAST}]
    return [asdict(_call(name, things, named, written)) for name in (*others, *reversed(ending), *_LAST)]


def _call(name: str, things: Mapping[str, Any], named: Mapping[str, Any], written: Mapping[str, Any]) -> Call:
    path = {one: str(things[one]) for one in path_parameters(name)}
    query = {one: named.get(one, example) for one, example in needed_parameters(name).items()}
    described = bodies(name)
    body = None if described is None else written.get(name, described[1][0])
    return Call(name, path, query, {"Referer": named["Referer"]} if name == "trackWithPicture" else {}, body)
