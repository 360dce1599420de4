"""Occurrences: reported exceptions and their places in the code (docs/errors.md)."""

from collections.abc import Mapping
from typing import Any

from attrs import evolve, frozen

from footfall.domain.error_tracking.stack_trace import MAX_NUMBER, Frame, first_frame, frames, whole_number
from footfall.domain.tracking.hit import Hit, RecordedHit
from footfall.domain.traffic.session import Session

# The spelling of the HTTP interface first, then those of published browser scripts.
_FILE_NAMES = ("fileName", "filename")
_LINE_NUMBERS = ("lineNumber", "lineno", "line_number")
_COLUMN_NUMBERS = ("columnNumber", "colno", "column_number")


@frozen
class ErrorDetails:
    """The known properties of a reported exception; absent ones are None."""

    message: str = ""
    stack: str | None = None
    file_name: str | None = None
    line_number: int | None = None
    column_number: int | None = None


@frozen
class Occurrence:
    """A reported exception: position in the log, hit, session, user and details."""

    position: int
    hit: Hit
    session_id: int
    user_id: str
    details: ErrorDetails


def occurrence(recorded: RecordedHit, session: Session) -> Occurrence:
    """Return a reported exception as an occurrence with the user of its session."""
    details = error_details(recorded.hit.properties or {})
    return Occurrence(recorded.position, recorded.hit, session.session_id, session.user_id, details)


def error_message(hit: Hit) -> str:
    """Return the message of a reported exception, by which exceptions are grouped; empty if absent."""
    return _text(hit.properties or {}, ("message",)) or ""


def error_details(properties: Mapping[str, Any]) -> ErrorDetails:
    """Return the details that the properties give, under any of the spellings in use.

    A missing file, line or column comes from the stack: from the first frame of the given file, which may be named by
    the end of its path, or without a given file from the first frame. A frame that contradicts a given line or column
    is not used.
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
    stack, message = given.stack or "", given.message
    if given.file_name is None:
        frame = first_frame(stack, message=message)
        frame = frame if frame and _agrees(frame, given) else None
    else:
        mine = (one for one in frames(stack, message=message) if one.is_in(given.file_name))
        frame = next((one for one in mine if _agrees(one, given)), None)
    if frame is None:
        return given
    return evolve(
        given,
        file_name=given.file_name or frame.file_name,
        line_number=frame.line_number,
        column_number=frame.column_number if given.column_number is None else given.column_number,
    )


def _agrees(frame: Frame, given: ErrorDetails) -> bool:
    return given.line_number in (None, frame.line_number) and given.column_number in (
        None,
        frame.column_number,
    )


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
