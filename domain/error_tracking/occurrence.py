"""Occurrences: reported exceptions and their places in the code (docs/errors/errors.md)."""

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
class Occurrence(RecordedHit):
    """A reported exception: a recorded hit with its session, user and details."""

    session_id: int
    user_id: str
    details: ErrorDetails


def occurrence_of(recorded: RecordedHit, session: Session) -> Occurrence:
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
    details = ErrorDetails(
        message=_text(properties, ("message",)) or "",
        stack=_text(properties, ("stack",)),
        file_name=_text(properties, _FILE_NAMES),
        line_number=_number(properties, _LINE_NUMBERS),
        column_number=_number(properties, _COLUMN_NUMBERS),
    )
    return details if None not in _place(details) else _completed(details)


def _completed(details: ErrorDetails) -> ErrorDetails:
    stack, message = details.stack or "", details.message
    if details.file_name is None:
        frame = first_frame(stack, message=message)
        frame = frame if frame and _agrees(frame, details) else None
    else:
        candidates = frames(stack, message=message)
        mine = (candidate for candidate in candidates if candidate.is_in(details.file_name))
        frame = next((candidate for candidate in mine if _agrees(candidate, details)), None)
    if frame is None:
        return details
    return evolve(
        details,
        file_name=details.file_name or frame.file_name,
        line_number=frame.line_number,
        column_number=frame.column_number if details.column_number is None else details.column_number,
    )


def _agrees(frame: Frame, details: ErrorDetails) -> bool:
    return details.line_number in (None, frame.line_number) and details.column_number in (
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
