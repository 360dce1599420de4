"""Events of Sentry SDKs as errors with the fields of our own endpoint: an allow-list.

See docs/track/protocols/sentry.md.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

from footfall.application.ingestion.payload_rules import MAX_ERROR_MESSAGE, TEXTS
from footfall.domain.error_tracking.stack_trace import MAX_NUMBER, first_frame
from footfall.domain.number import whole_number
from footfall.domain.text import UNSTORABLE, shown_text
from footfall.domain.tracking.release import MAX_RELEASE

# The last exceptions and threads are kept, since SDKs write the outermost exception last.
MOST_VALUES = 1_000
MOST_FRAMES = 50
MOST_CAUSES = 5
MOST_FRAMES_OF_CAUSE = 20
# With the longest message the properties stay within their limit, in whatever characters both are.
MAX_STACK = 14_000
MAX_ENVIRONMENT = 64
_MAX_FUNCTION = 200
_MAX_FILE = 500
_MAX_CAUSE = 300

# The name of a message that came without an exception, and of an exception without a type.
MESSAGE = "Message"
ERROR = "Error"
# Tuples: what an event says can be unhashable.
_SERIOUS = ("error", "fatal")
_HTTP = frozenset({"http", "https"})
# Those whose functions are known by their classes or packages.
_QUALIFIED = ("java", "go")
# JSON needs six characters for each of them.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f]")

# Code in a page has the address of the page, whose query string and fragment have no business in a stack.
_QUERY = re.compile("(://[^?#]*)[?#].*")

_Object = Mapping[str, Any]


def translated(event: _Object) -> dict[str, Any] | None:
    """Return an event as an error; None for a message below the level `error`.

    Texts that are too long are cut, as Sentry cuts them, and characters that cannot be stored are replaced.
    """
    exceptions = [value for value in _values(event.get("exception")) if _is_exception(value)]
    outermost, causes = (exceptions[-1], exceptions[-2::-1]) if exceptions else ({}, [])
    text = _message(outermost.get("value"))
    if not exceptions or _is_message(event, exceptions):
        name, message = MESSAGE, text or _message(_of_log(event))
        if not message or event.get("level", "error") not in _SERIOUS:
            return None
    else:
        name = _line(outermost.get("type"), TEXTS["event_name"]) or ERROR
        message = text or name
    frames = _frames(outermost) or _frames(event) or _frames_of_thread(event)
    properties: dict[str, Any] = {"message": message}
    lines = [f"{name}: {message}", *_lines(frames, event), *_causes(causes, event)]
    if len(lines) > 1:
        properties |= {"stack": _cut(lines), **_own_place(frames)}
    if environment := _line(event.get("environment"), MAX_ENVIRONMENT):
        properties["environment"] = environment
    return {
        "type": "error",
        "event_name": name,
        "properties": json.dumps(properties, ensure_ascii=False),
        "release": _release(event.get("release")),
        "timestamp": _instant(event.get("timestamp")),
        **_page(event.get("request")),
    }


def _values(part: Any) -> Sequence[_Object]:
    """Return the objects of a part, which SDKs write as `{"values": [...]}`, as a list, or as a single object."""
    if isinstance(part, dict):
        part = part.get("values", [part])
    if not isinstance(part, list):
        return []
    return [value for value in part[-MOST_VALUES:] if isinstance(value, dict)]


def _is_exception(value: _Object) -> bool:
    return any(isinstance(value.get(name), str) and value[name] for name in ("type", "value"))


def _is_message(event: _Object, exceptions: Sequence[_Object]) -> bool:
    """Whether the exception is only where SDKs put the stack of a message: it has no type."""
    return _of_log(event) is not None and not any(exception.get("type") for exception in exceptions)


def _of_log(event: _Object) -> Any:
    for part in (event.get("logentry"), event.get("message")):
        text = part.get("formatted") or part.get("message") if isinstance(part, dict) else part
        if text:
            return text
    return None


def _frames(holder: _Object) -> list[_Object]:
    """Return the innermost frames of a stack, which SDKs write last, in the order of our stacks."""
    stack = holder.get("stacktrace")
    frames = stack.get("frames") if isinstance(stack, dict) else None
    if not isinstance(frames, list):
        return []
    return [frame for frame in frames[: -MOST_FRAMES - 1 : -1] if isinstance(frame, dict)]


def _frames_of_thread(event: _Object) -> list[_Object]:
    """Return the frames of the thread that failed, where the exception has none."""
    for thread in _values(event.get("threads")):
        if (thread.get("crashed") is True or thread.get("current") is True) and (frames := _frames(thread)):
            return frames
    return []


def _causes(causes: Sequence[_Object], event: _Object) -> Iterator[str]:
    for cause in causes[:MOST_CAUSES]:
        named = f"Caused by: {_line(cause.get('type'), _MAX_CAUSE) or ERROR}"
        line = f"{named}: {_line(cause.get('value'), _MAX_CAUSE)}"
        # A message can look like a place, such as `anna@example.com/a:1`.
        yield line if first_frame(line) is None else named
        yield from _lines(_frames(cause)[:MOST_FRAMES_OF_CAUSE], event)


def _lines(frames: Sequence[_Object], event: _Object) -> Iterator[str]:
    """Return frames in the notation of Chrome, by which stacks are read."""
    for frame in frames:
        function, place = _function(frame, event), ":".join(map(str, _place(frame)))
        if function and place:
            yield f"    at {function} ({place})"
        elif function or place:
            yield f"    at {function or place}"


def _function(frame: _Object, event: _Object) -> str:
    name = _line(frame.get("function"), _MAX_FUNCTION)
    if name == "?":
        return ""
    module = _line(frame.get("module"), _MAX_FUNCTION)
    if name and module and (frame.get("platform") or event.get("platform")) in _QUALIFIED:
        name = f"{module}.{name}"
    # The place begins behind the first of these.
    return name.replace(" (", "(")


def _place(frame: _Object) -> list[str | int]:
    """Return file, line and column of a frame, up to the first that is not known."""
    file = _QUERY.sub(r"\1", _line(frame.get("filename") or frame.get("abs_path"), _MAX_FILE))
    place: list[str | int] = [file] if file else []
    for name in ("lineno", "colno") if file else ():
        number = whole_number(frame.get(name))
        if number is None or not 0 < number <= MAX_NUMBER:
            break
        place.append(number)
    return place


def _own_place(frames: Sequence[_Object]) -> dict[str, Any]:
    """Return the place of the innermost frame that its SDK marks as code of the application."""
    own = next(
        (place for frame in frames if frame.get("in_app") is True and len(place := _place(frame)) > 1), []
    )
    return dict(zip(("fileName", "lineNumber", "columnNumber"), own, strict=False))


def _cut(lines: Sequence[str]) -> str:
    """Return as many whole lines as fit; the heading can be as long as a message and counts apart."""
    kept, size = [lines[0]], 0
    for line in lines[1:]:
        size += len(line) + 1
        if size > MAX_STACK:
            break
        kept.append(line)
    return "\n".join(kept)


def _page(request: Any) -> dict[str, Any]:
    """Return the page of a request, of which nothing else is kept."""
    address = request.get("url") if isinstance(request, dict) else None
    if not isinstance(address, str):
        return {}
    try:
        url = urlsplit(UNSTORABLE.sub("\ufffd", address))
        hostname = url.hostname
    except ValueError:
        return {}
    if url.scheme not in _HTTP or not hostname or len(hostname) > TEXTS["hostname"]:
        return {}
    return {
        "hostname": hostname,
        "pathname": (url.path or "/")[: TEXTS["pathname"]],
        "querystring": url.query[: TEXTS["querystring"]],
    }


def _message(value: Any) -> str:
    if not isinstance(value, str):
        return ""
    text = UNSTORABLE.sub("\ufffd", value[:MAX_ERROR_MESSAGE])
    return _CONTROL.sub("\ufffd", text)


def _line(value: Any, maximum: int) -> str:
    """Return a text in one line, cut; empty for every other value."""
    if not isinstance(value, str):
        return ""
    return shown_text(UNSTORABLE.sub("\ufffd", value[: 4 * maximum]), maximum=maximum)


def _release(value: Any) -> str | None:
    """Return a release; one that is too long is none, since cut ones would be one release."""
    text = _line(value, MAX_RELEASE + 1)
    return text if 0 < len(text) <= MAX_RELEASE else None


def _instant(value: Any) -> str | None:
    """Return a time in seconds since 1970, or in ISO 8601, in UTC without an offset, as our own endpoint reads it."""
    try:
        if isinstance(value, str):
            at = datetime.fromisoformat(value)
            return (at if at.tzinfo else at.replace(tzinfo=UTC)).astimezone(UTC).isoformat()
        if isinstance(value, int | float) and not isinstance(value, bool):
            return datetime.fromtimestamp(value, UTC).isoformat()
    except (ValueError, OverflowError, OSError):
        pass
    return None
