"""The client address behind proxies."""

import ipaddress
import tracemalloc

import falcon.asgi
import falcon.testing
import pytest

from footfall.adapters.http.wire.client_address import ClientAddress


def address(peer, forwarded, trusted=("10.0.0.0/8", "2001:db8::/32")):
    headers = {} if forwarded is None else {"X-Forwarded-For": forwarded}
    scope = falcon.testing.create_scope(headers=headers) | {"client": (peer, 4711)}
    request = falcon.asgi.Request(scope, falcon.testing.ASGIRequestEventEmitter())
    return ClientAddress([ipaddress.ip_network(network) for network in trusted]).of(request)


@pytest.mark.parametrize(
    ("peer", "forwarded", "client"),
    [
        ("192.0.2.1", None, "192.0.2.1"),
        ("192.0.2.1", "198.51.100.1", "192.0.2.1"),
        ("10.0.0.1", "198.51.100.1", "198.51.100.1"),
        ("10.0.0.1", "203.0.113.9, 198.51.100.1", "198.51.100.1"),
        ("10.0.0.1", "198.51.100.1, 10.0.0.2", "198.51.100.1"),
        ("10.0.0.1", "198.51.100.1:4711", "198.51.100.1"),
        ("10.0.0.1", "[2001:db9::1]:443", "2001:db9::1"),
        ("::ffff:10.0.0.1", "198.51.100.1", "198.51.100.1"),
        ("10.0.0.1", None, "10.0.0.1"),
        ("10.0.0.1", "unknown", "unknown"),
    ],
)
def test_the_last_address_that_no_trusted_proxy_vouches_for_is_the_client(peer, forwarded, client):
    assert address(peer, forwarded) == client


def test_without_trusted_proxies_the_peer_is_the_client():
    assert address("10.0.0.1", "198.51.100.1", trusted=()) == "10.0.0.1"


@pytest.mark.parametrize("trusted", [(), ("10.0.0.0/8",)])
@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:DB8:0:0::1", "2001:db8::1"),
        ("fe80::1%eth0", "fe80::1"),
        ("", ""),
    ],
)
def test_an_address_is_the_same_however_it_is_written(trusted, written, meant):
    assert address(written, None, trusted) == meant
    assert address("10.0.0.1", written, ("10.0.0.0/8",)) == (meant or "10.0.0.1")


def test_forwarding_headers_of_any_length_do_not_stay_in_memory():
    client_address = ClientAddress([ipaddress.ip_network("10.0.0.0/8")])
    tracemalloc.start()

    for number in range(1_000):
        client_address.behind("10.0.0.1", f"{number}, {'x' * 8_000}, 198.51.100.1")

    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert kept < 1_000_000


def test_a_long_forwarding_header_names_the_same_client_as_a_short_one():
    assert address("10.0.0.1", f"{'x' * 8_000}, 198.51.100.1, 10.0.0.2") == "198.51.100.1"
