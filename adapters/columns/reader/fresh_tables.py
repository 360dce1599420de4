"""Fresh rows in tables of DuckDB: they are read from the CSV files of the store, and made like those of files."""

import csv
import re
from collections.abc import Collection, Iterator, Sequence
from itertools import islice
from pathlib import Path

import duckdb
from attrs import frozen

from footfall.adapters.columns.queries import ColumnsFailed, Reason, SiteQuestion
from footfall.adapters.columns.reader.left_out import LeftOutIds
from footfall.adapters.columns.row_making import (
    COUNTS,
    FRESH_COLUMNS,
    LONGEST_LINE,
    MADE_COLUMNS,
    OF_SESSION,
    has_columns,
)
from footfall.adapters.columns.sql_files import compose, over
from footfall.application.ports.columns import ColumnFiles

_BUFFER = 8 << 20
_RELATION = re.compile(r"\b(from|join) (session|hit)\b")
_WORD = re.compile(r"\w+")
# What the relations themselves read.
_KEYS = ("session_id", "visitor_id", "signed_visitor_id")
# The files of a relation, and the time of its rows.
_SOURCES = {"session": ("sessions", "started_at"), "hit": ("hits", "occurred_at")}
# So many rows are removed at once: Python holds up other turns meanwhile.
_AT_ONCE = 10_000


@frozen
class FreshTables:
    """The tables of the sessions of a site, and of their hits; `name` begins their names."""

    name: str

    def begin(self, connection: duckdb.DuckDBPyConnection, directory: Path, *, agree: bool) -> None:
        """Make the tables from the files of a directory.

        Sessions have as many hits as they count when they `agree`, or the rows are refused.
        """
        connection.begin()
        self._fill(connection, directory, create="create table", agree=agree)
        connection.commit()

    def begin_temporary(self, connection: duckdb.DuckDBPyConnection, directory: Path, *, agree: bool) -> None:
        """Do the same in a transaction that has begun; the tables end with the connection."""
        self._fill(connection, directory, create="create temp table", agree=agree)

    def _fill(
        self, connection: duckdb.DuckDBPyConnection, directory: Path, *, create: str, agree: bool
    ) -> None:
        for relation, types in FRESH_COLUMNS.items():
            columns = ", ".join(f"{name} {type_of}" for name, type_of in types.items())
            table = self._table(relation)
            connection.execute(compose("fresh/begin_table", create=create, table=table, columns=columns))
        added = self._copy(connection, directory)
        sessions = f"from {self._table('session')}"
        [[counted]] = connection.execute(
            over(compose("fresh/hits_of_sessions"), sessions=sessions)
        ).fetchall()
        _expect(added, counted, agree=agree)

    def add(self, connection: duckdb.DuckDBPyConnection, directory: Path, *, agree: bool) -> None:
        """Replace and add the sessions in the files of a directory."""
        connection.begin()
        self._remove_replaced(connection, directory, agree=agree)
        counted = sum(map(sum, _values(directory, "session", COUNTS)))
        _expect(self._copy(connection, directory), counted, agree=agree)
        connection.commit()

    def _remove_replaced(
        self, connection: duckdb.DuckDBPyConnection, directory: Path, *, agree: bool
    ) -> None:
        """Remove the sessions that those in the files of a directory replace.

        A session is named by the least position of its hits. Where that hit is now in another one, it is no more;
        sessions that do not `agree` with their hits never end.
        """
        relation, name = ("hit", "position") if agree else ("session", "session_id")
        session_ids = _values(directory, relation, (name,))
        while replaced := list(islice(session_ids, _AT_ONCE)):
            for kept in FRESH_COLUMNS:
                with connection.appender(self._table(kept), action="delete", key=["session_id"]) as gone:
                    gone.append_rows(replaced)

    def _copy(self, connection: duckdb.DuckDBPyConnection, directory: Path) -> int:
        """Add the sessions and hits in the files of a directory, and return the number of the hits."""
        _read(connection, directory, "session", self._table("session"))
        return _read(connection, directory, "hit", self._table("hit"))

    def _table(self, relation: str) -> str:
        return f"{self.name}_{relation}"

    def compact(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Free the memory of replaced rows."""
        connection.begin()
        connection.execute(compose("fresh/compact", name=self.name))
        connection.commit()

    def drop(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Remove the tables; transactions that see them go on doing so."""
        for table in _SOURCES:
            connection.execute(compose("fresh/drop_table", table=f"{self.name}_{table}"))

    def list_hidden(self, connection: duckdb.DuckDBPyConnection, question: SiteQuestion) -> None:
        """List for a transaction what a question hides."""
        if question.changed:
            _list(connection, "changed", question.changed)
        if question.stale:
            stale_days = compose("fresh/temporary", table="stale_day", rows=compose("fresh/listed_days"))
            connection.execute(stale_days, {"days": list(question.stale)})
        if question.earlier is not None:
            _list(connection, "replaced", question.earlier.replaced)

    def complete(
        self,
        text: str,
        files: Sequence[ColumnFiles],
        question: SiteQuestion,
        left_out: LeftOutIds | None = None,
    ) -> str:
        """Return a query in which the tables and files of a question's state stand for `session` and `hit`.

        They have the columns that the query names, and are without the sessions that are `left_out`.
        """
        words = {*_KEYS, *_WORD.findall(text)}
        return _RELATION.sub(
            lambda named: f"{named[1]} {self._relation(named[2], words, files, question, left_out)}", text
        )

    def left_out_of_file(self, left_out: LeftOutIds, file: ColumnFiles) -> str:
        """Return the statement that adds the ids of a file's sessions to those that rules leave out.

        Other files may hold the same sessions as they are at other times: each is looked at by itself.
        """
        sessions = _RELATION.sub(
            lambda named: f"{named[1]} {self._of_file_alone(named[2], file)}", left_out.rules.text
        )
        return compose(
            "fresh/add_left_out", table=left_out.name, number=str(left_out.next_number), sessions=sessions
        )

    def _of_file_alone(self, relation: str, file: ColumnFiles) -> str:
        path = _paths([file], _SOURCES[relation][0])
        return compose(
            "fresh/of_file_alone", rows=self.rows(relation, OF_SESSION), relation=relation, file=path
        )

    def rows(self, relation: str, named: Collection[str]) -> str:
        """Return the rows of a table, those of hits with the attributes of their sessions that are named."""
        table = self._table(relation)
        attributes = [f"{OF_SESSION[name]} as {name}" for name in OF_SESSION if name in named]
        if relation == "session" or not attributes:
            return table
        sessions, columns = self._table("session"), ", ".join(attributes)
        return compose("fresh/with_attributes", hits=table, sessions=sessions, attributes=columns)

    def _relation(
        self,
        relation: str,
        words: Collection[str],
        files: Sequence[ColumnFiles],
        question: SiteQuestion,
        left_out: LeftOutIds | None,
    ) -> str:
        pieces = dict.fromkeys(("before", "of_files", "earlier", "changed", "stale", "left_out", "kept"), "")
        table, time = _SOURCES[relation]
        pieces["columns"] = ", ".join(name for name in MADE_COLUMNS[relation] if name in words)
        if left_out is not None:
            pieces["kept"] = compose("fresh/kept")
            pieces["left_out"] = left_out.of(files)
        if question.earlier is not None:
            pieces["before"] = compose("fresh/before", time=time, until=question.earlier.until.isoformat())
            pieces["rows"] = EARLIER.rows(relation, words)
            pieces["earlier"] = compose("fresh/earlier", **pieces)
        if question.changed:
            pieces["changed"] = compose("fresh/changed")
        if question.stale:
            pieces["stale"] = compose("fresh/stale", files=_paths(files, "sessions"))
        pieces["name"], pieces["rows"] = self.name, self.rows(relation, words)
        if files:
            pieces["of_files"] = compose("fresh/of_files", files=_paths(files, table), **pieces)
        return compose("fresh/relation", relation=relation, **pieces)


# Sessions as they were, of a question about the past.
EARLIER = FreshTables("earlier")


def _expect(added: int, counted: int, *, agree: bool) -> None:
    if agree and added != counted:
        raise ColumnsFailed(Reason.OTHER, "LostHits")


def _values(directory: Path, relation: str, names: Sequence[str]) -> Iterator[Sequence[int]]:
    """Read some columns of numbers of a file."""
    with _file(directory, relation).open(encoding="utf-8", newline="") as file:
        rows = csv.reader(file)
        header = next(rows)
        places = [header.index(name) for name in names]
        for row in rows:
            yield [int(row[place]) for place in places]


def _read(connection: duckdb.DuckDBPyConnection, directory: Path, relation: str, table: str) -> int:
    """Read the file of a relation into a table, and return the number of its rows."""
    path = _quoted(str(_file(directory, relation)))
    fill = compose("fresh/fill", table=table, path=path, longest=str(LONGEST_LINE), buffer=str(_BUFFER))
    [[rows]] = connection.execute(fill).fetchall()
    return int(rows)


def _file(directory: Path, relation: str) -> Path:
    """Return the file of a relation, which has all columns."""
    path = directory / f"{_SOURCES[relation][0]}.csv"
    if not has_columns(path, FRESH_COLUMNS[relation]):
        raise ColumnsFailed(Reason.OTHER, "OtherColumns")
    return path


def _list(connection: duckdb.DuckDBPyConnection, table: str, session_ids: Sequence[int]) -> None:
    listed = compose("fresh/temporary", table=table, rows=compose("fresh/listed"))
    connection.execute(listed, {"session_ids": list(session_ids)})


def _paths(files: Sequence[ColumnFiles], table: str) -> str:
    return f"[{', '.join(_quoted(str(getattr(file, table))) for file in files)}]"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
