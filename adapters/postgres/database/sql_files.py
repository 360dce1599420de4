"""SQL in files: whole statements, and statements that are assembled from several files.

`room/folder/name` is the file `room/sql/folder/name.sql` of this package. Each file begins with a comment that holds
its name, by which `pg_stat_statements` and the server's log tell statements apart.

Some places are filled in every file: the lists of attributes that sessions take from their earliest hit, as the domain
declares.

Where Citus refuses a statement, `name.citus.sql` beside it holds the one that stores of Citus run instead.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from string import Formatter
from types import MappingProxyType

from psycopg import sql

from footfall.domain.traffic.session import FIRST_HIT_ATTRIBUTES

_CITUS = ".citus.sql"
_OF_EARLIER = (
    "{0} = case when excluded.started_at < session.started_at then excluded.{0} else session.{0} end"
)
_LISTS: Mapping[bytes, bytes] = MappingProxyType(
    {
        b"{first_hit_attributes}": ", ".join(FIRST_HIT_ATTRIBUTES).encode(),
        b"{attributes_of_earlier}": ", ".join(map(_OF_EARLIER.format, FIRST_HIT_ATTRIBUTES)).encode(),
    }
)


@cache
def statement(name: str) -> bytes:
    """Return the statement that a file holds; values are parameters of it.

    The result is bytes, so that no caller composes SQL from input.
    """
    room, _, rest = name.partition("/")
    return _read(files("footfall.adapters.postgres").joinpath(room, "sql", f"{rest}.sql"))


def _read(file: Traversable) -> bytes:
    text = file.read_bytes()
    for place, names in _LISTS.items():
        text = text.replace(place, names)
    return text


@cache
def citus_statements() -> Mapping[bytes, bytes]:
    """Return the statements of stores of Citus, each by the one that it replaces."""
    return dict(_pairs(files("footfall.adapters.postgres")))


def _pairs(folder: Traversable) -> Iterator[tuple[bytes, bytes]]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _pairs(entry)
        elif entry.name.endswith(_CITUS) and folder.name != "migrations":
            usual = folder.joinpath(f"{entry.name.removesuffix(_CITUS)}.sql")
            yield _read(usual), _read(entry)


class Assembled(sql.Composed):
    """A statement of a file whose places are filled; it knows how it was made."""

    def __init__(self, parts: sql.Composed, name: str, pieces: Mapping[str, sql.Composable]) -> None:
        super().__init__(list(parts))
        self._name, self._pieces = name, pieces

    def for_citus(self) -> sql.Composed:
        """Return the statement that stores of Citus run instead."""
        return compose(f"{self._name}.citus", **self._pieces) if _has_variant(self._name) else self


@cache
def _has_variant(name: str) -> bool:
    room, _, rest = name.partition("/")
    return files("footfall.adapters.postgres").joinpath(room, "sql", f"{rest}{_CITUS}").is_file()


def compose(name: str, **pieces: sql.Composable) -> Assembled:
    """Return the statement of a file whose places are filled.

    A place `{word}` takes the piece of that name. Without one it takes the file `word` of the same folder, whose own
    places are filled in the same way; `{folder/word}` takes a file of another folder of the room. Braces that are no
    place are doubled. Values are parameters here, too: pieces are made of constants, identifiers and other files.
    """
    template, places = _template(name)
    filled = {
        place: pieces[place] if place in pieces else compose(_beside(name, place), **pieces)
        for place in places
    }
    return Assembled(template.format(**filled), name, pieces)


@cache
def _template(name: str) -> tuple[sql.SQL, frozenset[str]]:
    text = statement(name).decode().strip()
    return sql.SQL(text), frozenset(place for _, place, _, _ in Formatter().parse(text) if place)


def _beside(name: str, place: str) -> str:
    folder = name.partition("/")[0] if "/" in place else name.rpartition("/")[0]
    return f"{folder}/{place}"
