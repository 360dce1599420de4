"""Additional names for the script and the endpoint, chosen by the operator, that no list of an ad blocker has."""

from collections.abc import Awaitable, Mapping

from attrs import frozen

from footfall.adapters.http.wire.body_limits import Application, Event, Receive, Send


@frozen
class Renamed:
    """An ASGI application whose paths, and all paths below them, have additional names."""

    _application: Application
    _names: Mapping[str, str]

    def __call__(self, scope: Event, receive: Receive, send: Send) -> Awaitable[None]:
        """Pass the request on under the original name of its path."""
        if scope["type"] == "http":
            scope = self._own(scope)
        return self._application(scope, receive, send)

    def _own(self, scope: Event) -> Event:
        path: str = scope["path"]
        for name, own in self._names.items():
            if path == name or path.startswith(f"{name}/"):
                renamed = own + path[len(name) :]
                return {**scope, "path": renamed, "raw_path": renamed.encode()}
        return scope
