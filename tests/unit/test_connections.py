"""What gunicorn is made to do, and what it must not lose by it."""

import asyncio
import re
from itertools import pairwise
from types import SimpleNamespace

import pytest
from gunicorn.config import Config
from gunicorn_h1c import H1CProtocol
from hypothesis import example, given
from hypothesis import strategies as st

from footfall.entrypoints import short_way
from footfall.entrypoints.connections import LEFTOVER_SECONDS, MAX_HEAD
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
        self.closed = True

    def pause_reading(self):
        pass

    def resume_reading(self):
        pass


class Ways:
    """Both ways to an answer, which says which one it was and what came in: `short:3:…` and `long:3:…`."""

    def __init__(self):
        self.open = asyncio.Event()
        self.open.set()

    async def __call__(self, _scope, receive, send):
        body, more = b"", True
        while more:
            event = await receive()
            body, more = body + event.get("body", b""), event.get("more_body", False)
        answer = b"long:%d:%b" % (len(body), body)
        headers = [(b"content-length", b"%d" % len(answer))]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": answer})

    @property
    def express(self):
        return self

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
            cfg=Config(),
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


async def settle():
    for _ in range(30):
        await asyncio.sleep(0)


def track(body, *lines):
    head = TRACK % (len(body), body)
    return head.replace(b"Host: a\r\n", b"".join(line + b"\r\n" for line in (b"Host: a", *lines)), 1)


async def test_a_connection_is_parsed_by_the_parser_in_c():
    # gunicorn keeps what it found of that parser on the class that looked, and reads it from its own.
    async with Conversation() as conversation:
        assert isinstance(conversation.connection._callback_parser, H1CProtocol)


async def test_a_whole_event_takes_the_short_way():
    async with Conversation() as conversation:
        await conversation.say(track(b"one"), track(b"two", b"X-Name: \xe4"))
        assert conversation.answers() == [("short", b"one"), ("short", b"two")]
        assert conversation.worker.asgi.headers == {"host": "a", "x-name": "ä", "content-length": "3"}
        assert conversation.worker.asgi.peer == "192.0.2.1"
        assert b"\r\nServer: gunicorn/asgi\r\nDate: " in conversation.transport.written
        assert b"Connection: close" not in conversation.transport.written


@pytest.mark.parametrize(
    "request_",
    [
        pytest.param(track(b"x", b"Expect: 100-continue"), id="expects"),
        pytest.param(track(b"x", b"Upgrade: h2c", b"Connection: upgrade"), id="upgrades"),
        pytest.param(track(b"x", b"X-Forwarded-For: 1.1.1.1", b"X-Forwarded-For: 2.2.2.2"), id="twice"),
        pytest.param(track(b"x").replace(b"HTTP/1.1", b"HTTP/1.0"), id="old"),
        pytest.param(track(b"x", b"Connection: close"), id="closes"),
        pytest.param(track(b"x").replace(b"/api/track ", b"/api/track? "), id="query"),
        pytest.param(track(b"x").replace(b"/api/track ", b"/api/track/batch "), id="batch"),
        pytest.param(track(b"x").replace(b"POST", b"PUT"), id="method"),
        pytest.param(track(b"x" * 131_073), id="long"),
        pytest.param(
            b"POST /api/track HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n",
            id="chunked",
        ),
    ],
)
async def test_what_is_unusual_takes_the_long_way(request_):
    async with Conversation() as conversation:
        await conversation.say(request_)
        # HTTP/1.0 and `100 Continue` are written otherwise; which way it was is all that is asked here.
        assert b"long:" in conversation.transport.written
        assert b"short:" not in conversation.transport.written


@pytest.mark.parametrize("late", [b"e", b"one", b"\n\r\none"])
async def test_an_event_that_is_not_all_there_takes_the_long_way(late):
    # Somebody has to have patience with what is to come, and that is nobody on the short way.
    request = track(b"one")
    async with Conversation() as conversation:
        await conversation.say(request[: -len(late)], late)
        assert conversation.answers() == [("long", b"one")]


@pytest.mark.parametrize("before", [b"\r\n", b"\n"])
async def test_an_empty_line_before_an_event_is_not_taken_for_the_end_of_its_head(before):
    request = before + track(b"one")
    async with Conversation() as conversation:
        await conversation.say(request, request[:-1], b"e")
        assert conversation.answers() == [("short", b"one"), ("long", b"one")]


async def test_two_empty_lines_before_an_event_are_refused():
    # The end of a head would be found in them, and a body that is to come would count as there.
    async with Conversation() as conversation:
        await conversation.say(b"\r\n\r\n" + track(b"one"))
        assert conversation.transport.written.startswith(b"HTTP/1.1 400 ")


async def test_in_a_gunicorn_that_is_built_otherwise_there_is_no_short_way(monkeypatch):
    monkeypatch.setattr(short_way, "_IS_THERE", False)
    async with Conversation() as conversation:
        await conversation.say(track(b"one"))
        assert conversation.answers() == [("long", b"one")]


async def test_a_worker_that_ends_says_so_and_closes():
    async with Conversation() as conversation:
        conversation.connection.data_received(track(b"one"))
        conversation.worker.alive = False
        await settle()
        assert conversation.answers() == [("short", b"one")]
        assert b"\r\nConnection: close\r\n" in conversation.transport.written
        assert conversation.transport.closed


async def test_a_worker_that_ends_starts_nothing_on_the_short_way():
    async with Conversation() as conversation:
        conversation.worker.alive = False
        await conversation.say(track(b"one"))
        assert conversation.answers() == [("long", b"one")]


async def test_who_is_refused_may_finish_and_is_not_heard_any_more():
    async with Conversation() as conversation:
        await conversation.say(b"BREW\r\n")
        refusal = conversation.transport.written
        assert refusal.startswith(b"HTTP/1.1 400 ")
        assert (conversation.transport.ended, conversation.transport.closed) == (True, False)
        await conversation.say(track(b"one"))
        assert conversation.transport.written == refusal
    assert conversation.worker.nr_conns == 0
    assert conversation.worker.open_connections == set()


async def test_who_is_refused_and_goes_on_is_left_alone_after_a_while():
    async with Conversation() as conversation:
        await conversation.say(b"BREW\r\n")
        await conversation.loop.go_on(LEFTOVER_SECONDS - 1)
        assert not conversation.transport.closed
        await conversation.loop.go_on(2)
        assert conversation.transport.closed


async def test_a_worker_that_ends_waits_for_nobody_who_was_refused():
    async with Conversation() as conversation:
        await conversation.say(b"BREW\r\n")
        conversation.connection.close_if_idle()
        assert conversation.transport.closed
    async with Conversation() as conversation:
        conversation.worker.alive = False
        await conversation.say(b"BREW\r\n")
        assert conversation.transport.closed


@pytest.mark.parametrize("start", [b"GET /?", b"GET / HTTP/1.1\r\n", b"GET / HTTP/1.1\r\nX: "])
@pytest.mark.parametrize("piece", [b"x" * 1_000, b"A: b\r\n" * 100])
async def test_a_head_without_an_end_is_refused(start, piece):
    async with Conversation() as conversation:
        await conversation.say(track(b"one"), start)
        sent = 0
        while not conversation.transport.ended:
            await conversation.say(piece)
            sent += len(piece)
            assert sent <= MAX_HEAD + len(piece)
        answered = conversation.transport.written.split(b"HTTP/1.1 ")
        assert [answer[:3] for answer in answered] == [b"", b"200", b"431"]


async def test_of_a_long_body_nothing_counts_as_head():
    body = b"x" * (2 * MAX_HEAD)
    async with Conversation() as conversation:
        await conversation.say(*re.findall(b"(?s).{1,1000}", track(body)), track(b"one"))
        assert conversation.answers() == [("long", body), ("short", b"one")]


async def test_a_connection_with_an_event_on_its_way_is_not_idle():
    async with Conversation() as conversation:
        conversation.connection.data_received(track(b"one"))
        conversation.connection.close_if_idle()
        assert not conversation.transport.closed
        await settle()
        conversation.connection.close_if_idle()
        assert conversation.transport.closed


async def test_a_connection_is_closed_when_it_was_idle_for_so_long_and_not_before():
    async with Conversation() as conversation:
        patience = conversation.worker.cfg.keepalive
        for _ in range(5):
            await conversation.say(track(b"one"))
            await conversation.loop.go_on(0.6 * patience)
        assert not conversation.transport.closed
        await conversation.loop.go_on(0.6 * patience)
        assert conversation.transport.closed


async def test_a_connection_is_not_closed_while_an_event_is_on_its_way():
    async with Conversation() as conversation:
        await conversation.say(track(b"one"))
        conversation.worker.asgi.open.clear()
        await conversation.say(track(b"two"))
        await conversation.loop.go_on(10 * conversation.worker.cfg.keepalive)
        assert not conversation.transport.closed
        conversation.worker.asgi.open.set()
        await settle()
        assert [body for _, body in conversation.answers()] == [b"one", b"two"]


async def test_no_timer_keeps_a_connection_in_memory_that_ended():
    async with Conversation() as conversation:
        await conversation.say(track(b"one"))
        timers = conversation.loop.timers.copy()
    assert timers
    assert all(timer.cancelled() for timer in timers)


async def test_who_does_not_read_is_served_slowly():
    async with Conversation() as conversation:
        conversation.connection.pause_writing()
        await conversation.say(track(b"one"))
        # The long way waits until there is room again; nothing piles up meanwhile.
        assert conversation.answers() == [("long", b"one")]
        await conversation.say(track(b"two"))
        assert conversation.answers() == [("long", b"one")]
        conversation.connection.resume_writing()
        await settle()
        assert [body for _, body in conversation.answers()] == [b"one", b"two"]


BODIES = st.sampled_from([b"", b"x", b"\r\n\r\n", b"\r\n\r\nPOST /api/track HTTP/1.1\r\n\r\n", b"y" * 200])
REQUESTS = st.tuples(st.booleans(), BODIES).map(
    lambda made: (
        track(made[1]) if made[0] else track(made[1]).replace(b"/api/track ", b"/other ", 1),
        made[1],
    )
)


@given(
    requests=st.lists(REQUESTS, min_size=1, max_size=6),
    cuts=st.lists(st.integers(0, 2_000), max_size=12),
    patient=st.booleans(),
)
@example(requests=[(track(b"\r\n\r\nab"), b"\r\n\r\nab"), (track(b"cd"), b"cd")], cuts=[50], patient=False)
async def test_however_requests_are_cut_each_is_answered_once_in_order(requests, cuts, patient):
    stream = b"".join(request for request, _ in requests)
    edges = [0, *sorted({cut % len(stream) for cut in cuts}), len(stream)]
    pieces = [stream[start:end] for start, end in pairwise(edges) if start < end]
    async with Conversation() as conversation:
        await conversation.say(*pieces, patient=patient)
        for _ in range(2 * len(requests)):
            await settle()
        assert [body for _, body in conversation.answers()] == [body for _, body in requests]
