"""A handler of the standard library's logging that reports errors."""

import logging
from typing import Any

from footfall.client.background.threaded import BackgroundFootfall
from footfall.client.delivery.driver import OWN_CODE
from footfall.client.event.code_files import code_file
from footfall.client.exceptions.reporting import report, send
from footfall.client.guard import Guard

_OWN = "footfall.client"
_guard = Guard("Reporting a line of the log")


class ErrorHandler(logging.Handler):
    """Reports the exception of a log record, or its message where it has none (docs/errors/python-errors.md)."""

    def __init__(self, client: BackgroundFootfall, level: int | str = logging.ERROR) -> None:
        super().__init__(level)
        self._client = client

    def createLock(self) -> None:  # noqa: N802 - the name of logging
        """Use no lock: threads that log do not wait for each other, and a fork cannot inherit it locked."""
        self.lock = None

    def handle(self, record: logging.LogRecord) -> bool:
        """Report a record that the filters of the handler let through."""
        # From Python 3.12 on a filter may return another record.
        passed: Any = self.filter(record)
        if passed:
            self.emit(passed if isinstance(passed, logging.LogRecord) else record)
        return bool(passed)

    def emit(self, record: logging.LogRecord) -> None:
        """Report a record, unless it is of the client itself."""
        with _guard:
            if OWN_CODE.get() or record.name == _OWN or record.name.startswith(f"{_OWN}."):
                return
            if record.exc_info and record.exc_info[1] is not None:
                report(self._client, record.exc_info[1], was_logged=True)
            elif text := record.getMessage():
                place: dict[str, str | int] = {
                    "fileName": code_file(record.pathname).name,
                    "lineNumber": record.lineno,
                }
                send(self._client, text, place)
