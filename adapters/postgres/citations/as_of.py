"""The connection of the past: the tables that reports read, as they were at the positions of a question.

Each statement of a report gets queries of the same names in front of it (`sql/as_of.sql`), which PostgreSQL folds
into the statement as it does with views. Nothing is created, so that nothing is left to drop.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from attrs import define, field
from psycopg import AsyncCursor, sql
from psycopg.abc import Params, Query
from psycopg.rows import DictRow

from footfall.adapters.postgres.citations.replay import Replayed
from footfall.adapters.postgres.database.connections import StoreConnection
from footfall.adapters.postgres.database.sql_files import compose, filled

# The tables that have a past without any later hit; `earlier_hit` is the log in a statement that only the past asks.
OF_JOURNAL = ("earlier_hit", "event")
# The tables that have a past wherever later hits are: those of errors know the position of each occurrence.
OF_SITE = (
    *OF_JOURNAL,
    "error_message",
    "error_bucket",
    "error_span",
    "error_session",
    "error_occurrence",
    "error_sighting",
    "error_day",
    "message_bucket",
)
# The tables that have a past in the days around the span with later hits.
OF_SPAN = (
    "session",
    "hit",
    "traffic_bucket",
    "conversion",
    # Its query reads the next table.
    "conversion_day",
    "conversion_bucket",
)
TABLES = (*OF_SITE, *OF_SPAN)
# What is put aside, and what later occurrences of errors have changed: queries that others begin with, each once and
# in this order.
_ASIDE = "aside"
CHANGES = (
    _ASIDE,
    "later_error",
    "changed_error_session",
    "past_error_message",
    "added_error",
    "added_error_bucket",
    "added_error_span",
    "moved_message",
)
# A statement that counts new messages reads buckets of this kind.
_BUCKETS = "traffic_bucket"
_NEW_MESSAGES = "new_messages"
_OF_MESSAGES = "message_bucket"
# Where sessions are replayed, another query says what has changed in them.
_ERROR_SESSIONS = "changed_error_session"
_REPLAYED = "replayed_error_session"

_FOLDER = "citations/as_of"

_WORD = re.compile(rb"[a-z_]+")
# The comments before a statement that reads, and whether it has queries of its own in front.
_READS = re.compile(rb"(?:\s|--[^\n]*\n)*(?:(?P<with>with)|select)\b")


@define
class Overlay:
    """The queries that stand for tables, by the names of these; `query` makes one, when a statement reads its table.

    `names` are the tables that have a past here. Statements are remembered: reports have few of them.
    """

    names: Sequence[str]
    query: Callable[[str], bytes]
    _made: dict[str, bytes] = field(factory=dict, init=False)
    _over: dict[bytes, bytes] = field(factory=dict, init=False)

    @classmethod
    def of(
        cls,
        connection: StoreConnection,
        values: Mapping[str, Any],
        names: Sequence[str],
        *,
        remembered: bool,
    ) -> "Overlay":
        """Return the queries for some tables at positions; `remembered` are hits that are put aside."""
        buckets = compose(f"{_FOLDER}/{_BUCKETS if _BUCKETS in names else 'present_bucket'}")
        constants = {**values, "none_aside": not remembered}

        def query(name: str) -> bytes:
            file = _REPLAYED if name == _ERROR_SESSIONS and "session" in names else name
            if name == _ASIDE and not remembered:
                file = "none_aside"
            return filled(connection, compose(f"{_FOLDER}/{file}", buckets=buckets), constants)

        return cls(names, query)

    def over(self, text: bytes) -> bytes:
        """Return a statement that reads the past; statements that read nothing stay as they are."""
        if text not in self._over:
            self._over[text] = self._put_over(text)
        return self._over[text]

    def _put_over(self, text: bytes) -> bytes:
        words = _words(text)
        reads = _READS.match(text)
        chosen = {name: name for name in self.names if name in words}
        if _OF_MESSAGES in self.names and {_BUCKETS, _NEW_MESSAGES} <= words:
            chosen[_BUCKETS] = _OF_MESSAGES
        if not chosen or reads is None:
            return text
        parts = [(name, b"materialized", name) for name in self._changes_for(chosen.values())]
        parts += [(name, b"not materialized", query) for name, query in chosen.items()]
        queries = (
            b"%s as %s (\n%s\n)" % (name.encode(), how, self._query(query)) for name, how, query in parts
        )
        rest = b",\n" + text[reads.end() :] if reads["with"] else b"\n" + text
        return b"with " + b",\n".join(queries) + rest

    def _changes_for(self, names: Iterable[str]) -> list[str]:
        """Return the changes that some queries read, directly or through others, each after those that it reads."""
        words = {word for name in names for word in _words(self._query(name))}
        read = []
        for name in reversed(CHANGES):
            if name in words:
                read.append(name)
                words |= _words(self._query(name))
        return read[::-1]

    def _query(self, name: str) -> bytes:
        if name not in self._made:
            self._made[name] = self.query(name)
        return self._made[name]


def _words(text: bytes) -> set[str]:
    return {word.decode() for word in _WORD.findall(text)}


PRESENT = Overlay((), lambda _name: b"")


class PastConnection(StoreConnection):
    """A connection whose statements read the past, as soon as it has an overlay."""

    overlay = PRESENT
    # What its temporary tables hold, when the overlay reads them.
    replayed: Replayed | None = None
    # The schemas of the tables that it reads and of those that its temporary ones are like, and its search path.
    schema = stored = sql.Identifier("public")
    search_path = ""

    @property
    def earlier_until(self) -> datetime | None:
        """The time from which on all hits are later ones, where statements see sessions as they were."""
        return None if self.replayed is None else self.replayed.later_since

    def readable(self, query: sql.Composable) -> sql.Composable:
        """Return a query over the past, to be a part of a statement."""
        return sql.SQL(self.overlay.over(query.as_bytes(self)).decode())

    @contextmanager
    def waiting(self, seconds: float) -> Iterator[None]:
        """Wait for the server so many seconds for now."""
        usual, self.answer_seconds = self.answer_seconds, seconds
        try:
            yield
        finally:
            self.answer_seconds = usual

    @contextmanager
    def at_present(self) -> Iterator[None]:
        """Let statements read the tables as they are."""
        past, self.overlay = self.overlay, PRESENT
        try:
            yield
        finally:
            self.overlay = past

    async def execute(
        self,
        query: Query,
        params: Params | None = None,
        *,
        prepare: bool | None = None,
        binary: bool = False,
    ) -> AsyncCursor[DictRow]:
        """Execute a statement, over the past if it reads."""
        # All statements of the service are files, as bytes, or composed of files.
        assert isinstance(query, bytes | sql.Composable)  # noqa: S101 - see above
        text = query if isinstance(query, bytes) else query.as_bytes(self)
        return await super().execute(self.overlay.over(text), params, prepare=prepare, binary=binary)
