"""Values of documents that other services wrote, read as texts and numbers."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any
from urllib.parse import SplitResult, urlsplit

from footfall.application.ports.imports import Row, UnreadableRow
from footfall.domain.tracking.acquisition.campaign import UTM_FIELDS, Utm

# The faults of rows that sources of all services have.
UNTIMED = "it has no time"
UNREADABLE = "one of its values is missing or of another kind"
# The measurements of pages as all services name them, and Footfall does.
VITALS = ("lcp", "cls", "inp", "fcp", "ttfb")
# Null as files of PostgreSQL and ClickHouse write it.
NULL = "\\N"
_COUNTRY_LENGTH = 2
_NO_ADDRESS = urlsplit("")


def read_row(place: str, at: int | None, read: Callable[..., Row], *values: Any) -> Row:
    """Return the row that `read` makes of an instant and of values; one that it cannot make is unreadable."""
    if at is None:
        return UnreadableRow(place, UNTIMED)
    try:
        return read(at, *values)
    except (AttributeError, KeyError, TypeError, ValueError, ArithmeticError):
        return UnreadableRow(place, UNREADABLE)


def text_of(document: Mapping[str, Any], name: str) -> str | None:
    """Return a value that is a text, or an id; None where it is absent or empty, or is the null of a text file.

    Raises:
        TypeError: it is of another kind.

    """
    value = document.get(name)
    if value is None or value == "":
        return None
    if isinstance(value, str):
        if value == NULL:
            return None
        # A FixedString of ClickHouse is filled up with NUL.
        return value if value[-1] != "\0" else value.rstrip("\0") or None
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    raise TypeError(name)


def number_of(document: Mapping[str, Any], name: str) -> float | None:
    """Return a number, whether it is one already or is written as text; None where it is absent.

    Raises:
        TypeError: it is of another kind.
        ValueError: the text is no number.

    """
    value = document.get(name)
    if value is None or value in ("", NULL):
        return None
    if isinstance(value, bool):
        raise TypeError(name)
    return float(value)


def same_named(
    document: Mapping[str, Any], texts: Iterable[str], numbers: Iterable[str] = ()
) -> dict[str, Any]:
    """Return the texts and the numbers of a document that a row has under the same names.

    Raises:
        TypeError, ValueError: as for each of them.

    """
    present = {name: text_of(document, name) for name in texts if name in document}
    return present | {name: number_of(document, name) for name in numbers if name in document}


def utm_of(document: Mapping[str, Any]) -> Utm | None:
    """Return the campaign in the columns with the names of its parameters; None without any.

    Raises:
        TypeError: a value is of another kind.

    """
    if not any(map(document.get, UTM_FIELDS)):
        return None
    parts = {name: text_of(document, column) for column, name in UTM_FIELDS.items()}
    return Utm(**parts) if any(parts.values()) else None


def web_address(text: str) -> SplitResult:
    """Return the parts of an address of the web; those of another text are empty."""
    try:
        address = urlsplit(text)
    except ValueError:
        return _NO_ADDRESS
    return address if address.scheme in ("http", "https") else _NO_ADDRESS


def screen_of(text: Any) -> tuple[float | None, float | None]:
    """Return width and height of a screen such as 1920x1080, which a visitor can make up; None for another text."""
    width, _, height = str(text or "").partition("x")
    is_size = all(side.isascii() and side.isdigit() for side in (width, height))
    return (float(width), float(height)) if is_size else (None, None)


def language_of(tag: str | None) -> str | None:
    """Return a tag such as en-us in the letters that browsers use."""
    if not tag:
        return None
    language, *others = tag.split("-")
    return "-".join(
        [language.lower(), *(part.upper() if len(part) == _COUNTRY_LENGTH else part for part in others)]
    )
