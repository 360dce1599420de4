"""Requests to a real receiver: what they hold, and what they do not reach."""

import asyncio
import hmac
import ipaddress
import json
import socket
import ssl
import struct
from contextlib import nullcontext
from datetime import timedelta

import httpx2
import pytest
from attrs import evolve

from footfall.adapters.memory.alerts import MemoryWebhooks
from footfall.adapters.memory.clock import ManualClock
from footfall.adapters.sealing import SecretSealing
from footfall.adapters.webhook.transport import HttpWebhooks, signature
from footfall.application.alerts.address_sealing import sealed_address, unopened_sites
from footfall.application.alerts.sender import OTHER_SECRET, WITHOUT_BEGINNING, WebhookSender
from footfall.application.ports.alerts.webhooks import (
    DueRequest,
    TargetAddress,
    WebhookFailed,
    WebhookRequest,
)
from footfall.domain.alerts.addresses import is_public
from footfall.domain.examples import NOON
from tests.ports import free_port
from tests.servers.mail_server import make_certificate
from tests.servers.receiver import receiver
from tests.waiting import LONG, until

SEALING = SecretSealing(b"a secret")
LOOPBACK = (ipaddress.ip_network("127.0.0.0/8"),)
REQUEST = WebhookRequest(
    key="alert-1-1-1-opened-1",
    site_id=1,
    target=1,
    content_type="application/json",
    body='{"text":"Süß"}',
    signed=True,
)


def due(url, **changes):
    return DueRequest(
        request=evolve(REQUEST, **changes), address=TargetAddress(url, "s3cret"), queued_at=NOON, attempts=0
    )


async def send(url, networks=LOOPBACK, **options):
    await HttpWebhooks(networks=networks, version="1", **options).send(due(url), now=NOON)


async def test_a_request_arrives_signed_and_with_its_key():
    with receiver(free_port()) as there:
        await send(f"http://127.0.0.1:{there.port}/hook?team=a")

    [got] = there.requests
    time, digest = (part.partition("=")[2] for part in got["headers"]["Footfall-Signature"].split(","))
    expected = hmac.new(b"s3cret", f"{time}.".encode() + got["body"].encode(), "sha256").hexdigest()
    assert (got["path"], got["body"]) == ("/hook?team=a", REQUEST.body)
    assert got["headers"]["Idempotency-Key"] == REQUEST.key
    assert (int(time), digest) == (int(NOON.timestamp()), expected)


async def test_only_webhooks_are_signed():
    with receiver(free_port()) as there:
        url = f"http://127.0.0.1:{there.port}/"
        await HttpWebhooks(networks=LOOPBACK).send(due(url, signed=False), now=NOON)

    assert "Footfall-Signature" not in there.requests[0]["headers"]


@pytest.mark.parametrize(("host", "problem"), [("localhost", None), ("other.example", "is not valid")])
async def test_the_certificate_is_verified_for_the_name(tmp_path, host, problem):
    certificate = make_certificate(tmp_path, host=host)
    networks = (*LOOPBACK, ipaddress.ip_network("::1/128"))

    def trusting():
        return ssl.create_default_context(cafile=certificate[0])

    with receiver(free_port(), certificate=certificate) as there:
        outcome = nullcontext() if problem is None else pytest.raises(WebhookFailed, match=problem)
        with outcome:
            await send(f"https://localhost:{there.port}/", networks, tls=trusting)
    assert len(there.requests) == (problem is None)


async def test_a_certificate_of_an_unknown_authority_is_refused(tmp_path):
    with (
        receiver(free_port(), certificate=make_certificate(tmp_path)) as there,
        pytest.raises(WebhookFailed, match="certificate of the target is not valid"),
    ):
        await send(f"https://127.0.0.1:{there.port}/")


async def test_a_redirect_is_not_followed():
    with (
        receiver(free_port()) as other,
        receiver(free_port(), status=302, location=f"http://127.0.0.1:{other.port}/") as there,
        pytest.raises(WebhookFailed, match="302; redirects are not followed"),
    ):
        await send(f"http://127.0.0.1:{there.port}/")
    assert other.requests == []


@pytest.mark.parametrize(
    ("status", "final"), [(400, False), (404, False), (410, True), (429, False), (503, False)]
)
async def test_anything_but_success_is_a_failure(status, final):
    with (
        receiver(free_port(), status=status) as there,
        pytest.raises(WebhookFailed, match=str(status)) as failure,
    ):
        await send(f"http://127.0.0.1:{there.port}/")
    assert failure.value.final is final


async def test_a_long_answer_is_not_read_to_its_end():
    with receiver(free_port(), answer=64 * 1024 * 1024) as there:
        await send(f"http://127.0.0.1:{there.port}/")


async def test_an_answer_that_drips_is_cut():
    with receiver(free_port(), drips=True) as there:
        transport = HttpWebhooks(networks=LOOPBACK, attempt_seconds=0.3)
        with pytest.raises(WebhookFailed, match="the target takes too long: more than"):
            await transport.send(due(f"http://127.0.0.1:{there.port}/"), now=NOON)


async def test_a_target_that_is_not_there_is_tried_again():
    with pytest.raises(WebhookFailed, match="cannot be reached") as failure:
        await send(f"http://127.0.0.1:{free_port()}/")
    assert not failure.value.final


async def test_a_removed_target_is_not_tried_again():
    with pytest.raises(WebhookFailed, match="removed") as failure:
        await send("")
    assert failure.value.final


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "127.1",
        "2130706433",
        "0x7f000001",
        "0.0.0.0",
        "10.1.2.3",
        "172.16.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "192.0.0.8",
        "192.0.2.1",
        "198.18.0.1",
        "224.0.0.1",
        "240.0.0.1",
        "255.255.255.255",
        "localhost",
        "[::]",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "[::ffff:8.8.8.8]",
        "[::127.0.0.1]",
        "[64:ff9b::7f00:1]",
        "[64:ff9b:1::1]",
        "[2002:7f00:1::]",
        "[2001:0:7f00:1::]",
        "[fe80::1]",
        "[fc00::1]",
        "[fec0::1]",
        "[ff02::1]",
        "[2001:db8::1]",
    ],
)
async def test_what_is_not_of_the_public_internet_is_refused_before_a_connection(host, monkeypatch):
    def never(*_, **__):
        raise AssertionError("it connected")

    monkeypatch.setattr(httpx2, "AsyncClient", never)
    with pytest.raises(WebhookFailed, match="not one of the public Internet") as failure:
        await send(f"https://{host}/", networks=())
    assert failure.value.final


async def test_a_name_with_one_private_address_is_refused(monkeypatch):
    def both(_host, port, **_):
        return [
            (socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port))
            for address in ("1.1.1.1", "10.0.0.1")
        ]

    monkeypatch.setattr(socket, "getaddrinfo", both)

    with pytest.raises(WebhookFailed, match="public Internet"):
        await send("https://example.com/", networks=())


async def test_the_connection_goes_to_the_address_that_was_checked(monkeypatch):
    # A name server that gives another address for the second question.
    answers = iter(["127.0.0.1", "192.0.2.1"])

    def rebinding(_host, port, **_):
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (next(answers), port))]

    with receiver(free_port()) as there:
        monkeypatch.setattr(socket, "getaddrinfo", rebinding)
        await send(f"http://rebinding.example:{there.port}/")

    assert there.requests[0]["headers"]["Host"] == f"rebinding.example:{there.port}"
    assert next(answers) == "192.0.2.1"


async def test_another_address_is_tried_while_one_does_not_answer(monkeypatch):
    def several(_host, port, **_):
        found = ["127.0.0.2", "127.0.0.3", "127.0.0.1", "127.0.0.4"]
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in found]

    with receiver(free_port()) as there:
        monkeypatch.setattr(socket, "getaddrinfo", several)
        await send(f"http://several.example:{there.port}/")

    assert len(there.requests) == 1


async def test_a_request_that_has_been_sent_is_not_sent_to_another_address(monkeypatch):
    def several(_host, port, **_):
        return [
            (socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port))
            for address in ("127.0.0.1", "127.0.0.2")
        ]

    received = []

    async def reset(reader, writer):
        received.append(await reader.readuntil(b"\r\n\r\n"))
        # With nothing to wait for, the end of the connection is a reset.
        writer.get_extra_info("socket").setsockopt(
            socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0)
        )
        writer.transport.abort()

    async with await asyncio.start_server(reset, "0.0.0.0", 0) as server:
        port = server.sockets[0].getsockname()[1]
        monkeypatch.setattr(socket, "getaddrinfo", several)
        with pytest.raises(WebhookFailed, match=r"broke off|cannot be read") as failure:
            await send(f"http://several.example:{port}/")

    assert len(received) == 1
    assert not failure.value.final


async def test_a_host_with_other_letters_is_asked_by_its_name_for_name_servers(monkeypatch):
    asked = []

    def local(host, port, **_):
        asked.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port))]

    with receiver(free_port()) as there:
        monkeypatch.setattr(socket, "getaddrinfo", local)
        await send(f"http://bücher.example:{there.port}/")

    assert asked == ["xn--bcher-kva.example"]
    assert there.requests[0]["headers"]["Host"] == f"xn--bcher-kva.example:{there.port}"


async def test_without_tls_only_allowed_networks_are_reached(monkeypatch):
    monkeypatch.setattr(
        socket, "getaddrinfo", lambda _host, port, **_: [(socket.AF_INET, 1, 6, "", ("1.1.1.1", port))]
    )

    with pytest.raises(WebhookFailed, match="over https") as failure:
        await send("http://plain.example/", networks=())
    assert failure.value.final


def test_public_addresses_are_public():
    for address in ("1.1.1.1", "8.8.8.8", "2606:4700:4700::1111", "2a00:1450:4001:82a::200e"):
        assert is_public(ipaddress.ip_address(address))


def test_a_signature_holds_its_time():
    assert signature("s", b"{}", NOON).startswith(f"t={int(NOON.timestamp())},v1=")


async def test_requests_are_repeated_for_a_day_and_then_given_up():
    queue, clock = MemoryWebhooks(), ManualClock(NOON)
    sender = WebhookSender(
        queue=queue, transport=HttpWebhooks(networks=LOOPBACK), clock=clock, sealing=SEALING
    )
    with receiver(free_port(), status=500) as there:
        queue.addresses[1, 1] = sealed_address(SEALING, TargetAddress(f"http://127.0.0.1:{there.port}/", "s"))
        await queue.enqueue(REQUEST, at=NOON)
        for _ in range(25 * 60):
            clock.advance(NOON - NOON.replace(minute=59, hour=11))
            await sender.work()

        state = (await queue.latest(1))[1]
        # The receiver names a request when it has answered.
        await until(lambda: len(there.requests) >= state.attempts)
        attempts = len(there.requests)

    assert (state.outcome, state.attempts) == ("given-up", attempts)
    assert 40 < attempts < 60
    assert "500" in state.reason or "within a day" in state.reason
    assert {json.loads(one["body"])["text"] for one in there.requests} == {"Süß"}
    assert {one["headers"]["Idempotency-Key"] for one in there.requests} == {REQUEST.key}


class Refusing:
    """A transport to a target that is gone."""

    def __init__(self):
        self.asked = []

    async def send(self, due, *, now):  # noqa: ARG002 - it is the port's
        self.asked.append(due.request.key)
        raise WebhookFailed("the target answered 410", final=True)


async def test_the_end_of_an_incident_is_given_up_with_its_beginning():
    queue, transport, clock = MemoryWebhooks(), Refusing(), ManualClock(NOON + timedelta(hours=1))
    sender = WebhookSender(queue=queue, transport=transport, clock=clock, sealing=SEALING)
    await queue.enqueue(REQUEST, at=NOON)
    await queue.enqueue(evolve(REQUEST, key="alert-1-1-1-over-1", after=REQUEST.key), at=clock.now())

    await sender.work()

    state = (await queue.latest(1))[1]
    assert transport.asked == [REQUEST.key]
    assert (state.outcome, state.reason) == ("given-up", f"{WITHOUT_BEGINNING}: the target answered 410")


async def test_a_sealed_address_is_opened_for_its_request():
    queue = MemoryWebhooks()
    sender = WebhookSender(
        queue=queue, transport=HttpWebhooks(networks=LOOPBACK), clock=ManualClock(NOON), sealing=SEALING
    )
    with receiver(free_port()) as there:
        address = TargetAddress(f"http://127.0.0.1:{there.port}/", "s")
        queue.addresses[1, 1] = sealed_address(SEALING, address)
        await queue.enqueue(evolve(REQUEST, signed=True), at=NOON)
        await sender.work()

    body = there.requests[0]["body"]
    sent = body if isinstance(body, bytes) else body.encode()
    assert there.requests[0]["headers"]["Footfall-Signature"] == signature("s", sent, NOON)
    assert (await queue.latest(1))[1].outcome == "delivered"


async def test_an_address_of_another_secret_is_given_up_with_its_reason():
    queue, transport = MemoryWebhooks(), Stalling(2)
    sender = WebhookSender(queue=queue, transport=transport, clock=ManualClock(NOON), sealing=SEALING)
    other = sealed_address(SecretSealing(b"another"), TargetAddress("https://example.com/"))
    queue.addresses[1, 1] = other
    await queue.enqueue(REQUEST, at=NOON)

    await sender.work()

    state = (await queue.latest(1))[1]
    assert (state.outcome, state.reason, transport.sent) == ("given-up", OTHER_SECRET, [])
    assert await unopened_sites(queue, SEALING) == [1]


class Stalling:
    """A transport that holds the requests of a site until a test lets them go."""

    def __init__(self, site_id):
        self.site_id, self.is_free, self.sent = site_id, asyncio.Event(), []

    async def send(self, due, *, now):  # noqa: ARG002 - it is the port's
        if due.request.site_id == self.site_id:
            await self.is_free.wait()
        self.sent.append(due.request.key)


async def test_a_target_that_stalls_keeps_no_other_site_waiting():
    queue, transport = MemoryWebhooks(), Stalling(1)
    sender = WebhookSender(
        queue=queue, transport=transport, clock=ManualClock(NOON), sealing=SEALING, poll_seconds=0.01
    )
    for number in range(12):
        await queue.enqueue(evolve(REQUEST, key=f"1-{number}"), at=NOON)
        await queue.enqueue(evolve(REQUEST, key=f"2-{number:02}", site_id=2), at=NOON)
    running = asyncio.create_task(sender.work())

    async with asyncio.timeout(LONG):
        while len(transport.sent) < 12:
            await asyncio.sleep(0.01)
        # One that becomes due while the first is under way.
        await queue.enqueue(evolve(REQUEST, key="3-0", site_id=3), at=NOON)
        while "3-0" not in transport.sent:
            await asyncio.sleep(0.01)
        others = list(transport.sent)
        transport.is_free.set()
        attempted = await running

    assert others == [*(f"2-{number:02}" for number in range(12)), "3-0"]
    assert (attempted, len(transport.sent)) == (25, 25)
