"""SQL in files: whole statements, and statements that are assembled from several files.

`room/folder/name` is the file `room/sql/folder/name.sql` of this package. Each file begins with a comment that holds
its name, by which `pg_stat_statements` and the server's log tell statements apart.

Where Citus refuses a statement, `name.citus.sql` beside it holds the one that stores of Citus run instead.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from string import Formatter

from psycopg import sql

_CITUS = ".citus.sql"


@cache
def statement(name: str) -> bytes:
    """Return the statement that a file holds; values are parameters of it.

    The result is bytes, so that no caller composes SQL from input.
    """
    room, _, rest = name.partition("/")
    return files("footfall.adapters.postgres").joinpath(room, "sql", f"{rest}.sql").read_bytes()


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
            yield usual.read_bytes(), entry.read_bytes()


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
