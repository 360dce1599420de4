"""The way from a site to the adapters of its cell."""

from collections.abc import Callable
from typing import Any

from attrs import frozen


@frozen
class Routed:
    """Stands for the adapters of one port in all cells: a call goes to that of the site that is its first argument.

    Every method of such a port names the site first; tests/unit/cells compares them.
    """

    _of: Callable[[int], Any]

    def __getattr__(self, name: str) -> Callable[..., Any]:
        """Return a method that finds its adapter when it is called.

        Raises:
            CellAway: the call is about a site whose cell is not configured.

        """
        if name.startswith("_"):
            raise AttributeError(name)

        def call(site_id: int, *values: Any, **named: Any) -> Any:
            return getattr(self._of(site_id), name)(site_id, *values, **named)

        return call
