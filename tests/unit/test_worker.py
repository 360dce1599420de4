"""A worker is the master's to end from its first moment on."""

import os
import queue
import signal
from types import SimpleNamespace

import pytest

from footfall.adapters.prometheus import Regions
from footfall.entrypoints.server import Server
from footfall.entrypoints.settings import read_settings

ENDINGS = [signal.SIGTERM, signal.SIGINT, signal.SIGQUIT]


@pytest.fixture
def fork():
    """Do what happens in a worker right after the fork, which has the master's handlers; afterwards, take it back."""
    before = {number: signal.getsignal(number) for number in ENDINGS}
    server = Server(read_settings({}), lambda _share: None, when_ready=lambda: None)
    arbiter = SimpleNamespace(SIG_QUEUE=queue.SimpleQueue())
    for number in ENDINGS:
        signal.signal(number, lambda number, _frame: arbiter.SIG_QUEUE.put_nowait(number))

    yield lambda: server._after_fork(arbiter, SimpleNamespace(footfall_region=Regions(1).take()))

    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.parametrize("number", ENDINGS)
def test_what_the_master_says_before_a_worker_listens_is_heard(fork, number):
    os.kill(os.getpid(), number)

    with pytest.raises(SystemExit):
        fork()


@pytest.mark.parametrize("number", ENDINGS)
def test_what_the_master_says_while_a_worker_begins_is_heard_at_once(fork, number):
    fork()

    with pytest.raises(SystemExit):
        os.kill(os.getpid(), number)
