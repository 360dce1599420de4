"""Footfall: self-hosted web analytics with an event-sourced core."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from footfall.client.reading import read

__version__ = "1.0.0"
__all__ = ["__version__", "read"]


def __getattr__(name: str) -> Any:
    # Reading needs packages that the service and the domain library do without.
    if name == "read":
        from footfall.client.reading import read as found  # noqa: PLC0415 - only when it is asked for

        return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
