"""SQL in files: whole statements, and statements that are assembled from several files.

`room/folder/name` is the file `room/sql/folder/name.sql` of this package. Each file begins with a comment that holds
its name, by which `pg_stat_statements` and the server's log tell statements apart.
"""

from functools import cache
from importlib.resources import files
from string import Formatter

from psycopg import sql


@cache
def statement(name: str) -> bytes:
    """Return the statement that a file holds; values are parameters of it.

    The result is bytes, so that no caller composes SQL from input.
    """
    room, _, rest = name.partition("/")
    return files("footfall.adapters.postgres").joinpath(room, "sql", f"{rest}.sql").read_bytes()


def compose(name: str, **pieces: sql.Composable) -> sql.Composed:
    """Return the statement of a file whose places are filled.

    A place `{word}` takes the piece of that name. Without one it takes the file `word` of the same folder, whose own
    places are filled in the same way; `{folder/word}` takes a file of another folder of the room. Braces that are no
    place are doubled. Values are parameters here, too: pieces are made of constants, identifiers and other files.
    """
    template, places = _template(name)
    return template.format(
        **{
            place: pieces[place] if place in pieces else compose(_beside(name, place), **pieces)
            for place in places
        }
    )


@cache
def _template(name: str) -> tuple[sql.SQL, frozenset[str]]:
    text = statement(name).decode().strip()
    return sql.SQL(text), frozenset(place for _, place, _, _ in Formatter().parse(text) if place)


def _beside(name: str, place: str) -> str:
    folder = name.partition("/")[0] if "/" in place else name.rpartition("/")[0]
    return f"{folder}/{place}"
