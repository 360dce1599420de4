"""A way to PostgreSQL on which answers are lost."""

import asyncio
import contextlib


class DeafWay:
    """A way to the server on which some of what the server says is lost."""

    def __init__(self, folder, target):
        self.path, self._target = str(folder), target
        self.loses: bytes | None = None
        self.cuts = False
        self._writers: list[asyncio.StreamWriter] = []

    async def __aenter__(self):
        self._server = await asyncio.start_unix_server(self._serve, f"{self.path}/.s.PGSQL.5432")
        return self

    async def __aexit__(self, *_):
        self._server.close()
        for writer in self._writers:
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()

    async def _serve(self, reader, writer):
        server_reader, server_writer = await asyncio.open_unix_connection(self._target)
        self._writers += [writer, server_writer]
        there = asyncio.ensure_future(self._pass(reader, server_writer))
        await self._pass(server_reader, writer, loses=True)
        await there

    async def _pass(self, reader, writer, *, loses=False):
        lost = False
        with contextlib.suppress(OSError):
            while piece := await reader.read(65_536):
                lost = lost or bool(loses and self.loses and self.loses in piece)
                if lost and self.cuts:
                    break
                if not lost:
                    writer.write(piece)
                    await writer.drain()
        writer.close()
