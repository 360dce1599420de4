"""The server: gunicorn with its own ASGI worker, one application for each worker process."""

import gc
from collections.abc import Callable
from typing import Any

from gunicorn.app.base import BaseApplication

from footfall.adapters.http.express import Front
from footfall.adapters.prometheus import Regions, Share
from footfall.entrypoints.settings import Settings
from footfall.entrypoints.worker import Worker, listen_to_the_master

# Answering what is in flight and draining the intake must fit in here; `serve` promises to end within 10 seconds.
GRACEFUL_SECONDS = 6
KEEP_ALIVE_SECONDS = 5
# Filters are part of the address, and so is the longest message of an error, with every one of its bytes escaped.
REQUEST_LINE = 112 * 1024
PARSING = {
    "limit_request_line": REQUEST_LINE,
    # gunicorn's parser in C looks at a limit when what it limits has come, and takes lines, lengths and chunks that are
    # none. Events that come as a whole need neither of the two parsers (`ShortWay`).
    "http_parser": "python",
}


class Server(BaseApplication):
    """One listening socket, several workers."""

    def __init__(
        self, settings: Settings, build: Callable[[Share], Front], *, when_ready: Callable[[], None]
    ) -> None:
        self._settings = settings
        self._build = build
        # Before the fork, so that all workers have the same memory; a reload has twice as many for a moment.
        self._regions = Regions(2 * settings.workers + 2)
        self._share = Share.alone()
        self._when_ready = when_ready
        super().__init__()  # type: ignore[no-untyped-call]

    def load_config(self) -> None:
        """Give gunicorn its configuration."""
        configuration: Any = self.cfg
        for name, value in self._configuration().items():
            configuration.set(name, value)

    def load(self) -> Front:
        """Build the application, in the worker, after the fork."""
        return self._build(self._share)

    def _configuration(self) -> dict[str, Any]:
        host = f"[{self._settings.host}]" if ":" in self._settings.host else self._settings.host
        return {
            "bind": f"{host}:{self._settings.port}",
            "workers": self._settings.workers,
            "worker_class": Worker,
            "asgi_lifespan": "on",
            "graceful_timeout": GRACEFUL_SECONDS,
            "keepalive": KEEP_ALIVE_SECONDS,
            **PARSING,
            "timeout": 30,
            "loglevel": self._settings.log_level,
            "accesslog": None,
            "errorlog": "-",
            # Signals are how a service is told things; the socket would be one for the whole user, in their home.
            "control_socket_disable": True,
            "proc_name": "footfall",
            "post_worker_init": lambda _worker: _settle_memory(),
            "when_ready": lambda _arbiter: self._when_ready(),
            "pre_fork": self._before_fork,
            "post_fork": self._after_fork,
            "child_exit": self._after_exit,
            # Logging is configured once, for the whole program.
            "logger_class": "footfall.entrypoints.logs.PassOnLogger",
        }

    def _before_fork(self, _arbiter: Any, worker: Any) -> None:
        worker.footfall_region = self._regions.take()

    def _after_fork(self, arbiter: Any, worker: Any) -> None:
        listen_to_the_master(arbiter.SIG_QUEUE)
        self._share = self._regions.share(worker.footfall_region)

    def _after_exit(self, _arbiter: Any, worker: Any) -> None:
        self._regions.give_back(worker.footfall_region)


def _settle_memory() -> None:
    # What was imported lives as long as the process: the collector need not walk it again and again. Requests make
    # hardly any cycles; at the usual threshold collections cost 3 % of a busy worker.
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
