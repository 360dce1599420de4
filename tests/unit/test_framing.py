"""Where a request begins and where it ends: what anybody could read otherwise is no request."""

import re

import pytest
from gunicorn.asgi.parser import CallbackRequest, PythonProtocol
from gunicorn.asgi.protocol import _RequestHeaderPolicy
from hypothesis import example, given
from hypothesis import strategies as st

from footfall.entrypoints.connections import MAX_HEAD
from footfall.entrypoints.short_way import WholeRequest
from tests.unit.conversation import Conversation, configuration, track

# What RFC 9112 calls no request, or one of which two readers could think differently where it ends.
NO_REQUESTS = {
    "bare LF": b"POST /api/track HTTP/1.1\r\nHost: a\nContent-Length: 1\r\n\r\nx",
    "bare LF at the end": b"POST /api/track HTTP/1.1\r\nHost: a\r\nContent-Length: 1\n\nx",
    "bare CR": b"POST /api/track HTTP/1.1\r\nHost: a\r\nX: y\rContent-Length: 1\r\n\r\nx",
    "NUL": b"POST /api/track HTTP/1.1\r\nHost: a\r\nX: \x00\r\nContent-Length: 1\r\n\r\nx",
    "NUL in a name": b"POST /api/track HTTP/1.1\r\nHost: a\r\nX\x00: y\r\nContent-Length: 1\r\n\r\nx",
    "high byte in a name": b"POST /api/track HTTP/1.1\r\nHost: a\r\nX\xe4: y\r\nContent-Length: 1\r\n\r\nx",
    "folded": b"POST /api/track HTTP/1.1\r\nHost: a\r\nX: y\r\n Content-Length: 9\r\nContent-Length: 1\r\n\r\nx",
    "folded first": b"POST /api/track HTTP/1.1\r\n Host: a\r\nContent-Length: 1\r\n\r\nx",
    "blank before the colon": b"POST /api/track HTTP/1.1\r\nHost: a\r\nContent-Length : 1\r\n\r\nx",
    "no colon": b"POST /api/track HTTP/1.1\r\nHost: a\r\nnothing\r\nContent-Length: 1\r\n\r\nx",
    "no name": b"POST /api/track HTTP/1.1\r\nHost: a\r\n: y\r\nContent-Length: 1\r\n\r\nx",
    "no host": b"POST /api/track HTTP/1.1\r\nContent-Length: 1\r\n\r\nx",
    "two hosts": b"POST /api/track HTTP/1.1\r\nHost: a\r\nHost: a\r\nContent-Length: 1\r\n\r\nx",
    "no such host": b"POST /api/track HTTP/1.1\r\nHost: a/b\r\nContent-Length: 1\r\n\r\nx",
    "two hosts in one": b"POST /api/track HTTP/1.1\r\nHost: a, b c\r\nContent-Length: 1\r\n\r\nx",
    "two lengths": b"POST /api/track HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\nx",
    "list of lengths": b"POST /api/track HTTP/1.1\r\nHost: a\r\nContent-Length: 1, 1\r\n\r\nx",
    "signed length": b"POST /api/track HTTP/1.1\r\nHost: a\r\nContent-Length: +1\r\n\r\nx",
    "negative length": b"POST /api/track HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\nx",
    "hexadecimal length": b"POST /api/track HTTP/1.1\r\nHost: a\r\nContent-Length: 0x1\r\n\r\nx",
    "length with underscore": b"POST /api/track HTTP/1.1\r\nHost: a\r\nContent-Length: 0_1\r\n\r\nx",
    "superscript length": b"POST /api/track HTTP/1.1\r\nHost: a\r\nContent-Length: \xb9\r\n\r\nx",
    "no length": b"POST /api/track HTTP/1.1\r\nHost: a\r\nContent-Length:\r\n\r\nx",
    "length and chunks": (
        b"POST /api/track HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
    ),
    "unknown coding": b"POST /api/track HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: br, chunked\r\n\r\n0\r\n\r\n",
    "coding without chunks": b"POST /api/track HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\nx",
    "no coding": b"POST /api/track HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: identity\r\nContent-Length: 1\r\n\r\nx",
    "chunks twice": (
        b"POST /api/track HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n"
    ),
    "chunks in HTTP/1.0": b"POST /api/track HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "lower case": b"post /api/track HTTP/1.1\r\nHost: a\r\n\r\n",
    "two blanks": b"POST  /api/track HTTP/1.1\r\nHost: a\r\n\r\n",
    "tab": b"POST\t/api/track HTTP/1.1\r\nHost: a\r\n\r\n",
    "HTTP/0.9": b"GET /\r\n",
    "HTTP/1.2": b"GET / HTTP/1.2\r\nHost: a\r\n\r\n",
    "HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "PROXY": b"PROXY TCP4 192.0.2.1 192.0.2.2 1 2\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n",
    "PROXY, binary": b"\r\n\r\n\x00\r\nQUIT\n\x21\x11\x00\x0c" + bytes(12),
    "TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n",
    "asterisk": b"GET * HTTP/1.1\r\nHost: a\r\n\r\n",
    "authority": b"GET a:80 HTTP/1.1\r\nHost: a\r\n\r\n",
    "high byte in the path": b"GET /\xe4 HTTP/1.1\r\nHost: a\r\n\r\n",
}
CHUNKED = b"POST /api/track HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
NO_CHUNKS = {
    "signed": b"+1\r\nx\r\n0\r\n\r\n",
    "hexadecimal": b"0x1\r\nx\r\n0\r\n\r\n",
    "underscore": b"0_1\r\nx\r\n0\r\n\r\n",
    "blank": b" 1\r\nx\r\n0\r\n\r\n",
    "nothing": b"\r\nx\r\n0\r\n\r\n",
    "not a number": b"g\r\nx\r\n0\r\n\r\n",
    "longer than said": b"1\r\nxy\r\n0\r\n\r\n",
    "bare LF": b"1\nx\r\n0\r\n\r\n",
    "bare CR in an extension": b"1;a\rb\r\nx\r\n0\r\n\r\n",
    "length behind": b"1\r\nx\r\n0\r\nContent-Length: 1\r\n\r\n",
}


@pytest.mark.parametrize("size", [1, 10_000])
@pytest.mark.parametrize("name", NO_REQUESTS)
async def test_what_is_no_request_is_refused_and_what_comes_behind_it_is_not_looked_at(name, size):
    stream = NO_REQUESTS[name] + track(b"smuggled")
    async with Conversation() as conversation:
        await conversation.say(*(stream[at : at + size] for at in range(0, len(stream), size)))
        assert re.findall(rb"HTTP/1\.\d (\d+)", conversation.transport.written) == [b"400"]
        assert conversation.transport.ended
        assert len(conversation.worker.asgi.counted) == 1


@pytest.mark.parametrize("size", [1, 10_000])
@pytest.mark.parametrize("name", NO_CHUNKS)
async def test_what_is_no_chunk_is_refused_and_what_comes_behind_it_is_not_looked_at(name, size):
    stream = CHUNKED + NO_CHUNKS[name] + track(b"smuggled")
    async with Conversation() as conversation:
        await conversation.say(*(stream[at : at + size] for at in range(0, len(stream), size)))
        assert re.findall(rb"HTTP/1\.\d (\d+)", conversation.transport.written) == [b"400"]
        assert conversation.transport.ended


@pytest.mark.parametrize("length", [2**64 + 1, 2**128 + 1])
async def test_a_length_that_no_machine_word_holds_is_none_that_one_holds(length):
    long = b"POST /api/track HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\nx" % length
    async with Conversation() as conversation:
        await conversation.say(long, track(b"smuggled"))
        assert conversation.transport.written == b""
    async with Conversation() as conversation:
        await conversation.say(CHUNKED + b"%x\r\nx\r\n0\r\n\r\n" % length, track(b"smuggled"))
        assert conversation.transport.written == b""


@pytest.mark.parametrize("said", [b"", b"1;", b"1;a=", b"0\r\n", b"0\r\nX: ", b"1\r\nx\r\n"])
@pytest.mark.parametrize("piece", [b"0" * 1_000, b"X: y\r\n" * 100])
async def test_lines_between_and_behind_chunks_do_not_go_on_for_ever(said, piece):
    async with Conversation() as conversation:
        await conversation.say(CHUNKED, said)
        sent = 0
        while not conversation.transport.ended:
            await conversation.say(piece)
            sent += len(piece)
            assert sent <= MAX_HEAD
        [status] = re.findall(rb"HTTP/1\.\d (\d+)", conversation.transport.written)
        assert status in {b"400", b"431"}


async def test_a_body_that_turns_out_to_be_none_ends_what_waits_for_it():
    async with Conversation() as conversation:
        await conversation.say(CHUNKED + b"1\r\nx\r\n", b"no chunk\r\n")
        assert conversation.worker.asgi.last == "http.disconnect"
        # Whoever got the request counts it.
        assert conversation.worker.asgi.counted == []


async def test_nothing_is_written_into_an_answer_that_has_begun():
    async with Conversation() as conversation:
        conversation.worker.asgi.hasty = True
        await conversation.say(CHUNKED, b"no chunk\r\n")
        assert conversation.answers() == [("long", b"")]
        assert conversation.transport.ended


async def test_a_proxy_may_name_the_whole_url():
    async with Conversation() as conversation:
        await conversation.say(track(b"one").replace(b" /api/track ", b" HTTP://a:80/api/track?x=/ "))
        assert conversation.worker.asgi.paths == ["/api/track"]
        await conversation.say(b"GET http://a HTTP/1.1\r\nHost: a\r\n\r\n")
        assert conversation.worker.asgi.paths == ["/api/track", "/"]


FRAMING = [b"Host", b"host", b"Content-Length", b"Transfer-Encoding", b"Connection", b"Expect", b"Upgrade"]
PLAIN = [b"X-Forwarded-Proto", b"X-Forwarded-Ssl", b"X-Forwarded-Protocol", b"Content-Type", b"X", b"X_Y"]
NAMES = st.sampled_from((*FRAMING, *PLAIN, b" X", b"X ", b"", b"\xe4"))
LENGTHS = [
    b"0",
    b"1",
    b" 1\t",
    b"01",
    b"+1",
    b"1, 1",
    b"0x1",
    b"1_1",
    b"\xb2",
    b"131072",
    b"131073",
    b"9" * 30,
]
WORDS = [
    b"chunked",
    b"close",
    b"keep-alive",
    b"Keep-Alive",
    b"keep-alive, x",
    b"https",
    b"on",
    b"100-continue",
    b"a/b",
]
OTHERS = [
    b"a",
    b"",
    b" ",
    b"\xc3\xa4",
    b"a\rb",
    b"a\nb",
    b"a\x00b",
    b"a\x7fb",
    b"a\tb",
    b"a\r\n b",
    b"y" * 7_000,
]
VALUES = st.sampled_from((*LENGTHS, *WORDS, *OTHERS))
FIELDS = st.tuples(
    NAMES, st.sampled_from([b":", b": ", b" :", b""]), VALUES, st.sampled_from([b"\r\n", b"\n"])
)
USUAL = st.just((b"Host", b": ", b"a", b"\r\n"))


@given(
    before=st.lists(FIELDS, max_size=2),
    fields=st.lists(FIELDS | USUAL, max_size=5),
    line=st.sampled_from(
        [b"POST /api/track HTTP/1.1\r\n", b"POST /api/track HTTP/1.0\r\n", b"POST /api/track HTTP/1.1\n"]
    ),
    rest=st.binary(max_size=5) | st.just(b"z" * 131_080),
)
@example(
    before=[], fields=[(b"Host", b": ", b"a", b"\r\n")], line=b"POST /api/track HTTP/1.1\r\n", rest=b"more"
)
def test_what_takes_the_short_way_is_the_request_that_gunicorn_reads(before, fields, line, rest):
    piece = line + b"".join(b"".join(field) for field in (*before, *fields)) + b"\r\n" + rest
    whole = WholeRequest.at_the_start_of(piece) if piece.startswith(b"POST /api/track HTTP/1.1\r\n") else None
    if whole is None:
        return

    request, body, behind = read_by_gunicorn(piece)

    assert whole.headers == {
        name.decode("latin-1"): value.decode("latin-1") for name, value in request.headers_bytes
    }
    assert (whole.body, whole.rest) == (body, behind)
    assert not request.should_close()


def read_by_gunicorn(piece):
    """Return the request that a piece begins with, its body and what is behind it; anything that is wrong is raised."""
    pieces = []
    parser = PythonProtocol(on_body=pieces.append)
    parser.feed(piece)
    assert parser.is_complete
    request = CallbackRequest.from_parser(parser)
    kept = configuration()
    kept.set("header_map", "dangerous")
    _RequestHeaderPolicy(kept, ("127.0.0.1", 1), "http", (1, 1)).apply(request)
    return request, b"".join(pieces), parser.remaining()


def test_a_usual_event_takes_the_short_way():
    usual = b"User-Agent: x\r\nConnection: Keep-Alive\r\nX-Forwarded-For: 1.1.1.1\r\nX-Forwarded-Proto: https"

    whole = WholeRequest.at_the_start_of(track(b"one", *usual.split(b"\r\n")) + b"rest")

    assert whole is not None
    assert (len(whole.headers), whole.body, whole.rest) == (6, b"one", b"rest")
