"""The router of an application, made once for all applications of a process that have the same routes."""

from functools import cache, cached_property
from typing import Any, ClassVar

from falcon.inspect import inspect_compiled_router, register_router
from falcon.routing import CompiledRouter, CompiledRouterOptions, map_http_methods, set_default_responders

Routes = tuple[tuple[str, str | None], ...]


class SharedRouter:
    """Finds what Falcon's own router finds, among the resources of one application.

    Falcon takes 25 milliseconds to make a router of all routes, longer than all else in most tests of one request. Only
    the templates matter to it: it is made with the resources of the first application, and names the template of a
    path, whose resource is then that of the present application.
    """

    _made: ClassVar[dict[Routes, CompiledRouter]] = {}

    def __init__(self) -> None:
        self.options = CompiledRouterOptions()
        self._resources: dict[str, tuple[object, dict[str, Any]]] = {}
        self._methods: dict[str, Any] = {}

    def add_route(self, uri_template: str, resource: object, **known: Any) -> None:
        """Add a route."""
        self._resources[uri_template] = (resource, known)

    def find(self, uri: str, req: Any = None) -> tuple[object, Any, dict[str, Any], str] | None:
        """Return resource, methods, parameters and template of a path."""
        found = self.compiled.find(uri, req)
        if found is None:
            return None
        template = str(found[3])
        resource, known = self._resources[template]
        if template not in self._methods:
            methods = self._methods[template] = map_http_methods(resource, suffix=known.get("suffix"))
            set_default_responders(methods, asgi=True)
        return resource, self._methods[template], found[2], template

    @cached_property
    def compiled(self) -> CompiledRouter:
        """The router of all applications with these routes; none is added after the first request."""
        routes = tuple((template, known.get("suffix")) for template, (_, known) in self._resources.items())
        if routes not in self._made:
            made = CompiledRouter()
            for template, (resource, known) in self._resources.items():
                made.add_route(template, resource, **known)
            self._made[routes] = made
        return self._made[routes]


@register_router(SharedRouter)
def inspect_shared_router(router: SharedRouter) -> Any:
    """Describe the routes."""
    return _described(router.compiled)


@cache
def _described(compiled: CompiledRouter) -> Any:
    """Describe the routes once: Falcon looks up in the sources where each responder stands, for most of a second."""
    return inspect_compiled_router(compiled)
