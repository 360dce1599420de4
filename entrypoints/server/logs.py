"""Logs: one line an entry, on standard error, as text or as JSON."""

import logging
import sys
from typing import Any

from gunicorn.glogging import Logger
from pythonjsonlogger.json import JsonFormatter

from footfall.entrypoints.log_fields import JobFields
from footfall.entrypoints.server.log_privacy import WithoutPayload
from footfall.entrypoints.settings import Settings

_STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


class TextFormatter(logging.Formatter):
    """The message with its extra fields behind it, for people."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)-7s %(name)s: %(message)s", "%H:%M:%S")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - the name is logging's
        """Return the line with `name=value` for each extra field."""
        extra = {name: value for name, value in vars(record).items() if name not in _STANDARD}
        fields = "".join(f" {name}={value}" for name, value in extra.items())
        return super().formatMessage(record) + fields


class PassOnLogger(Logger):
    """Gunicorn's log without handlers of its own: its entries go where all others go."""

    def setup(self, cfg: Any) -> None:
        """Let the entries pass on to the root logger; the workers' comings and goings are for debugging."""
        self.error_log = logging.getLogger("gunicorn.error")
        self.access_log = logging.getLogger("gunicorn.access")
        self.error_log.propagate = True
        # Never its debugging lines: they name the path of each request, and the path of a sign-in holds a secret.
        self.error_log.setLevel(logging.INFO if cfg.loglevel == "debug" else logging.WARNING)
        self.access_log.disabled = True

    @property
    def access_log_enabled(self) -> bool:
        """Never: requests are logged by the application, which knows what may be named."""
        return False

    def reopen_files(self) -> None:
        """Do nothing: there are no files."""

    def close_on_exec(self) -> None:
        """Do nothing: there are no files."""


def configure_logs(settings: Settings) -> None:
    """Send the logs of the whole program to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_formatter(settings.log_format))
    handler.addFilter(WithoutPayload())
    handler.addFilter(JobFields())
    handler.addFilter(_is_no_request)
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(settings.log_level.upper())
    # The caller logs a lost connection; the pool's own lines can name the database.
    logging.getLogger("psycopg.pool").setLevel(logging.CRITICAL)


def _is_no_request(record: logging.LogRecord) -> bool:
    """Return whether a line is not one about a request to another server, whose address can be a secret."""
    return record.levelno >= logging.WARNING or record.name.partition(".")[0] not in ("httpx2", "httpcore2")


def _formatter(log_format: str) -> logging.Formatter:
    if log_format == "text":
        return TextFormatter()
    return JsonFormatter(
        "%(asctime)s %(levelname)s %(name)s %(message)s",
        rename_fields={"asctime": "time", "levelname": "level", "name": "logger"},
    )
