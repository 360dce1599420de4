"""Filters in addresses of the dashboard: a parameter, a type and a value with commas between them."""

from urllib.parse import unquote

from footfall.domain.traffic.dimensions import keyed


def filter_text(parameter: str, kind: str, value: str) -> str:
    """Return a filter as addresses have it: `country,equals,DE`; commas in the key of a parameter are escaped."""
    return f"{_escaped(parameter)},{kind},{value}"


def filter_parts(text: str) -> list[str]:
    """Return the parameter, the type and the value of a filter in an address; fewer parts when it has not all."""
    parameter, *others = text.split(",", 2)
    return [parameter if keyed(parameter) is None else unquote(parameter), *others]


def as_written(text: str) -> str:
    """Return the text of a filter as `filter_text` writes it, which compares it with that of others."""
    parameter, *others = filter_parts(text)
    return ",".join((_escaped(parameter), *others))


def _escaped(parameter: str) -> str:
    return parameter if keyed(parameter) is None else parameter.replace("%", "%25").replace(",", "%2C")
