"""A real HTTP receiver in a process of its own, which answers as a test tells it to.

`python tests/servers/receiver.py '{"port": 8080, …}'` prints a line for each request.
"""

import json
import random
import ssl
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

READY = "ready"


class Receiver:
    """The running receiver: its port, and the requests that it got, with what it answered."""

    def __init__(self, process, port):
        self.process, self.port = process, port
        self.requests = []
        self.ready = threading.Event()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    @property
    def accepted(self):
        """The requests that were answered with success."""
        return [one for one in list(self.requests) if one["status"] == 200]

    def _read(self):
        for line in self.process.stdout:
            if line.strip() == READY:
                self.ready.set()
            else:
                self.requests.append(json.loads(line))

    def stop(self):
        self.process.kill()
        self.process.wait()
        self._reader.join()
        self.process.stdout.close()


@contextmanager
def receiver(port, **options):
    """Run a receiver; `status` is its answer, `failing` the share of requests that get 500 instead."""
    process = subprocess.Popen(
        [sys.executable, __file__, json.dumps({"port": port, **options})], stdout=subprocess.PIPE, text=True
    )
    found = Receiver(process, port)
    try:
        assert found.ready.wait(60), "the receiver did not start"
        yield found
    finally:
        found.stop()


def _handler(options):
    chance = random.Random(options.get("seed", 1))
    printing = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
            status = 500 if chance.random() < options.get("failing", 0) else options.get("status", 200)
            document = {"path": self.path, "headers": dict(self.headers), "body": body, "status": status}
            with printing:
                print(json.dumps(document), flush=True)  # noqa: T201 - the channel to the test
            self._answer(status)

        def _answer(self, status):
            if options.get("drips"):
                # An answer that never ends, a byte at a time.
                self.wfile.write(b"HTTP/1.0 200 OK\r\nX-Long: ")
                while True:
                    self.wfile.write(b"x")
                    self.wfile.flush()
                    time.sleep(0.05)
            self.send_response(status)
            if "location" in options:
                self.send_header("Location", options["location"])
            self.end_headers()
            size = options.get("answer", 0)
            self.wfile.write(b"x" * size)

        def log_message(self, *_):
            """Print requests only."""

    return Handler


def _serve(options):
    server = ThreadingHTTPServer(("127.0.0.1", options["port"]), _handler(options))
    server.daemon_threads = True
    if "certificate" in options:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*options["certificate"])
        server.socket = context.wrap_socket(server.socket, server_side=True)
    print(READY, flush=True)  # noqa: T201 - the channel to the test
    server.serve_forever()


if __name__ == "__main__":
    _serve(json.loads(sys.argv[1]))
