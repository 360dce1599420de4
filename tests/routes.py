"""The routes of an application, and the rules that they name."""


def routes(app):
    """All routes of an application as (path, method, resource)."""
    waiting, found = list(app._router._roots), []
    while waiting:
        node = waiting.pop()
        waiting.extend(node.children)
        for method, responder in (node.method_map or {}).items():
            if getattr(responder, "__self__", None) is node.resource and node.resource is not None:
                found.append((node.uri_template, method, node.resource))
    return sorted(found, key=lambda route: route[:2])


def page_routes(app):
    """The routes of the dashboard's pages."""
    return [route for route in routes(app) if _of_the_dashboard(route[2])]


def api_routes(app):
    """The routes of the HTTP interface."""
    return [route for route in routes(app) if not _of_the_dashboard(route[2])]


def _of_the_dashboard(resource):
    return type(resource).__module__.startswith("footfall.adapters.web.")


def rule_of(resource, method):
    return getattr(resource, f"access_{method.lower()}", None)
