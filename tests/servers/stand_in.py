"""What stand-ins for the service have in common: a server on a port of its own, until a block ends."""

import threading
from contextlib import ExitStack
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from attrs import define, field

from tests.servers.threads import served


class Handler(BaseHTTPRequestHandler):
    """Answers requests to a stand-in, which is `self.server.stand_in`."""

    protocol_version = "HTTP/1.1"
    # A piece is sent when it is written.
    disable_nagle_algorithm = True

    def log_message(self, *_):
        """Say nothing."""


@define(slots=False)
class StandIn:
    """Answers by its `handler`; `released` is set at the end of the block, for requests that get no answer."""

    handler = Handler
    released: threading.Event = field(factory=threading.Event, init=False)
    url: str = field(default="", init=False)

    def __enter__(self):
        http = ThreadingHTTPServer(("127.0.0.1", 0), self.handler)
        http.stand_in = self
        self.url = f"http://127.0.0.1:{http.server_port}/api"
        self._serving = ExitStack()
        self._serving.enter_context(served(http))
        return self

    def __exit__(self, *_):
        self.released.set()
        self._serving.close()
