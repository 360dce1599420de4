"""An address in use is waited for, and named when it stays in use."""

import socket
import threading

import pytest

from footfall.entrypoints.server.address import AddressUnusable, require_address


@pytest.fixture
def listener():
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield listening


def test_a_free_address_is_accepted_at_once(listener):
    port = listener.getsockname()[1]
    listener.close()

    require_address("127.0.0.1", port, wait=0)


def test_an_address_that_becomes_free_is_waited_for(listener, caplog):
    threading.Timer(0.3, listener.close).start()

    require_address("127.0.0.1", listener.getsockname()[1], wait=30)

    assert [record.getMessage().partition(" is ")[2] for record in caplog.records] == [
        "in use: waiting up to 30 s for it"
    ]


def test_an_address_that_stays_in_use_is_named(listener):
    port = listener.getsockname()[1]

    with pytest.raises(
        AddressUnusable, match=f"cannot listen on 127.0.0.1, port {port}: Address already in use"
    ):
        require_address("127.0.0.1", port, wait=0.2)


def test_an_address_of_another_machine_is_refused_at_once():
    with pytest.raises(AddressUnusable, match=r"cannot listen on 192.0.2.1"):
        require_address("192.0.2.1", 8000, wait=60)
