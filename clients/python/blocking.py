"""The client that waits for each acknowledgement."""

import threading
from concurrent.futures import wait
from types import TracebackType
from typing import Self, Unpack

from footfall.client.delivery.attempts import SINGLE, deliver
from footfall.client.delivery.call_ledger import CallLedger, Stats
from footfall.client.delivery.calls import Build, Calls, no_stamp
from footfall.client.delivery.driver import run
from footfall.client.delivery.tracking_methods import TrackingMethods
from footfall.client.delivery.transport import Transport
from footfall.client.forks import on_fork
from footfall.client.options import Options, Settings
from footfall.client.receipt import Receipt


class Footfall(TrackingMethods[Receipt]):
    """Sends each event at once and returns when the service acknowledges it; threads may share it.

    A method raises a FootfallError when the service does not acknowledge its event. `Options` lists the options
    (docs/track/servers.md#options).

    Raises:
        ValueError: an option is invalid; the message names it.
        TypeError: an option is missing or does not exist; the message names it.

    """

    def __init__(
        self, analytics_host: str, site_id: str | int, api_key: str, **options: Unpack[Options]
    ) -> None:
        self._settings = Settings(analytics_host=analytics_host, site_id=site_id, api_key=api_key, **options)
        self._open()
        on_fork(self, Footfall._open)

    def _open(self) -> None:
        self._ledger = CallLedger(self._settings.on_error)
        self._calls = Calls(self._settings, self._ledger, no_stamp)
        self._transport = Transport(self._settings)
        self._stopped = threading.Event()

    def flush(self) -> None:
        """Wait for the calls of other threads."""
        wait([call.future for call in self._ledger.open])

    def close(self, timeout: float = 30.0) -> None:
        """Refuse further calls, and wait at most `timeout` seconds for those of other threads."""
        self._calls.closed = True
        late = wait([call.future for call in self._ledger.open], timeout).not_done
        self._stopped.set()
        self._ledger.abandon("The client was closed")
        if not late:
            self._transport.close()

    @property
    def stats(self) -> Stats:
        """The counts of the calls so far, by result."""
        return self._ledger.stats

    def _track(self, build: Build) -> Receipt:
        call = self._calls.open(build)
        try:
            if not call.future.done():
                delivery = deliver([call], SINGLE, self._settings)
                run(delivery, self._transport.send, lambda delay: not self._stopped.wait(delay))
        except BaseException:
            call.abandon("The call was interrupted")
            raise
        return call.future.result()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()
