"""Connections that know a short way for whole tracking events (Express); everything else goes through ASGI."""

import asyncio
import re
import time
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Self

from attrs import define
from gunicorn.asgi.parser import PythonProtocol
from gunicorn.asgi.protocol import ASGIProtocol

from footfall.adapters.http.bodies import MAX_BODY
from footfall.adapters.http.express import EXPRESS_PATH
from footfall.entrypoints.connections import Connection, is_host, own_lines

_REQUEST_LINE = f"POST {EXPRESS_PATH} HTTP/1.1\r\n".encode()
_HEAD_END = b"\r\n\r\n"
# What gunicorn allows one line is enough for a whole head here.
_MAX_HEAD = 8_000
_MAX_LINES = 100
_TOKEN = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_TEXT = b"\t" + bytes(range(0x20, 0x7F)) + bytes(range(0x80, 0x100))
_NO_NAME = ""
# With the last two, gunicorn compares what several headers say of the scheme.
_UNUSUAL = frozenset(
    {_NO_NAME, "expect", "upgrade", "transfer-encoding", "x-forwarded-protocol", "x-forwarded-ssl"}
)
# The short way leads through these; in a gunicorn that has others in their place there is none.
_IS_THERE = all(
    hasattr(ASGIProtocol, name) for name in ("_feed_callback_parser", "_serve_http_request", "_safe_write")
) and {"_state", "_buffer", "is_complete"} <= set(PythonProtocol.__slots__)


@define(eq=False)
class WholeRequest:
    """A request that takes the short way, in the place of gunicorn's own, and what has come behind it."""

    headers: Mapping[str, str]
    body: bytes
    rest: bytes

    @classmethod
    def at_the_start_of(cls, piece: bytes) -> Self | None:
        """Return the tracking event that a piece begins with, when all of it is there and nothing about it is unusual.

        What is refused here is refused by nobody: gunicorn's parser looks at it next. So this takes nothing that
        gunicorn would not take in the same way, and what it takes is the exact form that RFC 9112 gives.
        """
        end = piece.find(_HEAD_END, len(_REQUEST_LINE), _MAX_HEAD)
        if end < 0:
            return None
        headers = _headers(piece[len(_REQUEST_LINE) : end])
        if headers is None:
            return None
        begin = end + len(_HEAD_END)
        length = _length(headers.get("content-length", "0"))
        if length is None or length > len(piece) - begin:
            return None
        return cls(headers, piece[begin : begin + length], piece[begin + length :])

    def may_upgrade(self) -> bool:
        """Tell gunicorn that the connection stays what it is."""
        return False


class ShortWay(Connection):
    """A connection on which gunicorn's loop serves all requests, but builds nothing for some of them.

    A request takes the short way when all of it is in the piece that has just come, so that nobody waits on that way.
    """

    _callback_parser: Any
    _flow_control: Any
    _request_ready: Any
    _current_request: Any

    def _feed_callback_parser(self, data: bytes) -> bool:
        if data.startswith(_REQUEST_LINE) and self._is_open():
            whole = WholeRequest.at_the_start_of(data)
            if whole is not None:
                self._take(whole)
                return True
        return super()._feed_callback_parser(data)

    def _is_open(self) -> bool:
        return (
            _IS_THERE
            and self._current_request is None
            and not self._head_so_far
            and self.worker.alive
            and not self._flow_control.write_paused
        )

    def _take(self, whole: WholeRequest) -> None:
        # The parser is left as it is behind a request of its own: it keeps what comes until this one is answered.
        parser = self._callback_parser
        parser._state = "complete"  # noqa: SLF001 - there is no other way to say so
        parser.is_complete = True
        parser.feed(whole.rest)
        self._current_request = whole
        self._request_ready.set()

    async def _serve_http_request(self, request: Any, sockname: Any, peername: Any) -> bool:
        if not isinstance(request, WholeRequest):
            keeps: bool = await super()._serve_http_request(request, sockname, peername)  # type: ignore[no-untyped-call]
            return keeps
        peer = peername[0] if peername else ""
        head, body = await self.app.express.answer(request.headers, request.body, peer)
        if request.rest:
            # A refusal waits for nothing: many of them behind each other would keep everybody else waiting.
            await asyncio.sleep(0)
        alive: bool = self.worker.alive
        if not self._closed:
            closing = b"" if alive else b"Connection: close\r\n"
            answer = b"".join((head, own_lines(int(time.time())), closing, b"\r\n", body))
            self._safe_write(answer)  # type: ignore[no-untyped-call]
        return alive


def _headers(head: bytes) -> dict[str, str] | None:
    """Return the headers of a head without its first line; None when anything about them is unusual."""
    lines = head.decode("latin-1").split("\r\n")
    # One pass over all characters that may be in no header: of them only the ends of the lines may be left.
    if len(lines) > _MAX_LINES or head.translate(None, _TEXT) != b"\r\n" * (len(lines) - 1):
        return None
    parts = [line.partition(":") for line in lines]
    headers = {_name(name): value.strip(" \t") for name, colon, value in parts if colon}
    if (
        len(headers) != len(lines)
        or not _UNUSUAL.isdisjoint(headers)
        or headers.get("connection", "keep-alive").lower() != "keep-alive"
        or not is_host(headers.get("host"))
    ):
        return None
    return headers


def _length(announced: str) -> int | None:
    if len(announced) > len(str(MAX_BODY)) or not announced.isdecimal():
        return None
    length = int(announced)
    return length if length <= MAX_BODY else None


@lru_cache(maxsize=256)
def _name(name: str) -> str:
    return name.lower() if _TOKEN.fullmatch(name) else _NO_NAME
