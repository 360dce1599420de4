"""SQL in files: whole statements, and statements that are assembled from several sections.

`room/subject/name` is the section `-- name: name` of the file `room/sql/subject.sql` of this package. Each statement
begins with that line, by which `pg_stat_statements` and the server's log tell statements apart.

Some places are filled in every section: the lists of attributes that sessions take from their earliest hit, as the
domain declares.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from string import Formatter
from types import MappingProxyType
from typing import Any

from attrs import frozen
from psycopg import AsyncClientCursor, AsyncConnection, sql

from footfall.adapters.sql_subjects import section
from footfall.domain.traffic.session import FIRST_HIT_ATTRIBUTES

_PACKAGE = "footfall.adapters.postgres"
# The comments before a statement, and whether it has queries of its own in front.
_BEGIN = re.compile(r"(?P<head>(?:\s|--[^\n]*(?:\n|\Z))*)(?P<with>with\b)?")
_READS = re.compile(r"^-- (with|views): (.+)$", re.MULTILINE)
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
    """Return the statement of a section with the queries that it reads in front of it, and its places filled.

    A line `-- with: word, subject/word` below the name of a section lists queries that PostgreSQL makes once for it,
    and `-- views: word` those that it folds into it as it does with views; `word as other` gives one another name. Each
    is the piece of its name, or else the section, of this subject, another one of the room or one of another room,
    after those that it reads itself; where a query of that name stands in front already, it is that one.

    A place `{word}` takes the piece of that name, or else the section. Braces that are no place are doubled. Values are
    parameters here, too: pieces are constants, identifiers and other sections.

    Raises:
        UnknownStatement: there is no such section, or none for a place or a query without a piece.

    """
    template = _template(name)
    relations = dict[str, sql.Composable]()
    _collect(template, pieces, relations)
    parts: list[sql.Composable] = [sql.SQL(template.head)]
    if relations:
        parts += [sql.SQL("with "), sql.SQL(",\n").join(relations.values())]
        parts.append(sql.SQL(",") if template.begins_with else sql.SQL("\n"))
    elif template.begins_with:
        parts.append(sql.SQL("with"))
    return Assembled(sql.Composed([*parts, template.filled(template.body, pieces)]), name, pieces)


@frozen
class _Template:
    """A section: the comments before its statement, and the rest, after the word `with` if it begins so."""

    name: str
    head: str
    begins_with: bool
    body: str
    # The queries that it reads, their names in it, and whether they are folded into it.
    reads: Sequence[tuple[str, str, bool]]

    def filled(self, text: str, pieces: Mapping[str, sql.Composable]) -> sql.Composed:
        return sql.SQL(text).format(
            **{
                place: pieces[place] if place in pieces else compose(self.beside(place), **pieces)
                for place in _places(text)
            }
        )

    def beside(self, place: str) -> str:
        """Return the name of a section that is called by its own name, by `subject/name` or by its whole one."""
        folders = place.count("/")
        return place if folders > 1 else f"{self.name.rsplit('/', folders + 1)[0]}/{place}"


def _collect(
    template: _Template, pieces: Mapping[str, sql.Composable], relations: dict[str, sql.Composable]
) -> None:
    """Collect the queries that a section reads by their names, each after those that it reads itself."""
    for read, own, is_folded in template.reads:
        if own in relations:
            continue
        query = pieces.get(own)
        if query is None:
            section_read = _template(template.beside(read))
            _collect(section_read, pieces, relations)
            begin = sql.SQL("with" if section_read.begins_with else "")
            query = sql.Composed([begin, section_read.filled(section_read.body, pieces)])
        how = sql.SQL("not materialized" if is_folded else "materialized")
        relations[own] = sql.SQL("{} as {} (\n{}\n)").format(sql.Identifier(own), how, query)


def filled(connection: AsyncConnection[Any], query: bytes | sql.Composed, values: Mapping[str, Any]) -> bytes:
    """Return a statement with its values as literals, for where the server takes no parameters."""
    return AsyncClientCursor(connection).mogrify(query, values).encode()


@cache
def _places(text: str) -> frozenset[str]:
    return frozenset(place for _, place, _, _ in Formatter().parse(text) if place)


@cache
def _template(name: str) -> _Template:
    text = statement(name).decode()
    begin = _BEGIN.match(text)
    assert begin is not None  # noqa: S101 - the expression matches every text
    reads = [
        (read, alias or read.rpartition("/")[2], kind == "views")
        for kind, listed in _READS.findall(begin["head"])
        for read, _, alias in (column.partition(" as ") for column in listed.split(", "))
    ]
    return _Template(name, begin["head"], bool(begin["with"]), text[begin.end() :], reads)
