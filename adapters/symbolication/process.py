"""The Symbolicator that reads each map in a process of its own, which a hostile map can at most end."""

import asyncio
import json
import sys
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from typing import Any

from attrs import define, field

from footfall.application.ports.errors.source_maps import UnreadableSourceMap
from footfall.domain.error_tracking.source_maps import (
    CONTEXT_LINES,
    MinifiedFile,
    Original,
    shown_line,
    shown_source_name,
)

# More than the processor time that the process may use, for a machine that is busy.
SECONDS = 8.0
# The text of one place is bounded, so that an answer of many places is no attack either.
_LONGEST_ANSWER = 16 * 1024 * 1024
_CHILD = "footfall.adapters.symbolication.child"


@define
class ProcessSymbolicator:
    """Reads one map at a time; others wait for their turn."""

    _seconds: float = SECONDS
    _turn: asyncio.Semaphore = field(factory=lambda: asyncio.Semaphore(1), init=False)

    async def originals(
        self, content: MinifiedFile, places: Sequence[tuple[int, int]]
    ) -> Sequence[Original | None]:
        """Return the positions as written of places."""
        header = {
            "code": len(content.code),
            "map": len(content.source_map),
            "places": [list(place) for place in places],
            "context": CONTEXT_LINES,
        }
        request = b"\n".join([json.dumps(header).encode(), content.code + content.source_map])
        async with self._turn:
            answer = await self._answer_to(request)
        return [None if original is None else _original(original) for original in answer]

    async def _answer_to(self, request: bytes) -> list[Any]:
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-I", "-m", _CHILD, stdin=pipe, stdout=pipe, stderr=asyncio.subprocess.DEVNULL
        )
        try:
            async with asyncio.timeout(self._seconds):
                answer, _ = await process.communicate(request)
        except TimeoutError:
            raise UnreadableSourceMap("the map takes too long to read") from None
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        if process.returncode or len(answer) > _LONGEST_ANSWER:
            raise UnreadableSourceMap("the map cannot be read")
        originals: list[Any] = json.loads(answer)
        return originals


def symbolicator() -> ProcessSymbolicator | None:
    """Return the Symbolicator; None where its library is not installed."""
    return None if find_spec("symbolic") is None else ProcessSymbolicator()


def _original(original: Mapping[str, Any]) -> Original:
    return Original(
        file_name=shown_source_name(original["file"]),
        line_number=original["line"],
        column_number=original["column"],
        function=shown_source_name(original["function"]),
        before=tuple(map(shown_line, original["before"])),
        line=shown_line(original["text"]),
        after=tuple(map(shown_line, original["after"])),
    )
