"""The statuses of a cause of errors (docs/errors/error-groups.md#status)."""

from enum import StrEnum

from footfall.domain.exceptions import Invalid


class ErrorStatus(StrEnum):
    """The status of a group of errors, and of each message whose cause it is."""

    OPEN = "open"
    RESOLVED = "resolved"
    REGRESSED = "regressed"
    MUTED = "muted"


def parse_status(text: str | None) -> ErrorStatus | None:
    """Return the status that a request asks for; None without one.

    Raises:
        Invalid: there is no such status; the error names `status`.

    """
    if text is not None and text not in set(ErrorStatus):
        raise Invalid({"status": [f"must be one of {', '.join(ErrorStatus)}"]})
    return None if text is None else ErrorStatus(text)
