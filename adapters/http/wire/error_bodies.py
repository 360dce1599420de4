"""JSON bodies of reports of errors (docs/errors/errors.md)."""

from collections.abc import Iterable, Mapping
from typing import Any

from footfall.adapters.http.wire.report_bodies import records
from footfall.application.reports.catalogue.errors import OCCURRENCE
from footfall.domain.error_tracking.occurrence import Occurrence
from footfall.domain.exceptions import Invalid
from footfall.domain.text import text_fault

MAX_MESSAGE = 8_192
_NUMBERS = ("lineNumber", "columnNumber")


def error_message(values: Mapping[str, Any]) -> str:
    """Return the message that a request is about.

    Raises:
        Invalid: it is missing, or too long for an error; the fault names `errorMessage`.

    """
    message = values.get("errorMessage")
    if not isinstance(message, str) or not message:
        raise Invalid({"errorMessage": [f"is required: the text of 1 to {MAX_MESSAGE:,} characters"]})
    if fault := text_fault(message, maximum=MAX_MESSAGE):
        raise Invalid({"errorMessage": [fault]})
    return message


def error_message_or_none(values: Mapping[str, Any]) -> str | None:
    """Return the message that a request is about; None when it is about all errors.

    Raises:
        Invalid: it is too long for an error; the fault names `errorMessage`.

    """
    return error_message(values) if "errorMessage" in values else None


def occurrence_bodies(occurrences: Iterable[Occurrence]) -> list[dict[str, Any]]:
    """Return occurrences; an unknown number is null."""
    return [
        {name: "" if value is None and name not in _NUMBERS else value for name, value in row.items()}
        for row in records(OCCURRENCE, occurrences)
    ]
