"""The server: gunicorn with its own ASGI worker, one application for each worker process."""

import gc
import signal
import sys
from collections.abc import Callable
from typing import Any, Protocol

from gunicorn.app.base import BaseApplication

from footfall.entrypoints.settings import Settings

# `serve` promises to end within 10 seconds: the master waits this long for its workers.
GRACEFUL_SECONDS = 6
# A worker that is told to end waits this long for its connections; then it drains the intake and writes its counts.
CONNECTION_SECONDS = 3
KEEP_ALIVE_SECONDS = 5
# More than the application takes, which refuses longer addresses in its own form.
LONGEST_REQUEST_LINE = 224 * 1024
HTTP = {
    # By name: with the parser in C, which gunicorn would take where it is installed, a request with more than 64 KiB
    # behind another one gets no answer.
    "http_parser": "python",
    "limit_request_line": LONGEST_REQUEST_LINE,
    # gunicorn takes 30 seconds without a byte of an announced body for its end.
    "timeout": 30,
    "keepalive": KEEP_ALIVE_SECONDS,
}
# A connection lives 3 seconds longer than its socket, and its parts are a cycle: with the thresholds of commands, which
# keep two million objects between collections, connections that come and go would take 200 MB of each worker.
COLLECTIONS = (5_000, 5, 5)
_ENDINGS = (signal.SIGTERM, signal.SIGINT, signal.SIGQUIT)


Application = Callable[..., Any]


class MetricsRegions(Protocol):
    """Shared memory for metrics, a region for each worker."""

    def acquire(self) -> int | None:
        """Return the number of a free region; None when all are in use."""

    def release(self, number: int | None) -> None:
        """Free the region of an ended worker."""

    def worker_metrics(self, number: int | None) -> Any:
        """Return the metrics of the worker with this region; None stands for memory of its own."""


class Server(BaseApplication):
    """One listening socket, several workers."""

    def __init__(
        self,
        settings: Settings,
        build: Callable[[Any], Application],
        regions: MetricsRegions,
        *,
        when_ready: Callable[[], None],
    ) -> None:
        self._settings = settings
        self._build = build
        # Made before the fork, so that all workers have the same memory.
        self._regions = regions
        self._worker_metrics = regions.worker_metrics(None)
        self._when_ready = when_ready
        super().__init__()  # type: ignore[no-untyped-call]

    def load_config(self) -> None:
        """Give gunicorn its configuration."""
        configuration: Any = self.cfg
        for name, value in self._configuration().items():
            configuration.set(name, value)

    def load(self) -> Application:
        """Build the application, in the worker, after the fork."""
        _end_at_once_when_told()
        return self._build(self._worker_metrics)

    def _configuration(self) -> dict[str, Any]:
        host = f"[{self._settings.host}]" if ":" in self._settings.host else self._settings.host
        return {
            "bind": f"{host}:{self._settings.port}",
            "workers": self._settings.workers,
            "worker_class": "asgi",
            "asgi_loop": "uvloop",
            "asgi_lifespan": "on",
            "graceful_timeout": GRACEFUL_SECONDS,
            **HTTP,
            "loglevel": self._settings.log_level,
            "accesslog": None,
            "errorlog": "-",
            # The service is controlled by signals; the socket would be one for all services of a user.
            "control_socket_disable": True,
            "proc_name": "footfall",
            "post_worker_init": _ready_to_run,
            "when_ready": lambda _arbiter: self._when_ready(),
            "pre_fork": self._before_fork,
            "post_fork": self._after_fork,
            "child_exit": self._after_exit,
            # Logging is configured once, for the whole program.
            "logger_class": "footfall.entrypoints.server.logs.PassOnLogger",
        }

    def _before_fork(self, _arbiter: Any, worker: Any) -> None:
        worker.footfall_region = self._regions.acquire()

    def _after_fork(self, _arbiter: Any, worker: Any) -> None:
        _end_at_once_when_told()
        # The limit of this process only: the master waits longer.
        worker.cfg.set("graceful_timeout", CONNECTION_SECONDS)
        self._worker_metrics = self._regions.worker_metrics(worker.footfall_region)

    def _after_exit(self, _arbiter: Any, worker: Any) -> None:
        self._regions.release(worker.footfall_region)


def _end_at_once_when_told() -> None:
    # A process that was just forked has the master's handlers, and uvloop's are deaf until the loop runs: without this
    # a worker that is told to end while it starts would go on until the master kills it.
    for number in _ENDINGS:
        signal.signal(number, _end_at_once)


def _end_at_once(*_: object) -> None:
    # A terminal and the master may both say so: the second time must not interrupt what ends the process.
    for number in _ENDINGS:
        signal.signal(number, signal.SIG_IGN)
    sys.exit(0)


def _ready_to_run(worker: Any) -> None:
    for number in _ENDINGS:
        # SIGINT and SIGQUIT end a worker as cleanly as SIGTERM: gunicorn would drop the requests in flight.
        worker.loop.add_signal_handler(number, worker.handle_exit_signal)
        signal.signal(number, lambda *_: worker.handle_exit_signal())
    _settle_memory()


def _settle_memory() -> None:
    # Imported objects live as long as the process, so the collector skips them.
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECTIONS)
