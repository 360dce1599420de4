"""Requests to a real receiver: what they hold, and what they do not reach."""

import asyncio
import hmac
import ipaddress
import socket
import ssl
import struct
from contextlib import nullcontext

import pytest

from footfall.adapters.webhook.transport import HttpWebhooks, signature
from footfall.application.ports.alerts.webhooks import (
    WebhookFailed,
)
from footfall.domain.alerts.addresses import is_public
from footfall.domain.examples import NOON
from tests.integration.alerts.sending import LOOPBACK, REQUEST, due, send
from tests.ports import free_port
from tests.servers.mail_server import make_certificate
from tests.servers.receiver import receiver


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
async def test_what_is_not_of_the_public_internet_is_refused_before_a_connection(host):
    def never():
        raise AssertionError("it connected")

    with pytest.raises(WebhookFailed, match="not one of the public Internet") as failure:
        await send(f"https://{host}/", networks=(), tls=never)
    assert failure.value.final


async def test_a_name_with_one_private_address_is_refused():
    def both(_host, port, **_):
        return [
            (socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port))
            for address in ("1.1.1.1", "10.0.0.1")
        ]

    with pytest.raises(WebhookFailed, match="public Internet"):
        await send("https://example.com/", networks=(), resolve=both)


async def test_the_connection_goes_to_the_address_that_was_checked():
    # A name server that gives another address for the second question.
    answers = iter(["127.0.0.1", "192.0.2.1"])

    def rebinding(_host, port, **_):
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (next(answers), port))]

    with receiver(free_port()) as there:
        await send(f"http://rebinding.example:{there.port}/", resolve=rebinding)

    assert there.requests[0]["headers"]["Host"] == f"rebinding.example:{there.port}"
    assert next(answers) == "192.0.2.1"


async def test_another_address_is_tried_while_one_does_not_answer():
    def several(_host, port, **_):
        found = ["127.0.0.2", "127.0.0.3", "127.0.0.1", "127.0.0.4"]
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in found]

    with receiver(free_port()) as there:
        await send(f"http://several.example:{there.port}/", resolve=several)

    assert len(there.requests) == 1


async def test_a_request_that_has_been_sent_is_not_sent_to_another_address():
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
        with pytest.raises(WebhookFailed, match=r"broke off|cannot be read") as failure:
            await send(f"http://several.example:{port}/", resolve=several)

    assert len(received) == 1
    assert not failure.value.final


async def test_a_host_with_other_letters_is_asked_by_its_name_for_name_servers():
    asked = []

    def local(host, port, **_):
        asked.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port))]

    with receiver(free_port()) as there:
        await send(f"http://bücher.example:{there.port}/", resolve=local)

    assert asked == ["xn--bcher-kva.example"]
    assert there.requests[0]["headers"]["Host"] == f"xn--bcher-kva.example:{there.port}"


async def test_without_tls_only_allowed_networks_are_reached():
    def public(_host, port, **_):
        return [(socket.AF_INET, 1, 6, "", ("1.1.1.1", port))]

    with pytest.raises(WebhookFailed, match="over https") as failure:
        await send("http://plain.example/", networks=(), resolve=public)
    assert failure.value.final


def test_public_addresses_are_public():
    for address in ("1.1.1.1", "8.8.8.8", "2606:4700:4700::1111", "2a00:1450:4001:82a::200e"):
        assert is_public(ipaddress.ip_address(address))


def test_a_signature_holds_its_time():
    assert signature("s", b"{}", NOON).startswith(f"t={int(NOON.timestamp())},v1=")
