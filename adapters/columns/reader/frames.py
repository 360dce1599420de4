"""Frames between workers and the reading process: a length, and JSON in which values keep their types."""

import asyncio
import json
from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from struct import Struct
from typing import Any

# Room for the sessions that files do not cover, as JSON within JSON.
LARGEST = 64 << 20
_LENGTH = Struct(">I")
# The name of a value's type, in an object of one member.
_TIME, _DECIMAL = "time", "decimal"

Message = Mapping[str, Any]


class Malformed(Exception):
    """What came is no frame, or too large; or what is to be sent is."""


class Lost(Exception):
    """The other end is gone."""


class FrameChannel:
    """A connection that carries messages: objects of texts, numbers, booleans, nulls, instants, decimals and lists."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def send(self, message: Message) -> None:
        """Send a message.

        Raises:
            Malformed: a value has another type, or the message is too large; nothing is sent.
            Lost: the other end is gone.

        """
        await self.send_frame(encode(message))

    async def send_frame(self, frame: bytes) -> None:
        """Send a message that is a frame already.

        Raises:
            Lost: the other end is gone.

        """
        try:
            self._writer.write(frame)
            await self._writer.drain()
        except OSError:
            raise Lost from None

    async def receive(self) -> Message:
        """Return the next message.

        Raises:
            Malformed: it is none, or too large.
            Lost: the other end is gone.

        """
        try:
            [length] = _LENGTH.unpack(await self._reader.readexactly(_LENGTH.size))
            if length > LARGEST:
                raise Malformed
            return decode(await self._reader.readexactly(length))
        except (asyncio.IncompleteReadError, OSError):
            raise Lost from None

    def close(self) -> None:
        """Close the connection; what is written and not sent yet is dropped."""
        self._writer.transport.abort()


def encode(message: Message) -> bytes:
    """Return the frame of a message.

    Raises:
        Malformed: a value has a type that JSON and this module do not know, or the message is too large.

    """
    try:
        body = json.dumps(message, default=_named, separators=(",", ":")).encode()
    except (TypeError, ValueError):
        raise Malformed from None
    if len(body) > LARGEST:
        raise Malformed
    return _LENGTH.pack(len(body)) + body


def decode(body: bytes) -> Message:
    """Return the message of a frame.

    Raises:
        Malformed: it is none.

    """
    try:
        message = json.loads(body, object_hook=_value)
    except (ValueError, ArithmeticError, RecursionError):
        raise Malformed from None
    if not isinstance(message, dict):
        raise Malformed
    return message


def _named(value: object) -> dict[str, str]:
    match value:
        case datetime():
            return {_TIME: value.isoformat()}
        case Decimal():
            return {_DECIMAL: str(value)}
        case _:
            raise TypeError


def _value(value: dict[str, Any]) -> Any:
    match value:
        case {"time": str(text)} if len(value) == 1:
            return datetime.fromisoformat(text)
        case {"decimal": str(text)} if len(value) == 1:
            return Decimal(text)
        case _:
            return value
