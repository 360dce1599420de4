"""Only bodies that came as a whole reach an application, whatever the framing and the route."""

import asyncio

import falcon
import pytest

from footfall.adapters.http.wire.bodies import MAX_BATCH_BODY, MAX_BODY, MAX_UPLOAD_BODY
from footfall.adapters.http.wire.body_limits import BATCH_PATH, WholeBodies, handed_on
from footfall.adapters.http.wire.context import RequestIds
from footfall.adapters.http.wire.middleware import Record
from footfall.adapters.memory.metrics import MemoryMetrics
from tests.waiting import LONG

DISCONNECT = {"type": "http.disconnect"}
# As long as a piece is waited for that never comes; pieces that come have as long as a busy machine needs.
SECONDS = 0.2
UPLOAD = "/api/sites/1/source-maps"


def piece(body, *, more=False):
    return {"type": "http.request", "body": body, "more_body": more}


class Exchange:
    """One request to an application behind the edge: the server's events in, the answer's out."""

    def __init__(self, *events, length=None, path="/a", method="POST", seconds=SECONDS, **headers):
        self.events, self.sent, self.bodies, self.seconds = list(events), [], [], seconds
        # How many events of the server had not been asked for when the answer began.
        self.unread = None
        # Whether the server was asked for more than there was to come.
        self.waited = False
        self.metrics = MemoryMetrics()
        headers = [(name.encode(), value.encode()) for name, value in {"host": "h", **headers}.items()]
        headers += [] if length is None else [(b"content-length", str(length).encode())]
        self.scope = {
            "type": "http",
            "http_version": "1.1",
            "path": path,
            "method": method,
            "headers": headers,
        }

    async def run(self):
        edge = WholeBodies(
            self.application,
            RequestIds(),
            Record(self.metrics),
            body_seconds=self.seconds,
            leftover_seconds=self.seconds,
        )
        await edge(self.scope, self.receive, self.send)
        return self

    async def application(self, _scope, receive, send):
        try:
            self.bodies.append(await handed_on(receive))
            status = 200
        except falcon.HTTPContentTooLarge:
            status = 413
        await send({"type": "http.response.start", "status": status, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    async def receive(self):
        if not self.events:
            self.waited = True
            await asyncio.Future()
        return self.events.pop(0)

    async def send(self, event):
        if not self.sent:
            self.unread = len(self.events)
        self.sent.append(event)

    @property
    def status(self):
        return self.sent[0]["status"]


async def test_a_body_in_one_piece_is_handed_on():
    exchange = await Exchange(piece(b"{}"), length=2).run()

    assert (exchange.status, exchange.bodies) == (200, [b"{}"])


@pytest.mark.parametrize("length", [None, 6])
async def test_a_body_in_several_pieces_is_handed_on_as_one(length):
    pieces = [piece(b"ab", more=True), piece(b"", more=True), piece(b"cd", more=True), piece(b"ef")]

    exchange = await Exchange(*pieces, length=length, seconds=LONG).run()

    assert exchange.bodies == [b"abcdef"]


async def test_after_the_body_the_application_hears_what_the_server_says():
    heard = []

    async def application(_scope, receive, _send):
        heard.extend([await receive(), await receive()])

    exchange = Exchange(piece(b"{}"), DISCONNECT, length=2)
    edge = WholeBodies(application, RequestIds(), Record(exchange.metrics))
    await edge(exchange.scope, exchange.receive, exchange.send)

    assert heard == [piece(b"{}"), DISCONNECT]


INCOMPLETE = {
    "no piece": Exchange(DISCONNECT, length=2),
    "chunks without the last one": Exchange(piece(b"{}", more=True), DISCONNECT),
    "less than announced": Exchange(piece(b"{", more=True), DISCONNECT, length=2),
    "an end before the announced length": Exchange(piece(b"{"), length=2),
    "more than announced": Exchange(piece(b"{}}"), length=2),
    "a piece that never comes": Exchange(piece(b"{", more=True), length=2),
    "an unread body of a deletion": Exchange(DISCONNECT, length=2, method="DELETE"),
}


@pytest.mark.parametrize("name", INCOMPLETE)
async def test_an_incomplete_body_never_reaches_the_application(name):
    exchange = await INCOMPLETE[name].run()

    assert exchange.bodies == []
    assert exchange.status == 408
    assert (b"connection", b"close") in exchange.sent[0]["headers"]
    assert b'"error":"Request timeout"' in exchange.sent[1]["body"]
    assert exchange.metrics.requests == {(exchange.scope["method"], "none", 408): 1}


async def test_a_trickling_body_ends_with_its_time():
    class Trickle(Exchange):
        async def receive(self):
            await asyncio.sleep(SECONDS / 10)
            return piece(b"a", more=True)

    exchange = await Trickle().run()

    assert (exchange.status, exchange.bodies) == (408, [])


@pytest.mark.parametrize(("path", "maximum"), [("/a", MAX_BODY), (BATCH_PATH, MAX_BATCH_BODY)])
async def test_a_body_may_be_as_long_as_its_path_allows(path, maximum):
    longest, longer = b"a" * maximum, b"a" * (maximum + 1)

    assert (await Exchange(piece(longest), path=path).run()).bodies == [longest]
    assert (await Exchange(piece(longer), path=path).run()).status == 413
    pieces = [piece(longest, more=True), piece(b"a", more=True), DISCONNECT]
    assert (await Exchange(*pieces, path=path, seconds=LONG).run()).status == 413


async def test_an_announced_length_over_the_limit_is_refused_before_the_body_comes():
    exchange = await Exchange(length=MAX_BODY + 1).run()

    assert (exchange.status, exchange.bodies) == (413, [])
    assert (b"connection", b"close") in exchange.sent[0]["headers"]


@pytest.mark.parametrize(("headers", "unread"), [({}, 1), ({"expect": "100-continue"}, 7)])
async def test_a_refused_body_is_thrown_away_before_the_answer_unless_its_sender_asks_first(headers, unread):
    exchange = await Exchange(
        *[piece(b"a", more=True)] * 5,
        piece(b"a"),
        piece(b"next"),
        length=MAX_BODY + 1,
        seconds=LONG,
        **headers,
    ).run()

    assert exchange.status == 413
    assert exchange.unread == unread
    assert exchange.events == [piece(b"next")]


@pytest.mark.parametrize("path", ["/a", UPLOAD])
async def test_nothing_is_awaited_after_a_body_whose_last_piece_passes_the_limit(path):
    maximum = MAX_UPLOAD_BODY if path == UPLOAD else MAX_BODY
    exchange = Exchange(piece(b"a" * maximum, more=True), piece(b"a"), path=path, method="PUT")

    await exchange.run()

    assert exchange.status == 413
    assert not exchange.waited


async def test_events_that_are_no_request_pass_unchanged():
    seen = []

    async def application(*arguments):
        seen.append(arguments)

    exchange = Exchange()
    scope = {"type": "lifespan"}
    await WholeBodies(application, RequestIds(), Record(exchange.metrics))(
        scope, exchange.receive, exchange.send
    )

    assert seen == [(scope, exchange.receive, exchange.send)]


class Upload(Exchange):
    """A request that the application refuses, or whose body it asks for."""

    def __init__(self, *events, asks=True, **known):
        super().__init__(*events, path=UPLOAD, method="PUT", **known)
        self.asks = asks

    async def application(self, scope, receive, send):
        if self.asks:
            try:
                await super().application(scope, receive, send)
            except falcon.HTTPError as refusal:
                await send({"type": "http.response.start", "status": refusal.status_code, "headers": []})
            return
        await receive()
        await send({"type": "http.response.start", "status": 401, "headers": []})


async def test_an_upload_is_read_when_it_is_asked_for():
    pieces = [piece(b"a" * MAX_BATCH_BODY, more=True), piece(b"a" * MAX_BATCH_BODY)]

    exchange = await Upload(*pieces, length=2 * MAX_BATCH_BODY, seconds=LONG).run()

    assert (exchange.status, len(exchange.bodies[0])) == (200, 2 * MAX_BATCH_BODY)
    assert exchange.sent[0]["headers"] == []


async def test_an_upload_over_its_limit_is_refused():
    too_long = [piece(b"a" * MAX_UPLOAD_BODY, more=True), piece(b"a"), DISCONNECT]

    assert (await Upload(*too_long, seconds=LONG).run()).status == 413
    assert (await Upload(length=MAX_UPLOAD_BODY + 1).run()).status == 413


@pytest.mark.parametrize(("headers", "unread"), [({}, 0), ({"expect": "100-continue"}, 2)])
async def test_the_body_of_a_refused_upload_is_thrown_away(headers, unread):
    pieces = [piece(b"a", more=True), piece(b"b")]
    exchange = await Upload(*pieces, asks=False, length=2, seconds=LONG, **headers).run()

    assert exchange.status == 401
    assert exchange.unread == unread
    assert (b"connection", b"close") in exchange.sent[0]["headers"]
    assert exchange.events == []


@pytest.mark.parametrize(
    "events", [[DISCONNECT], [piece(b"a", more=True), DISCONNECT], [piece(b"a", more=True)]]
)
async def test_an_incomplete_upload_is_not_handed_on(events):
    exchange = await Upload(*events, length=5).run()

    assert (exchange.status, exchange.bodies) == (408, [])
    assert (b"connection", b"close") in exchange.sent[0]["headers"]


async def test_only_an_upload_may_be_large():
    exchange = await Exchange(piece(b"a" * (MAX_BODY + 1)), path=UPLOAD, method="POST").run()

    assert exchange.status == 413
