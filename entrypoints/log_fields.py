"""Fields that every line of a job names, whichever part logs it: a job of a cell names the cell."""

import logging
from collections.abc import Mapping
from contextvars import ContextVar
from types import MappingProxyType

FIELDS: ContextVar[Mapping[str, str]] = ContextVar("footfall_log_fields", default=MappingProxyType({}))


class JobFields(logging.Filter):
    """Adds the fields of the job that logs a line, unless the line has them."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Let every line pass."""
        for name, value in FIELDS.get().items():
            if not hasattr(record, name):
                setattr(record, name, value)
        return True
