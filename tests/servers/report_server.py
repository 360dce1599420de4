"""A stand-in for the service that answers requests for reports by a script."""

import time
from urllib.parse import parse_qsl, urlsplit

from attrs import define, field, frozen

from tests.servers.stand_in import Handler, StandIn

KEY = "ff_secret"
POSITIONS = "site=1, at=1795351200000, journal=41, traffic.main=120386, sessions=2"


@frozen
class Reply:
    """An answer, sent piece by piece with pauses; one that breaks off is shorter than it said."""

    body: str = ""
    status: int = 200
    headers: dict = field(factory=dict)
    pause: float = 0.0
    breaks_off: bool = False


def rows(*lines, **headers):
    """Return a report in CSV; the names of headers have underscores."""
    named = {f"Footfall-{name.title()}": value for name, value in headers.items()}
    return Reply("".join(f"{line}\r\n" for line in lines), headers={"Content-Type": "text/csv", **named})


@frozen
class Asked:
    path: str
    query: dict
    key: str
    port: int


class _Handler(Handler):
    def do_GET(self):  # noqa: N802 - the name of http.server
        server, parts = self.server.stand_in, urlsplit(self.path)
        asked = Asked(
            parts.path, dict(parse_qsl(parts.query)), self.headers["Authorization"], self.client_address[1]
        )
        server.requests.append(asked)
        reply = server.answer(asked)
        if reply is None:
            server.released.wait()
            self.close_connection = True
            return
        content = reply.body.encode()
        self.send_response(reply.status)
        for name, value in reply.headers.items():
            self.send_header(name, str(value))
        self.send_header("Content-Length", str(len(content) + reply.breaks_off))
        self.end_headers()
        for piece in (
            (content[at : at + 16] for at in range(0, len(content), 16)) if reply.pause else [content]
        ):
            time.sleep(reply.pause)
            try:
                self.wfile.write(piece)
            except OSError:
                break
        self.close_connection = reply.breaks_off


@define(slots=False)
class ReportServer(StandIn):
    """`answer` returns the reply to a request; None to say nothing until the server ends."""

    handler = _Handler
    answer: object
    requests: list[Asked] = field(factory=list)
