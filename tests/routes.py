"""The routes of an application, and the rules that they name."""

import sys
from functools import cache

from falcon.inspect import inspect_routes

from footfall.adapters.http.app import endpoints
from footfall.adapters.http.resources.endpoint import Resource


def routes(app):
    """All routes of an application as (path, method, class of the resource, or endpoint)."""
    found = [
        (
            route.path.replace(":path}", "}"),
            one.method,
            _endpoint(route, one.method),
        )
        for route in inspect_routes(app)
        for one in route.methods
        if not one.internal
    ]
    return sorted(found, key=lambda route: route[:2])


def page_routes(app):
    """The routes of the dashboard's pages."""
    return [route for route in routes(app) if _of_the_dashboard(route[2])]


def api_routes(app):
    """The routes of the HTTP interface."""
    return [route for route in routes(app) if not _of_the_dashboard(route[2])]


def rule_of(resource, method):
    return getattr(resource, "access", None) or getattr(resource, f"access_{method.lower()}", None)


def _of_the_dashboard(resource):
    return resource.__module__.startswith("footfall.adapters.web.")


def _endpoint(route, method):
    resource = _resource(route.source_info.rpartition(":")[0], route.class_name)
    return endpoints()[route.path][method] if resource is Resource else resource


@cache
def _resource(file, name):
    [found] = {
        getattr(module, name)
        for module in list(sys.modules.values())
        if getattr(module, "__file__", None) == file and hasattr(module, name)
    }
    return found
