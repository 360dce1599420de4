"""The errors of reading."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType


class ReadingError(Exception):
    """A report that was not read.

    `status` is that of the last response, None without one; `attempts` counts the requests. None of the errors holds
    the key.
    """

    def __init__(self, message: str, *, status: int | None = None, attempts: int = 1) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        self.attempts = attempts


class ReportRefused(ReadingError):
    """The service refuses the request; `fields` has what it says of each parameter, such as the accepted values."""

    def __init__(
        self,
        message: str,
        *,
        status: int | None = None,
        attempts: int = 1,
        fields: Mapping[str, Sequence[str]] = MappingProxyType({}),
    ) -> None:
        super().__init__(message, status=status, attempts=attempts)
        self.fields = fields


class ServiceUnavailable(ReadingError):
    """The service was busy or did not answer, also when it was asked again."""


class UnreadableAnswer(ReadingError):
    """The answer is no report."""
