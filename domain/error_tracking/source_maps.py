"""Source maps: minified files with their maps, by which stacks are shown as written (docs/errors/source-maps.md)."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from gzip import compress, decompress
from hashlib import sha256
from urllib.parse import unquote

from attrs import field, frozen

from footfall.domain.error_tracking.stack_trace import Frame
from footfall.domain.exceptions import Conflict, Invalid, NotFound
from footfall.domain.text import required_text, shown_text

MAX_FILE_NAME = 500
# The limit of a minified file and its map together, as texts.
MAX_FILE_BYTES = 32 * 1024 * 1024

# People write no longer lines, as a rule; bundlers write a whole file into one.
LONGEST_WRITTEN = 200
_MINIFIED = ".min."

# Lines before and after the line of a frame, and their length.
CONTEXT_LINES = 3
MAX_LINE = 300
_MAX_NAME = 200
_DEEPEST = 20
_MEBIBYTE = 1024 * 1024


class SourceMapNotFound(NotFound):
    """The site has no such source map."""

    message = "Source map not found"


class SourceMapQuotaExceeded(Conflict):
    """The site, or one release of it, keeps as many source maps as it may."""


@frozen
class Quota:
    """Limits of what a site keeps: files of one release, and bytes of all releases as they are stored."""

    files: int = 2_000
    stored: int = 512 * 1024 * 1024

    def check(self, *, files: int, stored: int) -> None:
        """Check what a release and its site would have.

        Raises:
            SourceMapQuotaExceeded: it is more than the limits.

        """
        if files > self.files:
            raise SourceMapQuotaExceeded(f"A release has at most {self.files:,} files with source maps")
        if stored > self.stored:
            limit = f"{self.stored / _MEBIBYTE:,.0f} MiB"
            raise SourceMapQuotaExceeded(
                f"The source maps of a site take at most {limit}: delete those of old releases"
            )


@frozen(repr=False)
class MinifiedFile:
    """A minified file and its map, as bytes in UTF-8."""

    code: bytes
    source_map: bytes


@frozen(repr=False)
class PackedFile:
    """A minified file and its map as they are stored: compressed, with a digest and the size of both as texts."""

    code: bytes
    source_map: bytes
    digest: str
    size: int

    @property
    def stored(self) -> int:
        """The bytes that are stored."""
        return len(self.code) + len(self.source_map)

    @classmethod
    def of(cls, content: MinifiedFile) -> "PackedFile":
        """Return a file packed; takes about a second for each 30 MB."""
        digest = sha256(len(content.code).to_bytes(8, "big") + content.code + content.source_map).hexdigest()
        size = len(content.code) + len(content.source_map)
        return cls(compress(content.code, mtime=0), compress(content.source_map, mtime=0), digest, size)

    def unpacked(self) -> MinifiedFile:
        """Return the file as it was uploaded."""
        return MinifiedFile(decompress(self.code), decompress(self.source_map))


@frozen(kw_only=True)
class KeptFile:
    """A file that a site keeps; `stored` are its bytes as they are stored."""

    release: str
    name: str
    digest: str
    size: int
    stored: int
    uploaded_at: datetime


@frozen(kw_only=True)
class Original:
    """A position in the code as written; line and column count from 1.

    `line` and the lines around it are empty where the map has no source text, `function` where it is unknown.
    """

    file_name: str
    line_number: int
    column_number: int
    function: str = ""
    before: Sequence[str] = ()
    line: str = ""
    after: Sequence[str] = ()


@frozen
class StackLine:
    """A line of a stack as it was sent, and the position as written where a map tells it."""

    text: str
    original: Original | None = None


@frozen
class SourcedStack:
    """The lines of a stack; `unreadable` are the files whose maps could not be read."""

    lines: Sequence[StackLine]
    unreadable: Sequence[str] = field(factory=tuple)

    @property
    def is_mapped(self) -> bool:
        """Whether at least one line has a position as written."""
        return any(line.original is not None for line in self.lines)


@frozen
class MissingMap:
    """A minified file of a stack and its release, which has no source maps; None stands for an event without a release.

    `name` is the longest one under which the file can be uploaded.
    """

    release: str | None
    name: str


def minified_file(frames: Iterable[Frame]) -> str | None:
    """Return the name under which the first minified file of a stack can be uploaded; None if no file looks minified.

    Its frames have columns that lines of people do not reach, or its name says so.
    """
    for frame in frames:
        name = next(names_of(frame), "")
        is_minified = (frame.column_number or 0) > LONGEST_WRITTEN or _MINIFIED in name.rpartition("/")[2]
        if name and is_minified:
            return name
    return None


def check_source_map(content: bytes) -> None:
    """Check that bytes look like a source map, before they are kept.

    Raises:
        Invalid: they are no JSON object; the error names `map`.

    """
    if not content.lstrip().startswith((b"{", b")]}'")):
        raise Invalid({"map": ["must be a source map: a JSON object"]})


def parse_file_name(text: str) -> str:
    """Return the name of a minified file: its path below the uploaded directory, without a slash at its beginning.

    Raises:
        Invalid: it is empty, longer than 500 characters, or names a folder above; the error names `file`.

    """
    name = required_text("file", text, maximum=MAX_FILE_NAME).removeprefix("./").lstrip("/")
    parts = name.split("/")
    if not all(parts) or {".", ".."} & set(parts) or "?" in name or "#" in name:
        raise Invalid({"file": ["must be a path such as assets/app.js, without . or .., query or fragment"]})
    return name


def names_of(frame: Frame) -> Iterator[str]:
    """Yield the names under which the file of a frame can have been uploaded: its path, and each shorter end of it.

    Addresses quote spaces and letters beyond ASCII. Each end of one comes first as the file is called, then as quoted.
    """
    path = frame.file_name.partition("?")[0].partition("#")[0]
    _, scheme, address = path.partition("://")
    parts = (address.partition("/")[2] if scheme else path).split("/")
    names = [part for part in parts if part not in ("", ".")][-_DEEPEST:]
    files = [_unquoted(name) for name in names] if scheme else names
    for start in range(len(names)):
        for name in dict.fromkeys(("/".join(files[start:]), "/".join(names[start:]))):
            if len(name) <= MAX_FILE_NAME:
                yield name


def _unquoted(part: str) -> str:
    try:
        name = unquote(part, errors="strict")
    except UnicodeDecodeError:
        return part
    return name if name.isprintable() and "/" not in name else part


def shown_line(text: str) -> str:
    """Return a line of code for people: without its end, and cut."""
    line = text.rstrip("\r\n")
    return line if len(line) <= MAX_LINE else f"{line[: MAX_LINE - 1]}…"


def shown_source_name(text: str) -> str:
    """Return the name of a source file, or of a function, for people."""
    return shown_text(text, maximum=_MAX_NAME)
