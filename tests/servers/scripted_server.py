"""A stand-in for the service that keeps its promises except where the script of a test says otherwise."""

import json
import time
from contextlib import suppress

from attrs import define, field, frozen

from tests.servers.stand_in import Handler, StandIn

KEY = "ff_test"


@frozen
class Reply:
    status: int
    body: object
    headers: dict = field(factory=dict)


@frozen
class Seen:
    path: str
    headers: dict
    body: dict
    at: float


def refusal(status, error, details=None, headers=None):
    extra = {} if details is None else {"details": details}
    return Reply(status, {"success": False, "error": error, **extra}, headers or {})


class _Handler(Handler):
    def do_POST(self):  # noqa: N802 - the name of http.server
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        headers = {name.lower(): value for name, value in self.headers.items()}
        scripted, seen = self.server.stand_in, Seen(self.path, headers, body, time.monotonic())
        scripted.requests.append(seen)
        step = scripted.script.pop(0) if scripted.script else None
        if step is None or isinstance(step, Reply):
            self._reply(scripted.answer(seen) if step is None else step)
        else:
            self._misbehave(step, seen)

    def _reply(self, reply):
        content = reply.body if isinstance(reply.body, str) else json.dumps(reply.body)
        self.send_response(reply.status)
        for name, value in {**reply.headers, "content-length": str(len(content.encode()))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content.encode())

    def _misbehave(self, step, seen):
        if step.startswith("store"):
            self.server.stand_in.answer(seen)
        if step == "garbage":
            self._reply(Reply(200, "<html>Welcome to the hotel's network</html>"))
        if step == "truncated":
            self.wfile.write(b'HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\n{"succ')
        if step in {"drips", "floods"}:
            self._answer_without_end(b" " if step == "drips" else b" " * 1_000_000)
        if step.endswith("hang"):
            self.server.stand_in.released.wait()
        self.close_connection = step != "garbage"

    def _answer_without_end(self, piece):
        self.wfile.write(b"HTTP/1.1 200 OK\r\ncontent-length: 1000000000\r\n\r\n")
        with suppress(OSError):
            while not self.server.stand_in.released.wait(0.02):
                self.wfile.write(piece)


@define(slots=False)
class ScriptedServer(StandIn):
    """`script` holds one step for each request to come; afterwards the server behaves.

    A step is a `Reply`, or "reset", "store-then-reset", "store-then-hang", "garbage", "truncated", "drips",
    "floods". `judge` returns the result of one event of a batch, None to store it.
    """

    handler = _Handler
    script: list = field(factory=list)
    requests: list[Seen] = field(factory=list)
    stored: dict = field(factory=dict)
    judge: object = staticmethod(lambda _event: None)

    def answer(self, seen):
        if seen.headers.get("authorization") != f"Bearer {KEY}":
            return refusal(401, "Invalid API key")
        if seen.path == "/api/track":
            return Reply(200, self._keep(seen.headers["idempotency-key"], seen.body))
        results = [self.judge(event) or self._keep(event["event_id"], event) for event in seen.body["events"]]
        return Reply(200, {"success": True, "results": results})

    def _keep(self, event_id, event):
        self.stored.setdefault(event_id, event)
        return {"success": True}
