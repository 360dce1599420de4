"""The client that waits for each acknowledgement."""

import threading
from concurrent.futures import wait
from types import TracebackType
from typing import Self, Unpack

from footfall.client.calls import Calls, no_stamp
from footfall.client.delivery import SINGLE, deliver
from footfall.client.driver import run
from footfall.client.entry import Entry
from footfall.client.forks import on_fork
from footfall.client.ledger import Ledger, Stats
from footfall.client.options import Options, Settings
from footfall.client.payload import Payload, Properties
from footfall.client.receipt import Receipt
from footfall.client.transport import Transport


class Footfall:
    """Sends each event at once and returns when the service acknowledged it; may be shared by threads.

    The options are those of the interface, section 4.6, and of `Options`.

    Raises:
        ValueError: an option is invalid; the message names it.
        TypeError: an option is missing or does not exist; the message names it.

    """

    def __init__(
        self, analytics_host: str, site_id: str | int, api_key: str, **options: Unpack[Options]
    ) -> None:
        self._settings = Settings(analytics_host=analytics_host, site_id=site_id, api_key=api_key, **options)
        self._open()
        on_fork(self._open)

    def _open(self) -> None:
        self._ledger = Ledger(self._settings.on_error)
        self._calls = Calls(self._settings, self._ledger, no_stamp)
        self._transport = Transport(self._settings)
        self._stopped = threading.Event()

    def pageview(self, payload: Payload | None = None) -> Receipt:
        """Send a pageview.

        Raises:
            FootfallError: it was not acknowledged.

        """
        return self._send(self._calls.pageview(payload))

    def event(
        self, event_name: str, payload: Payload | None = None, properties: Properties | None = None
    ) -> Receipt:
        """Send a custom event.

        Raises:
            FootfallError: it was not acknowledged.

        """
        return self._send(self._calls.event(event_name, payload, properties))

    def flush(self) -> None:
        """Wait for the calls that other threads have under way."""
        wait([entry.future for entry in self._ledger.open])

    def close(self, timeout: float = 30.0) -> None:
        """Take no more calls, and wait for those of other threads for at most `timeout` seconds."""
        self._calls.closed = True
        late = wait([entry.future for entry in self._ledger.open], timeout).not_done
        self._stopped.set()
        self._ledger.abandon("The client was closed")
        if not late:
            self._transport.close()

    @property
    def stats(self) -> Stats:
        """What became of the calls so far."""
        return self._ledger.stats

    def _send(self, entry: Entry) -> Receipt:
        try:
            if not entry.future.done():
                delivery = deliver([entry], SINGLE, self._settings)
                run(delivery, self._transport.send, lambda delay: not self._stopped.wait(delay))
        except BaseException:
            entry.abandon("The call was interrupted")
            raise
        return entry.future.result()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()
