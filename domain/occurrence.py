"""An occurrence: one reported exception, with where it arose (interface, section 2.7)."""

from collections.abc import Mapping
from typing import Any

from attrs import evolve, frozen

from footfall.domain.hit import Hit, RecordedHit
from footfall.domain.session import Session
from footfall.domain.stack import MAX_NUMBER, first_frame, whole_number

# The spelling of the interface first, then those of published browser scripts.
_FILE_NAMES = ("fileName", "filename")
_LINE_NUMBERS = ("lineNumber", "lineno", "line_number")
_COLUMN_NUMBERS = ("columnNumber", "colno", "column_number")


@frozen
class ErrorDetails:
    """What the properties of a reported exception say; None is what they do not."""

    message: str = ""
    stack: str | None = None
    file_name: str | None = None
    line_number: int | None = None
    column_number: int | None = None


@frozen
class Occurrence:
    """A reported exception: its place in the log, the hit, the session it belongs to, and its details."""

    position: int
    hit: Hit
    session_id: int
    user_id: str
    details: ErrorDetails


def occurrence(recorded: RecordedHit, session: Session) -> Occurrence:
    """Return a reported exception as an occurrence; its user is the session's."""
    details = error_details(recorded.hit.properties or {})
    return Occurrence(recorded.position, recorded.hit, session.session_id, session.user_id, details)


def error_message(hit: Hit) -> str:
    """Return the message of a reported exception, by which exceptions are grouped; empty when there is none."""
    return _text(hit.properties or {}, ("message",)) or ""


def error_details(properties: Mapping[str, Any]) -> ErrorDetails:
    """Return what the properties say, under any of the spellings in use.

    What is missing of file, line and column is taken from the first frame of the stack, provided that the
    frame does not contradict what is there.
    """
    given = ErrorDetails(
        message=_text(properties, ("message",)) or "",
        stack=_text(properties, ("stack",)),
        file_name=_text(properties, _FILE_NAMES),
        line_number=_number(properties, _LINE_NUMBERS),
        column_number=_number(properties, _COLUMN_NUMBERS),
    )
    return given if None not in _place(given) else _completed(given)


def _completed(given: ErrorDetails) -> ErrorDetails:
    frame = first_frame(given.stack or "", message=given.message)
    if frame is None:
        return given
    found = (frame.file_name, frame.line_number, frame.column_number)
    if any(mine not in (None, its) for mine, its in zip(_place(given), found, strict=True)):
        return given
    file_name, line_number, column_number = found
    return evolve(given, file_name=file_name, line_number=line_number, column_number=column_number)


def _place(details: ErrorDetails) -> tuple[str | None, int | None, int | None]:
    return details.file_name, details.line_number, details.column_number


def _text(properties: Mapping[str, Any], names: tuple[str, ...]) -> str | None:
    values = (properties.get(name) for name in names)
    return next((value for value in values if isinstance(value, str) and value), None)


def _number(properties: Mapping[str, Any], names: tuple[str, ...]) -> int | None:
    values = (_whole(properties.get(name)) for name in names)
    return next((value for value in values if value is not None), None)


def _whole(value: Any) -> int | None:
    match value:
        case bool():
            return None
        case str():
            return whole_number(value)
        case int() if 0 <= value <= MAX_NUMBER:
            return value
        case float() if 0 <= value <= MAX_NUMBER and value.is_integer():
            return int(value)
        case _:
            return None
