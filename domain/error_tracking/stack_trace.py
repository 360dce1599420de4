"""Stack traces in the notations of Chrome, Firefox and Safari."""

from collections.abc import Iterator

from attrs import frozen

# Stacks come from untrusted browsers; the limits bound the work for each.
MAX_LINES = 100
MAX_LINE_LENGTH = 4096
MAX_NUMBER = 2**31 - 1
_MAX_HEADING = 300
_MAX_DIGITS = 10


@frozen
class Frame:
    """A position in the code; line and column count from 1."""

    file_name: str
    line_number: int
    column_number: int | None = None

    def is_in(self, file_name: str) -> bool:
        """Whether the name is that of the frame's file or the end of its path."""
        if self.file_name == file_name:
            return True
        path = self.file_name.partition("?")[0].partition("#")[0]
        ending = file_name.removeprefix("/")
        return bool(ending) and any(name.endswith(f"/{ending}") for name in (self.file_name, path))


def frames(stack: str, *, message: str = "") -> Iterator[Frame]:
    """Return the frames of a stack that name a file and a line, in the order of the stack.

    Code of `eval` counts as the position of its caller. Some browsers put the `message` of the exception first.
    """
    return (frame for _, frame in lines(stack, message=message) if frame)


def lines(stack: str, *, message: str = "") -> Iterator[tuple[str, Frame | None]]:
    """Return the lines of a stack, each with its frame if it names a file and a line."""
    for line in trace(stack, message).split("\n", MAX_LINES)[:MAX_LINES]:
        yield line, _frame(line.strip()) if len(line) <= MAX_LINE_LENGTH else None


def first_frame(stack: str, *, message: str = "") -> Frame | None:
    """Return the first frame, or None."""
    return next(frames(stack, message=message), None)


def trace(stack: str, message: str) -> str:
    """Return a stack without the class and the message that some browsers put first."""
    # The message can be long and can look like frames.
    heading = f": {message}"
    at = stack.find(heading, 0, _MAX_HEADING + len(heading)) if message else -1
    return stack if at < 0 else stack[at + len(heading) :]


def whole_number(text: str) -> int | None:
    """Return a line or column number from its decimal digits; None for other texts and for numbers out of range."""
    if not (text.isascii() and text.isdecimal()) or len(text) > _MAX_DIGITS:
        return None
    return int(text) if int(text) <= MAX_NUMBER else None


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
    # Firefox and Safari: `name@location`, Safari also the location alone; a location can contain the sign too.
    name, _, location = text.partition("@")
    if "://" in name:
        return text
    return location


def _read_location(location: str) -> Frame | None:
    file_name, line, column = _split(location)
    file_name, within, position = file_name.partition(" line ")
    if within:  # Firefox: `file line 7 > eval:1:1`
        line, column = whole_number(position.partition(" ")[0]), None
    if line is None or not _is_file(file_name):
        return None
    return Frame(file_name, line, column)


def _split(location: str) -> tuple[str, int | None, int | None]:
    before, _, last = location.rpartition(":")
    file_name, _, line = before.rpartition(":")
    if whole_number(line) is None:
        return before, whole_number(last), None
    return file_name, whole_number(line), whole_number(last)


def _is_file(text: str) -> bool:
    # `<anonymous>` is no file, and `https://host:443` has its port in the position of the line.
    _, scheme, path = text.partition("://")
    return bool(text) and not text.startswith("<") and (not scheme or "/" in path)
