"""Values of Matomo's rows, which come as bytes."""

from footfall.adapters.sources.reading.mysql import Values
from footfall.domain.number import MOST_EXACT

# As PHP writes texts for HTML, the ampersand last.
_ESCAPES = (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&#039;", "'"), ("&#39;", "'"), ("&amp;", "&"))


def text_in(values: Values, column: str) -> str | None:
    """Return a text, with a mark in the place of each byte that is not in UTF-8; None where it is absent or empty."""
    value = values.get(column)
    return value.decode("utf-8", "replace") or None if value else None


def plain_in(values: Values, column: str) -> str | None:
    """Return a text that is kept as it stands in HTML."""
    text = text_in(values, column)
    return unescaped(text) if text else None


def unescaped(text: str) -> str:
    """Return a text without the escapes of HTML."""
    if "&" in text:
        for escape, sign in _ESCAPES:
            text = text.replace(escape, sign)
    return text


def number_in(values: Values, column: str) -> float | int | None:
    """Return a number, a whole one as an integer; None where it is absent.

    Raises:
        ValueError: it is none.

    """
    value = values.get(column)
    if value is None or value == b"":
        return None
    # Numbers of Matomo are doubles.
    number = float(value)
    return int(number) if number.is_integer() and abs(number) < MOST_EXACT else number
