"""Describes an exception: its class, its message and the frames of its stack, without local variables."""

import json
import re
from collections import deque
from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import Any

from attrs import frozen

from footfall.client.event.code_files import CodeFile, code_file

# The limits of the service; cut texts keep the properties within theirs, in whatever characters they are.
MAX_NAME = 256
MAX_MESSAGE = 8_192
MAX_STACK = 14_000
MOST_FRAMES = 50
MOST_RELATED = 5
MOST_FRAMES_OF_RELATED = 20
_MAX_LINE = 300
# The class of an error that is a message alone.
MESSAGE = "Message"
# JSON needs six characters for each of them, and cannot be stored with the last ones.
_UNSTORABLE = re.compile("[\x00-\x08\x0b-\x1f\ud800-\udfff]")
_SPACES = re.compile(r"\s+")


@frozen
class _Frame:
    function: str
    file: CodeFile
    line: int

    def __str__(self) -> str:
        # The notation of Chrome, by which the service reads stacks: the place begins behind the first " (".
        return f"    at {self.function.replace(' (', '(')} ({self.file.name}:{self.line})"


def describe(error: BaseException | str) -> tuple[str, dict[str, Any]]:
    """Return the class of an error, and its message, stack and place as properties (docs/errors/errors.md).

    A group with a single exception is described by that one. The place is the innermost frame that is code of the
    application.
    """
    if isinstance(error, str):
        return MESSAGE, {"message": _bounded(error, MAX_MESSAGE)}
    inner = _only_member(error)
    name, message = _name(inner), _message(inner)
    frames = _frames(inner, MOST_FRAMES)
    lines = [*map(str, frames), *_related_lines(inner, error)]
    details: dict[str, Any] = {"message": message}
    if lines:
        details["stack"] = f"{name}: {message}\n{_as_many_as_fit(lines)}"
    if own := next((frame for frame in frames if frame.file.is_in_app), None):
        details |= {"fileName": own.file.name, "lineNumber": own.line}
    return name, details


def _only_member(error: BaseException) -> BaseException:
    """Return what a group holds, if it is one exception: else all that fails in task groups would be one error."""
    while isinstance(error, BaseExceptionGroup) and len(error.exceptions) == 1:
        error = error.exceptions[0]
    return error


def _related_lines(inner: BaseException, whole: BaseException) -> Iterator[str]:
    for heading, one in _related(inner, whole):
        text = _one_line(_message(one))
        # A message can look like a place, such as `anna@example.com/a:1`.
        told = "" if "@" in text or "://" in text else f": {text}"
        yield f"{heading}: {_name(one)}{told}"
        yield from map(str, _frames(one, MOST_FRAMES_OF_RELATED))


def _related(inner: BaseException, whole: BaseException) -> Iterator[tuple[str, BaseException]]:
    """Return the causes of an exception and the members of a group, the nearest first, and the group around it."""
    seen = {id(inner)}
    waiting = deque([inner])
    if whole is not inner:
        seen.add(id(whole))
        yield "Grouped in", whole
    while waiting and len(seen) <= MOST_RELATED:
        for heading, one in _next_to(waiting.popleft()):
            if id(one) not in seen and len(seen) <= MOST_RELATED:
                seen.add(id(one))
                waiting.append(one)
                yield heading, one


def _next_to(error: BaseException) -> Iterator[tuple[str, BaseException]]:
    if isinstance(error, BaseExceptionGroup):
        yield from (("Grouped", member) for member in error.exceptions[:MOST_RELATED])
    if error.__cause__ is not None:
        yield "Caused by", error.__cause__
    elif error.__context__ is not None and not error.__suppress_context__:
        yield "While handling", error.__context__


def _frames(error: BaseException, most: int) -> list[_Frame]:
    """Return the innermost frames, the innermost first."""
    found: deque[TracebackType] = deque(maxlen=most)
    step = error.__traceback__
    while step is not None:
        found.appendleft(step)
        step = step.tb_next
    return [_frame(step) for step in found]


def _frame(step: TracebackType) -> _Frame:
    code = step.tb_frame.f_code
    return _Frame(_bounded(code.co_qualname, _MAX_LINE), code_file(code.co_filename), step.tb_lineno or 0)


def _name(error: BaseException) -> str:
    return _bounded(type(error).__name__, MAX_NAME) or "Error"


def _message(error: BaseException) -> str:
    try:
        text = str(error)
    except Exception:  # noqa: BLE001 - the class alone describes an exception that has no text
        text = ""
    return _bounded(text, MAX_MESSAGE) or _name(error)


def _bounded(text: str, maximum: int) -> str:
    text = _UNSTORABLE.sub("\ufffd", text[:maximum])
    while _json_length(text) > maximum * 3 // 2:
        text = text[: len(text) * 3 // 4]
    return text


def _one_line(text: str) -> str:
    return _SPACES.sub(" ", text[:_MAX_LINE]).strip()


def _as_many_as_fit(lines: Sequence[str]) -> str:
    size = 0
    for number, line in enumerate(lines):
        size += _json_length(line)
        if size > MAX_STACK:
            return "\n".join(lines[:number])
    return "\n".join(lines)


def _json_length(text: str) -> int:
    return len(json.dumps(text))
