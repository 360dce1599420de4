"""The way from a site to the adapters of its cell."""

import inspect
from collections.abc import Callable
from typing import Any, TypeVar, cast

Port = TypeVar("Port")


def routed(port: type[Port], of: Callable[[int], Port]) -> Port:
    """Return an adapter of a port over those of all cells: each call goes to that of the site which it names.

    It has the methods of the port, and each names the site as its first argument. `of` finds the adapter of a site when
    a method is called, and what it raises about a site whose cell is not served, the call raises.

    Raises:
        TypeError: a method of the port does not name the site first.

    """
    methods = {name: _leading_to(name, of) for name in _methods(port)}
    return cast("Port", type(f"Routed{port.__name__}", (), methods)())


def _methods(port: type[Any]) -> list[str]:
    methods = {name: value for name, value in inspect.getmembers(port, inspect.isfunction) if name[0] != "_"}
    for name, method in methods.items():
        _self, *parameters = inspect.signature(method).parameters
        if parameters[:1] != ["site_id"]:
            raise TypeError(f"{port.__name__}.{name} does not name the site first")
    return list(methods)


def _leading_to(name: str, of: Callable[[int], Any]) -> Callable[..., Any]:
    def call(_self: object, site_id: int, *values: Any, **named: Any) -> Any:
        return getattr(of(site_id), name)(site_id, *values, **named)

    return call
