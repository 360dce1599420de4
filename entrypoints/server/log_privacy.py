"""Logs the kind and the place of a failure, never its text, which can quote values that visitors sent."""

import logging
import traceback
from typing import Any

_MOST_CAUSES = 10


def describe_failure(failure: BaseException) -> str:
    """Return the tracebacks of a failure and of what led to it, each with its kind in place of its message."""
    parts: list[str] = []
    seen: list[BaseException] = []
    current: BaseException | None = failure
    while current is not None and current not in seen and len(seen) < _MOST_CAUSES:
        seen.append(current)
        parts.insert(0, _described(current))
        current = current.__cause__ or (None if current.__suppress_context__ else current.__context__)
    return "\nwhich led to\n".join(parts)


def kind_of(failure: BaseException) -> str:
    """Return the class of a failure, with the SQLSTATE when it is the database's."""
    kind = type(failure)
    code = getattr(failure, "sqlstate", None)
    name = f"{kind.__module__}.{kind.__qualname__}".removeprefix("builtins.")
    return f"{name} (SQLSTATE {code})" if code else name


class WithoutPayload(logging.Filter):
    """Takes out of records what exceptions say: their texts quote rows, names and values that were sent."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Leave the kind of each exception where its text was; let every record pass."""
        if isinstance(record.msg, BaseException):
            record.msg, record.args = kind_of(record.msg), None
        if isinstance(record.args, tuple):
            record.args = tuple(_argument(value) for value in record.args)
        if record.name == "asyncio":
            # The lines below the first one show tasks and futures with the texts of their exceptions.
            record.msg, record.args = record.getMessage().partition("\n")[0], None
        if record.exc_info and record.exc_info[1] is not None:
            # Formatters use an existing text and would otherwise make one from the exception.
            record.exc_text, record.exc_info = describe_failure(record.exc_info[1]), None
        return True


def _argument(value: Any) -> Any:
    return kind_of(value) if isinstance(value, BaseException) else value


def _described(failure: BaseException) -> str:
    frames = "".join(traceback.format_tb(failure.__traceback__))
    inner = failure.exceptions if isinstance(failure, BaseExceptionGroup) else ()
    described = "".join(f"\n  with {kind_of(cause)}" for cause in inner[:_MOST_CAUSES])
    return f"Traceback (most recent call last):\n{frames}{kind_of(failure)}{described}"
