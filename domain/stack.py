"""Stack traces: where in the code an exception arose, as Chrome, Firefox and Safari write it."""

from attrs import frozen

# A stack comes from anybody's browser: only so much of it is looked at, each line once.
MAX_LINES = 100
MAX_LINE_LENGTH = 4096
MAX_NUMBER = 2**31 - 1
_MAX_HEADING = 300
_MAX_DIGITS = 10


@frozen
class Frame:
    """A place in the code; line and column count from 1."""

    file_name: str
    line_number: int
    column_number: int | None = None


def first_frame(stack: str, *, message: str = "") -> Frame | None:
    """Return the first frame of a stack that names a file and a line, if there is one.

    Code of `eval` counts as the place that called it. `message` is the exception's, which some browsers put
    first.
    """
    lines = _without_heading(stack, message).split("\n", MAX_LINES)[:MAX_LINES]
    frames = (_frame(line.strip()) for line in lines if len(line) <= MAX_LINE_LENGTH)
    return next((frame for frame in frames if frame), None)


def whole_number(text: str) -> int | None:
    """Return a line or column number from its decimal digits; None when it is none that code has."""
    if not (text.isascii() and text.isdecimal()) or len(text) > _MAX_DIGITS:
        return None
    return int(text) if int(text) <= MAX_NUMBER else None


def _without_heading(stack: str, message: str) -> str:
    # `TypeError: message`, the message being as long as it likes and looking like frames if it likes.
    heading = f": {message}"
    at = stack.find(heading, 0, _MAX_HEADING + len(heading)) if message else -1
    return stack if at < 0 else stack[at + len(heading) :]


def _frame(line: str) -> Frame | None:
    location = _location_behind_at(line[3:]) if line.startswith("at ") else _location_behind_sign(line)
    return _read_location(location)


def _location_behind_at(text: str) -> str:
    # Chrome: `at name (location)`, `at location`, `at eval (eval at name (location), <anonymous>:1:1)`.
    _, opened, inside = text.partition(" (")
    location = inside.removesuffix(")") if opened else text.removeprefix("async ")
    while location.startswith("eval at "):
        location = location.partition(" (")[2].partition("), ")[0]
    return location


def _location_behind_sign(text: str) -> str:
    # Firefox and Safari: `name@location`, Safari also the location alone; locations can contain the sign,
    # too.
    name, _, location = text.partition("@")
    if "://" in name:
        return text
    return location


def _read_location(location: str) -> Frame | None:
    file_name, line, column = _split(location)
    file_name, within, rest = file_name.partition(" line ")
    if within:  # Firefox: `file line 7 > eval:1:1`
        line, column = whole_number(rest.partition(" ")[0]), None
    if line is None or not _names_a_file(file_name):
        return None
    return Frame(file_name, line, column)


def _split(location: str) -> tuple[str, int | None, int | None]:
    rest, _, last = location.rpartition(":")
    file_name, _, line = rest.rpartition(":")
    if whole_number(line) is None:
        return rest, whole_number(last), None
    return file_name, whole_number(line), whole_number(last)


def _names_a_file(text: str) -> bool:
    # `<anonymous>` is none, and `https://host` only has a port where the line would be.
    _, scheme, path = text.partition("://")
    return bool(text) and not text.startswith("<") and (not scheme or "/" in path)
