"""The client of requests to other servers: the bounds of an answer that is read whole, and of one read in pieces."""

import asyncio
import tracemalloc
from contextlib import asynccontextmanager

import pytest

from footfall.adapters.outgoing.client import Fault, HttpClient, OutgoingRequest, ServerAnswer, Unanswered
from tests.servers.mirror import serving

HEAD = b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"


def get(url):
    return OutgoingRequest("GET", url, {})


def client(**changes):
    return HttpClient(**{"wait_seconds": 10, "seconds": 10, "most_bytes": 1 << 20, **changes})


@asynccontextmanager
async def answering(*parts, pause=0.0, count=1):
    """Serve an answer in parts, each so often and with pauses between; lend its address."""

    async def answer(reader, writer):
        await reader.readuntil(b"\r\n\r\n")
        try:
            for part in parts:
                for _ in range(1 if part == HEAD else count):
                    writer.write(part)
                    await writer.drain()
                    await asyncio.sleep(pause)
        except ConnectionError:
            pass
        finally:
            writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"


async def read(asking, url, pause=0.0):
    """Read an answer in pieces, and return the number of its bytes."""
    size = 0
    async with asking.open(get(url)) as answer:
        while piece := await answer.read():
            size += len(piece)
            await asyncio.sleep(pause)
    return size


async def test_a_body_is_read_in_pieces_in_little_memory():
    piece, count = bytes(1 << 16), 1 << 10

    async with answering(HEAD, piece, count=count) as url:
        tracemalloc.start()
        try:
            size = await read(client(most_bytes=1 << 26), url)
            _, most = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()

    assert size == 1 << 26
    assert most < 1 << 22


async def test_a_body_read_in_pieces_is_left_behind_its_bound():
    async with answering(HEAD, bytes(1000), count=3) as url:
        assert await read(client(most_bytes=3000), url) == 3000
        with pytest.raises(Unanswered) as failure:
            await read(client(most_bytes=2999), url)

    assert failure.value.fault is Fault.LARGE


async def test_of_a_body_read_whole_only_the_beginning_is_kept():
    async with answering(HEAD, b"[1, 2]") as url:
        whole = await client(most_bytes=6).send(get(url))
        cut = await client(most_bytes=5).send(get(url))

    assert (whole.body, whole.is_whole, whole.json()) == (b"[1, 2]", True, [1, 2])
    assert (cut.body, cut.is_whole) == (b"[1, 2", False)
    with pytest.raises(ValueError, match="too long"):
        cut.json()


@pytest.mark.parametrize("body", [b"", b"<html>", b"[" * 100_000, b"\xff"])
def test_a_body_of_another_kind_is_no_value(body):
    with pytest.raises(ValueError, match=r"."):
        ServerAnswer(200, {}, body).json()


@pytest.mark.parametrize(
    "parts", [(HEAD, b"x"), (b"HTTP/1.1 200 OK\r\nX-Long: ", b"x")], ids=["body", "head"]
)
async def test_a_server_that_drips_is_left_after_the_time_of_the_request(parts):
    async with answering(*parts, pause=0.02, count=1000) as url:
        with pytest.raises(Unanswered) as failure:
            await read(client(seconds=0.3), url)

    assert failure.value.about("it") == "it takes too long: more than 0.3 seconds"


async def test_a_server_that_stops_is_left_after_the_time_of_a_part():
    async with answering(HEAD, b"x", pause=5) as url:
        with pytest.raises(Unanswered) as failure:
            await read(client(wait_seconds=0.2), url)

    assert failure.value.about("it") == "it does not answer in time"


async def test_the_time_of_the_reader_does_not_count():
    async with answering(HEAD, bytes(1 << 20), count=8) as url:
        size = await read(client(seconds=0.5, most_bytes=1 << 30), url, pause=0.01)

    assert size == 8 << 20


async def test_a_body_that_ends_early_is_a_connection_that_broke_off():
    async with answering(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc") as url:
        with pytest.raises(Unanswered) as failure:
            await read(client(), url)

    assert failure.value.about("it") == "the connection to it broke off"


async def test_what_is_no_http_cannot_be_read():
    async with answering(b"220 mail.example ESMTP\r\n\r\n") as url:
        with pytest.raises(Unanswered) as failure:
            await client().send(get(url))

    assert failure.value.fault is Fault.UNREADABLE


@pytest.mark.parametrize("proxied", ["{}", "http://{}"])
async def test_a_proxy_of_the_environment_resolves_the_name(monkeypatch, proxied):
    with serving() as proxy:
        proxy.put("http://nowhere.invalid/a?b=1", b"there")
        monkeypatch.setenv("http_proxy", proxied.format(proxy.url.removeprefix("http://")))
        answer = await client(uses_proxies=True).send(get("http://nowhere.invalid/a?b=1"))

    assert answer.body == b"there"


async def test_a_proxy_is_passed_by_for_hosts_that_need_none_and_by_clients_that_use_none(monkeypatch):
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    with serving() as mirror:
        url = mirror.put("/a", b"there")
        direct = await client().send(get(url))
        monkeypatch.setenv("no_proxy", "127.0.0.1")
        spared = await client(uses_proxies=True).send(get(url))

    assert (direct.body, spared.body) == (b"there", b"there")


async def test_a_proxy_of_another_protocol_is_named_and_not_passed_by(monkeypatch):
    monkeypatch.setenv("all_proxy", "socks5://127.0.0.1:1")
    with serving() as mirror, pytest.raises(Unanswered) as failure:
        await client(uses_proxies=True).send(get(mirror.put("/a", b"")))

    assert failure.value.about("it") == "it cannot be reached: the proxy of the environment is none of HTTP"
    assert mirror.asked == []


@pytest.mark.parametrize("url", ["ftp://127.0.0.1/", "/path", "http://", "http://h\udcff/"])
async def test_another_address_is_a_value_error(url):
    with pytest.raises(ValueError, match=r"."):
        await client().send(get(url))
