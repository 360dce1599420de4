"""What gunicorn is made to do, and what it must not lose by it."""

import asyncio
import re
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from footfall.entrypoints import short_way
from footfall.entrypoints.connections import LEFTOVER_SECONDS, MAX_HEAD, UNREAD_SECONDS
from tests.unit.conversation import Conversation, settle, track


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


@pytest.mark.parametrize("before", [b"\r\n", b"\r\n\r\n", b"\n"])
async def test_an_empty_line_before_an_event_is_for_gunicorn_to_judge(before):
    request = before + track(b"one")
    async with Conversation() as conversation:
        await conversation.say(request[:-1], b"e")
        answered = conversation.transport.written
    assert answered.startswith(b"HTTP/1.1 200 " if before == b"\r\n" else b"HTTP/1.1 400 ")


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
        before, kept, refused = conversation.transport.written.split(b"HTTP/1.1 ")
        assert (before, kept[:3]) == (b"", b"200")
        assert refused[:3] in {b"400", b"414", b"431"}


UPGRADE = b"GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\n"


@pytest.mark.parametrize(
    "asked",
    [
        b"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
        b"Upgrade: websocket\r\n\r\n",
    ],
)
async def test_there_are_no_websockets(asked):
    async with Conversation() as conversation:
        await conversation.say(UPGRADE + asked)
        assert conversation.transport.written.startswith(b"HTTP/1.1 403 ")
        assert conversation.transport.closed
        assert conversation.worker.asgi.counted == [403]


async def test_another_protocol_may_be_asked_for_in_vain():
    async with Conversation() as conversation:
        await conversation.say(UPGRADE + b"Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n")
        assert conversation.answers() == [("long", b"")]


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


async def test_who_never_reads_is_left():
    async with Conversation() as conversation:
        conversation.transport.unread = 100_000
        conversation.connection.pause_writing()
        await conversation.say(track(b"one"))
        await conversation.loop.go_on(UNREAD_SECONDS + 1)
        assert conversation.transport.aborted


async def test_who_reads_slowly_is_waited_for():
    async with Conversation() as conversation:
        conversation.transport.unread = 200_000
        conversation.connection.pause_writing()
        for _ in range(5):
            conversation.transport.unread -= 20_000
            await conversation.loop.go_on(UNREAD_SECONDS + 1)
        assert not conversation.transport.aborted
        await conversation.loop.go_on(UNREAD_SECONDS + 1)
        assert conversation.transport.aborted


async def test_who_reads_in_the_end_is_not_left():
    async with Conversation() as conversation:
        conversation.transport.unread = 100_000
        conversation.connection.pause_writing()
        conversation.transport.unread = 0
        conversation.connection.resume_writing()
        await conversation.loop.go_on(2 * UNREAD_SECONDS)
        assert not conversation.transport.aborted


@pytest.mark.parametrize("last", [track(b"one", b"Connection: close"), track(b"one")])
async def test_a_connection_that_ends_does_not_wait_for_ever_for_its_last_answer_to_be_read(last):
    async with Conversation() as conversation:
        conversation.transport.unread = 1_000
        await conversation.say(last)
        await conversation.loop.go_on(conversation.worker.cfg.keepalive + 1)
        assert (conversation.transport.closed, conversation.transport.aborted) == (True, False)
        await conversation.loop.go_on(UNREAD_SECONDS + 1)
        assert conversation.transport.aborted


@pytest.mark.parametrize("request_", [track(b""), track(b"").replace(b"/api/track ", b"/other ")])
async def test_what_waits_behind_a_request_is_bounded(request_):
    piece = request_ * 1_000
    async with Conversation() as conversation:
        said = 0
        for _ in range(2_000):
            if conversation.transport.is_reading:
                conversation.connection.data_received(piece)
                said += 1
            waiting = said * 1_000 - conversation.worker.nr
            assert waiting * len(request_) < 512 * 1024
            await asyncio.sleep(0)
        assert said > 1


async def test_many_events_behind_each_other_do_not_keep_others_waiting():
    async with Conversation() as conversation:
        conversation.connection.data_received(track(b"x") * 1_000)
        for _ in range(10):
            await asyncio.sleep(0)
        assert 0 < conversation.worker.nr < 20


async def test_who_says_more_behind_their_last_request_gets_its_answer():
    async with Conversation() as conversation:
        await conversation.say(track(b"one", b"Connection: close") + track(b"two"))
        assert conversation.answers() == [("long", b"one")]
        assert (conversation.transport.ended, conversation.transport.closed) == (True, False)


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
