"""JSON bodies of reports of errors (docs/errors/errors.md)."""

from collections.abc import Mapping
from typing import Any

from footfall.domain.error_tracking.occurrence import Occurrence
from footfall.domain.exceptions import Invalid
from footfall.domain.periods.instant_text import instant_text
from footfall.domain.text import text_fault
from footfall.domain.traffic.session import session_text

MAX_MESSAGE = 8_192


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


def occurrence_body(occurrence: Occurrence) -> dict[str, Any]:
    """Return one occurrence; an unknown number is null."""
    hit, details = occurrence.hit, occurrence.details
    return {
        "timestamp": instant_text(hit.occurred_at),
        "session_id": session_text(occurrence.session_id),
        "user_id": occurrence.user_id,
        "pathname": hit.pathname or "",
        "hostname": hit.hostname or "",
        "browser": hit.browser or "",
        "browser_version": hit.browser_version or "",
        "operating_system": hit.operating_system or "",
        "device_type": hit.device_type.value,
        "country": hit.country or "",
        "message": details.message,
        "stack": details.stack or "",
        "fileName": details.file_name or "",
        "lineNumber": details.line_number,
        "columnNumber": details.column_number,
    }
