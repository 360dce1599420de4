"""Files of tables (CSV, TSV, Parquet, JSON lines), put in order by DuckDB on disk, in limited memory."""

from collections.abc import Iterator, Sequence
from glob import escape
from pathlib import Path
from typing import Any

from attrs import define, field, frozen

from footfall.adapters.sources.reading.line_files import LineFile, naming
from footfall.adapters.sources.reading.temporary_folder import lent_folder
from footfall.application.ports.imports import UnreadableSource

# The order of time spills to disk beyond it. Half of it is too little for rows of many columns.
_MEMORY = "256MB"
_FETCHED = 5_000
_COMMA, _TAB = ",", "\t"
_NAMES = {_COMMA: "commas", _TAB: "tabs"}
_PARQUET = ".parquet"
PARQUET_START = b"PAR1"
# Parts of the messages of DuckDB for a line that its buffers do not hold, and for more of them than its memory holds.
_LONG_LINE, _NO_MEMORY = "maximum_object_size", "Out of Memory"
# Parts of the messages of DuckDB for a full disk; their class is that of a file that cannot be read.
_NO_SPACE = ("No space left", "failed to offload", "Disk quota")


def is_parquet(path: Path) -> bool:
    """Whether a file begins as one of Parquet, whatever its name.

    Raises:
        UnreadableSource: it cannot be opened.

    """
    with naming(path), path.open("rb") as file:
        return file.read(len(PARQUET_START)) == PARQUET_START


def missing_duckdb() -> UnreadableSource:
    """Return the refusal of an installation without DuckDB."""
    return UnreadableSource("files of tables are read with DuckDB, which footfall[server] brings")


@define
class StagedFiles:
    """Tables made of files; each row is known by its place in its file. The temporary database goes with the object."""

    _connection: Any = field(init=False)
    _folder: Path = field(init=False)

    def __attrs_post_init__(self) -> None:
        try:
            import duckdb  # noqa: PLC0415 - an optional dependency
        except ImportError:
            raise missing_duckdb() from None
        self._folder = folder = lent_folder(self)
        limits: Any = {"memory_limit": _MEMORY, "temp_directory": str(folder / "sorting"), "threads": 2}
        # Nothing is fetched from the network for what a file has.
        limits |= {"autoinstall_known_extensions": False, "autoload_known_extensions": False}
        self._connection = duckdb.connect(str(folder / "tables"), config=limits)
        self._connection.execute("set TimeZone = 'UTC'")

    def load(self, name: str, path: Path, *, columns: Sequence[str]) -> list[int]:
        """Make a table of a file, and return the lines of it that cannot be read.

        Raises:
            UnreadableSource: the file is not there, is no table, or lacks one of the columns.

        """
        with naming(path):
            path.open("rb").close()
        text = None if path.suffix == _PARQUET else _Text.of(path)
        duckdb_error = self._errors()
        try:
            self._as_texts(self._read(path, text)).create(name)
        except duckdb_error as fault:
            # The message of DuckDB quotes the file.
            raise self._refusal(path, text, fault) from None
        present = {row[0] for row in self.fetch(f"select column_name from (describe {name})")}
        if missing := [column for column in columns if column not in present]:
            raise UnreadableSource(f"{path.name} has no column {', '.join(missing)}")
        return [] if text is None else self._rejected(path)

    def view(self, name: str, path: Path, *, columns: Sequence[str]) -> list[str]:
        """Make a view of a file of Parquet or JSON lines, and return which of the columns it has.

        A line that is no object of JSON is a row of nulls; JSON lines have every column, as JSON.

        Raises:
            UnreadableSource: the file is not there, or is neither.

        """
        parquet = is_parquet(path)
        text = None if parquet else _Text("", LineFile(path).is_packed())
        duckdb_error = self._errors()
        try:
            table = self._as_texts(self._read(path, None) if parquet else self._read_json(path, columns))
            table.create_view(name)
        except duckdb_error as fault:
            raise self._refusal(path, text, fault) from None
        return [column for column in columns if column in table.columns]

    def run(self, path: Path, statement: str, values: Sequence[Any] = ()) -> None:
        """Run a statement that reads a view of a file.

        Raises:
            UnreadableSource: the file is damaged, or the disk is full.

        """
        duckdb_error = self._errors()
        try:
            self._connection.execute(statement, list(values))
        except duckdb_error as fault:
            packed = LineFile(path).is_packed()
            raise self._refusal(path, _Text("", packed), fault) from None

    def fetch(self, query: str, values: Sequence[Any] = ()) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a query, in pieces.

        Raises:
            UnreadableSource: DuckDB cannot answer, for example because the disk is full.

        """
        duckdb_error = self._errors()
        try:
            cursor = self._connection.cursor().execute(query, list(values))
            while rows := cursor.fetchmany(_FETCHED):
                yield from rows
        except duckdb_error as fault:
            raise UnreadableSource(f"the files cannot be put in order: {type(fault).__name__}") from None

    def _read(self, path: Path, text: "_Text | None") -> Any:
        # DuckDB takes a path for a pattern: events[1].csv would be events1.csv. And it takes folders for columns.
        pattern = escape(str(path))
        if text is None:
            return self._connection.read_parquet(pattern, hive_partitioning=False)
        quote = '"' if text.separator == _COMMA else ""
        return self._connection.read_csv(
            pattern,
            all_varchar=True,
            header=True,
            store_rejects=True,
            sep=text.separator,
            quotechar=quote,
            escapechar=quote,
            compression="gzip" if text.packed else "none",
            hive_partitioning=False,
        )

    def _read_json(self, path: Path, columns: Sequence[str]) -> Any:
        file = LineFile(path, whole=True)
        if file.is_marked():
            # DuckDB takes the mark for a part of the first line.
            path = self._folder / f"{path.name}.unmarked"
            with naming(path), path.open("wb") as copy:
                copy.writelines(file.read(None))
        return self._connection.read_json(
            escape(str(path)),
            columns=dict.fromkeys(columns, "JSON"),
            format="newline_delimited",
            ignore_errors=True,
            compression="gzip" if LineFile(path).is_packed() else "none",
            hive_partitioning=False,
        )

    def _as_texts(self, table: Any) -> Any:
        """Return a table whose bytes are texts: Parquet of ClickHouse keeps fixed strings as bytes."""
        names = [name for name, kind in zip(table.columns, table.types, strict=True) if str(kind) == "BLOB"]
        if not names:
            return table
        quoted = ['"' + name.replace('"', '""') + '"' for name in names]
        return table.project(f"* replace ({', '.join(f'try(decode({name})) as {name}' for name in quoted)})")

    def _rejected(self, path: Path) -> list[int]:
        rows = self._connection.execute(
            "select distinct line from reject_errors join reject_scans using (scan_id, file_id)"
            " where file_path = ? order by line",
            [str(path)],
        ).fetchall()
        return [row[0] for row in rows]

    def _refusal(self, path: Path, text: "_Text | None", fault: Exception) -> UnreadableSource:
        if any(word in str(fault) for word in _NO_SPACE):
            return UnreadableSource(f"{path.name} needs as much free disk below TMPDIR as it has, unpacked")
        if _LONG_LINE in str(fault):
            return UnreadableSource(f"{path.name} has a line that is too long: beyond 16 mebibytes")
        if _NO_MEMORY in str(fault):
            return UnreadableSource(
                f"{path.name} has a line that is too long or a row group that is too large for {_MEMORY} of memory"
            )
        if text is not None and text.packed:
            # Its damage is found by the reader of lines, which names the place.
            for _ in LineFile(path).read(None):
                continue
        return UnreadableSource(f"{path.name} is no table in CSV, TSV, Parquet or JSON lines")

    def _errors(self) -> type[Exception]:
        import duckdb  # noqa: PLC0415 - an optional dependency

        return duckdb.Error


@frozen
class _Text:
    """The notation of a table in text."""

    separator: str
    packed: bool

    @classmethod
    def of(cls, path: Path) -> "_Text":
        """Return how the table of a file is written.

        Raises:
            UnreadableSource: it cannot be read, is no text in UTF-8, is empty, or has semicolons between its columns.

        """
        file = LineFile(path, quoted=True)
        header = file.first_line()
        if header is None:
            raise UnreadableSource(f"{path.name} is empty")
        separator = _TAB if path.name.removesuffix(".gz").endswith((".tsv", ".tab")) else _COMMA
        if separator.encode() not in header and b";" in header:
            raise UnreadableSource(
                f"{path.name} has semicolons between its columns: write it with {_NAMES[separator]}"
            )
        return cls(separator, file.is_packed())
