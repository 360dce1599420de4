"""One connection of a worker, with a clock that is set by hand, and what is answered on it."""

import asyncio
import re
from types import SimpleNamespace

import pytest
from gunicorn.config import Config

from footfall.entrypoints.server import PARSING
from footfall.entrypoints.short_way import ShortWay

TRACK = b"POST /api/track HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n%b"
RESPONSE = re.compile(rb"HTTP/1\.1 200 OK\r\n(.*?)\r\n\r\n(\w+):(\d+):", re.DOTALL)


class Transport(asyncio.Transport):
    """What the other side gets, and whether it may send."""

    def __init__(self):
        super().__init__({"peername": ("192.0.2.1", 50_000)})
        self.written = b""
        self.protocol = None
        self.ended = False
        self.closed = False
        self.aborted = False
        self.unread = 0
        self.is_reading = True

    def get_write_buffer_size(self):
        return self.unread

    def set_write_buffer_limits(self, high=None, low=None):
        pass

    def can_write_eof(self):
        return True

    def write_eof(self):
        self.ended = True

    def set_protocol(self, protocol):
        self.protocol = protocol

    def is_closing(self):
        return self.closed

    def write(self, data):
        self.written += data

    def close(self):
        self.closed = True

    def abort(self):
        self.closed = self.aborted = True

    def pause_reading(self):
        self.is_reading = False

    def resume_reading(self):
        self.is_reading = True


class Ways:
    """Both ways to an answer, which says which one it was and what came in: `short:3:…` and `long:3:…`."""

    def __init__(self):
        self.open = asyncio.Event()
        self.open.set()
        self.counted = []
        self.paths = []
        self.hasty = False

    async def __call__(self, scope, receive, send):
        self.paths.append(scope["path"])
        body, more = b"", not self.hasty
        while more:
            event = await receive()
            self.last = event["type"]
            body, more = body + event.get("body", b""), event.get("more_body", False)
        answer = b"long:%d:%b" % (len(body), body)
        headers = [(b"content-length", b"%d" % len(answer))]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": answer})

    @property
    def express(self):
        return self

    def refused(self, status, fault):
        self.counted.append(status)
        return self.refusal(status, fault)

    def refusal(self, status, fault):
        return b"HTTP/1.1 %d Refused\r\nContent-Length: %d\r\n" % (status, len(fault)), fault.encode()

    async def answer(self, headers, body, peer):
        await self.open.wait()
        self.headers, self.peer = headers, peer
        answer = b"short:%d:%b" % (len(body), body)
        return b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n" % len(answer), answer


def _say_nothing(*_):
    pass


class Loop:
    """The running loop with a clock that is set by hand."""

    def __init__(self):
        self.now = 1_000.0
        self.timers = []
        self.create_task = asyncio.get_running_loop().create_task
        self.create_future = asyncio.get_running_loop().create_future

    def time(self):
        return self.now

    def call_later(self, seconds, callback, *arguments):
        timer = asyncio.TimerHandle(self.now + seconds, callback, arguments, asyncio.get_running_loop())
        self.timers.append(timer)
        return timer

    async def go_on(self, seconds):
        self.now += seconds
        due = [timer for timer in self.timers if timer.when() <= self.now]
        self.timers = [timer for timer in self.timers if timer not in due]
        for timer in due:
            if not timer.cancelled():
                timer._run()
        await settle()


class Conversation:
    """One connection of a worker and what was answered on it."""

    def __init__(self):
        log = SimpleNamespace(
            error_log=None,
            access_log_enabled=False,
            debug=_say_nothing,
            info=_say_nothing,
            exception=pytest.fail,
        )
        self.worker = SimpleNamespace(
            cfg=configuration(),
            log=log,
            asgi=Ways(),
            alive=True,
            nr=0,
            max_requests=1_000_000,
            nr_conns=0,
            open_connections=set(),
            loop=Loop(),
        )
        self.loop = self.worker.loop
        self.transport = Transport()
        self.connection = ShortWay(self.worker)

    async def __aenter__(self):
        self.transport.protocol = self.connection
        self.connection.connection_made(self.transport)
        return self

    async def __aexit__(self, *_):
        self.transport.protocol.connection_lost(None)
        self.connection._task.cancel()
        await asyncio.gather(self.connection._task, return_exceptions=True)

    async def say(self, *pieces, patient=True):
        for piece in pieces:
            self.transport.protocol.data_received(piece)
            if patient:
                await settle()
        await settle()

    def answers(self):
        """Return each answer's way and body; whatever is written must be made of answers and nothing else."""
        found, rest = [], self.transport.written
        while rest:
            response = RESPONSE.match(rest)
            assert response is not None, rest
            end = response.end() + int(response[3])
            found.append((response[2].decode(), rest[response.end() : end]))
            rest = rest[end:]
        return found


def configuration():
    """Return what the server tells gunicorn of requests."""
    made = Config()
    for name in ("http_parser", "limit_request_line"):
        made.set(name, PARSING[name])
    return made


async def settle():
    for _ in range(30):
        await asyncio.sleep(0)


def track(body, *lines):
    head = TRACK % (len(body), body)
    return head.replace(b"Host: a\r\n", b"".join(line + b"\r\n" for line in (b"Host: a", *lines)), 1)
