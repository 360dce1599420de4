"""Query strings: what is stored of them, and their parameters (docs/read/dimensions.md#query-parameters)."""

from collections.abc import Collection, Iterator
from urllib.parse import unquote

from footfall.domain.tracking.acquisition.campaign import utm_part
from footfall.domain.tracking.own_visits import query_without_mark


def stored_query(querystring: str | None, *, kept: bool, only_campaign: bool) -> str | None:
    """Return what a site stores of a query string: never the mark of own visits; None for nothing.

    `kept` and `only_campaign` are settings of the site: all of it, or the parameters of campaigns alone.
    """
    if not querystring or not kept:
        return None
    return utm_part(querystring) if only_campaign else query_without_mark(querystring) or None


def query_parameter(querystring: str | None, name: str) -> str | None:
    """Return the first value of a parameter, decoded; None when the query string has no such parameter.

    The value of one without a `=` is the empty text.
    """
    return next(
        (_decoded(value) for written, value in _pairs(querystring) if _decoded(written) == name), None
    )


def parameter_names(querystring: str | None) -> Collection[str]:
    """Return the names of the parameters of a query string, decoded."""
    return {_decoded(written) for written, _ in _pairs(querystring)}


def _pairs(querystring: str | None) -> Iterator[tuple[str, str]]:
    for pair in (querystring or "").removeprefix("?").split("&"):
        written, _, value = pair.partition("=")
        # `&&` names no parameter.
        if written:
            yield written, value


def _decoded(text: str) -> str:
    """Return a text without its escapes, or as it is written where they stand for no text that can be stored."""
    try:
        decoded = unquote(text.replace("+", " "), errors="strict")
    except UnicodeDecodeError:
        return text
    return text if "\0" in decoded else decoded
