"""SQL in files: whole statements, and statements that are assembled from several sections.

`room/subject/name` is the section `-- name: name` of the file `room/sql/subject.sql` of this package. Each statement
begins with that line, by which `pg_stat_statements` and the server's log tell statements apart.

Some places are filled in every section: the lists of attributes that sessions take from their earliest hit, as the
domain declares.
"""

from collections.abc import Mapping
from functools import cache
from string import Formatter
from types import MappingProxyType
from typing import Any

from psycopg import AsyncClientCursor, AsyncConnection, sql

from footfall.adapters.sql_subjects import section
from footfall.domain.traffic.session import FIRST_HIT_ATTRIBUTES

_PACKAGE = "footfall.adapters.postgres"
_OF_EARLIER = (
    "{0} = case when excluded.started_at < session.started_at then excluded.{0} else session.{0} end"
)
_LISTS: Mapping[str, str] = MappingProxyType(
    {
        "{first_hit_attributes}": ", ".join(FIRST_HIT_ATTRIBUTES),
        "{attributes_of_earlier}": ", ".join(map(_OF_EARLIER.format, FIRST_HIT_ATTRIBUTES)),
    }
)


@cache
def statement(name: str) -> bytes:
    """Return the statement of a section; values are parameters of it.

    The result is bytes, so that no caller composes SQL from input.

    Raises:
        UnknownStatement: there is no such section.

    """
    room, subject, own = name.rsplit("/", 2)
    text = section(f"{_PACKAGE}.{room.replace('/', '.')}", f"{subject}/{own}")
    for place, written in _LISTS.items():
        text = text.replace(place, written)
    return text.encode()


class Assembled(sql.Composed):
    """A statement whose places are filled; it knows how it was made."""

    def __init__(self, parts: sql.Composed, name: str, pieces: Mapping[str, sql.Composable]) -> None:
        super().__init__(list(parts))
        self.name, self.pieces = name, pieces


def compose(name: str, **pieces: sql.Composable) -> Assembled:
    """Return the statement of a section whose places are filled.

    A place `{word}` takes the piece of that name. Without one it takes the section `word` of the same subject, whose
    own places are filled in the same way; `{subject/word}` takes a section of another subject of the room. Braces that
    are no place are doubled. Values are parameters here, too: pieces are constants, identifiers and other sections.

    Raises:
        UnknownStatement: there is no such section, or none for a place without a piece.

    """
    template, places = _template(name)
    filled = {
        place: pieces[place] if place in pieces else compose(_beside(name, place), **pieces)
        for place in places
    }
    return Assembled(template.format(**filled), name, pieces)


def filled(connection: AsyncConnection[Any], query: bytes | sql.Composed, values: Mapping[str, Any]) -> bytes:
    """Return a statement with its values as literals, for where the server takes no parameters."""
    return AsyncClientCursor(connection).mogrify(query, values).encode()


@cache
def _template(name: str) -> tuple[sql.SQL, frozenset[str]]:
    text = statement(name).decode()
    return sql.SQL(text), frozenset(place for _, place, _, _ in Formatter().parse(text) if place)


def _beside(name: str, place: str) -> str:
    folder = name.rsplit("/", 2 if "/" in place else 1)[0]
    return f"{folder}/{place}"
