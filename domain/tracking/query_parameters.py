"""The parameters of query strings (docs/dimensions.md#query-parameters)."""

from urllib.parse import unquote


def query_parameter(querystring: str | None, name: str) -> str | None:
    """Return the first value of a parameter, decoded; None when the query string has no such parameter.

    The value of one without a `=` is the empty text.
    """
    if not querystring:
        return None
    for pair in querystring.removeprefix("?").split("&"):
        written, _, value = pair.partition("=")
        # `&&` names no parameter.
        if written and _decoded(written) == name:
            return _decoded(value)
    return None


def _decoded(text: str) -> str:
    """Return a text without its escapes, or as it is written where they stand for no text that can be stored."""
    try:
        decoded = unquote(text.replace("+", " "), errors="strict")
    except UnicodeDecodeError:
        return text
    return text if "\0" in decoded else decoded
