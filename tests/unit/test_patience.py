"""A body that comes slowly or never keeps nobody waiting."""

import pytest

from footfall.adapters.http import patience
from footfall.adapters.http.patience import Patience

PIECE = {"type": "http.request", "body": b"{", "more_body": True}


@pytest.fixture
def clock(monkeypatch):
    now = [1000.0]
    monkeypatch.setattr(patience.time, "monotonic", lambda: now[0])
    return now


async def received(scope, receive, *, pieces):
    seen = []

    async def application(_scope, receive, _send):
        seen.extend([await receive() for _ in range(pieces)])

    await Patience(application)(scope, receive, None)
    return seen


async def test_a_request_is_seen_before_its_body_is_there():
    async def never():
        raise AssertionError("nobody asked for the body")

    [first] = await received({"type": "http"}, never, pieces=1)

    assert first == {"type": "http.request", "body": b"", "more_body": True}


async def test_a_body_comes_piece_by_piece(clock):
    async def one():
        clock[0] += 1
        return PIECE

    assert (await received({"type": "http"}, one, pieces=3))[1:] == [PIECE, PIECE]


async def test_a_body_that_trickles_is_given_up(clock):
    async def slowly():
        clock[0] += patience.BODY_SECONDS / 2
        return PIECE

    _, *pieces = await received({"type": "http"}, slowly, pieces=3)

    assert [piece["type"] for piece in pieces] == ["http.request", "http.disconnect"]


async def test_what_is_no_request_is_passed_on_as_it_is():
    async def startup():
        return {"type": "lifespan.startup"}

    assert await received({"type": "lifespan"}, startup, pieces=1) == [{"type": "lifespan.startup"}]
