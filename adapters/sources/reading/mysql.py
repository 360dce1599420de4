"""MySQL and MariaDB of another service: statements that only read, each answered whole."""

import os
import ssl
import struct
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from attrs import field, frozen

from footfall.adapters.sql_subjects import section
from footfall.application.ports.imports import UnreadableSource

SCHEMES = ("mysql://", "mariadb://")
# Parameters of a URL; `prefix` is that of the names of tables.
_PREFIX = "prefix"
# The beginning of the names of tables in statements.
_PROPOSED = "`matomo_"
_PARAMETERS = frozenset({_PREFIX, "ssl_ca", "ssl_disabled", "unix_socket"})
_CONNECT_SECONDS = 10
# Without a byte: a page of rows is answered in much less.
_WAIT_SECONDS = 300
# Dates that are none are compared like others, for example 0000-00-00.
_SQL_MODE = "ALLOW_INVALID_DATES"
_READ_ONLY = "set session transaction read only"
# A server may give sessions a limit, at which an answer ends without a word.
_NO_LIMIT = "set session sql_select_limit = 18446744073709551615"
# Faults by the number that server or driver give them; their messages can name the user.
_FAULTS = {
    1040: "it has too many connections",
    1044: "its user may not read this database",
    1045: "it refuses the user or the password",
    1049: "it has no database of this name",
    1142: "its user may not read one of the tables",
    1143: "its user may not read one of the columns",
    1053: "the connection was lost; repeat the import to go on",
    1054: "one of its columns is missing",
    1130: "it takes no connections from this machine",
    1146: "one of its tables is missing",
    1203: "its user has too many connections",
    1226: "its user has too many connections",
    1698: "it refuses the user or the password",
    2002: "no server answers there",
    2003: "no server answers there",
    2006: "the connection was lost; repeat the import to go on",
    2013: "the connection was lost; repeat the import to go on",
    1927: "the connection was lost; repeat the import to go on",
    2026: "the connection is not encrypted as asked for",
    2059: "its user signs in by a method that PyMySQL does not have",
}
# What the driver raises for an answer that it cannot read, and for a package that it lacks.
_OTHER_FAULTS = (AssertionError, LookupError, NameError, RuntimeError, TypeError, ValueError, struct.error)
_EXPECTED = (
    "a MySQL or MariaDB is named by a URL such as mysql://USER:PASSWORD@HOST:3306/DATABASE, with characters such as"
    " / ? # @ of the password as %2F %3F %23 %40, and the parameters prefix, ssl_ca, ssl_disabled=true and unix_socket"
)

Values = Mapping[str, bytes | None]


@frozen
class MysqlDatabase:
    """The database of a service at a URL; `shown` names it without its user.

    The password can also be in MYSQL_PWD, as MySQL's own client takes it. The connection is encrypted where the server
    can, and with `ssl_ca` the server has to prove its name by a certificate of this authority.
    """

    service: str
    shown: str
    prefix: str | None
    _connection: Mapping[str, Any] = field(repr=False)
    _wait_seconds: float = _WAIT_SECONDS

    @classmethod
    def at(cls, service: str, url: str) -> "MysqlDatabase":
        """Return the database at a URL.

        Raises:
            UnreadableSource: the URL is none.

        """
        try:
            parts = urlsplit(url)
            settings = dict(parse_qsl(parts.query, keep_blank_values=True, strict_parsing=bool(parts.query)))
            connection = _connection(parts, settings)
        except ValueError:
            raise UnreadableSource(_EXPECTED) from None
        shown = f"{connection['database']} at {connection['host']}"
        return cls(service, shown, settings.get(_PREFIX), connection)

    @contextmanager
    def session(self) -> Iterator["MysqlSession"]:
        """Connect for as long as the context is open.

        Raises:
            UnreadableSource: the database cannot be reached, or refuses the user, or PyMySQL is not installed.

        """
        pymysql = _driver()
        with self.reading():
            connection = pymysql.connect(
                **self._connection,
                # Values come as bytes: texts of former decades are not always in UTF-8, and dates not always dates.
                use_unicode=False,
                conv=pymysql.converters.encoders,
                charset="utf8mb4",
                sql_mode=_SQL_MODE,
                init_command=_READ_ONLY,
                autocommit=True,
                connect_timeout=_CONNECT_SECONDS,
                read_timeout=self._wait_seconds,
                write_timeout=self._wait_seconds,
            )
            connection.query(_NO_LIMIT)
        try:
            yield MysqlSession(self, connection)
        finally:
            if connection.open:
                connection.close()

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Make faults of server and driver refusals, which name the database, and neither user nor password.

        Raises:
            UnreadableSource: there was a fault.

        """
        try:
            yield
        except (_driver().Error, OSError, *_OTHER_FAULTS) as fault:
            raise UnreadableSource(
                f"{self.service}'s database {self.shown} cannot be read: {_described(fault)}"
            ) from None


@frozen
class MysqlSession:
    """An open connection."""

    _database: MysqlDatabase
    _connection: Any = field(repr=False)

    def fetch(
        self,
        name: str,
        values: Mapping[str, Any] | None = None,
        *,
        prefix: str = "",
        columns: Sequence[str] = (),
    ) -> list[Values]:
        """Return the rows of the statement at `subject/name`, with a prefix of tables and a list of columns put in.

        Raises:
            UnreadableSource: the database does not answer, or refuses.

        """
        listed = ", ".join(f"`{_escaped(column)}`" for column in columns)
        text = section("footfall.adapters.sources", name).replace(_PROPOSED, f"`{_escaped(prefix)}")
        statement = text.replace("{columns}", listed)
        with self._database.reading(), self._connection.cursor() as cursor:
            cursor.execute(statement, dict(values or {}))
            names = [column[0] for column in cursor.description]
            return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def _connection(parts: SplitResult, settings: Mapping[str, str]) -> dict[str, Any]:
    """Return what the driver connects with.

    Raises:
        ValueError: the URL has a part too many, or one too few, as when its password has a character of URLs.

    """
    database = unquote(parts.path.removeprefix("/"))
    socket = settings.get("unix_socket")
    if not database or any(sign in database for sign in "/@:") or parts.fragment:
        raise ValueError("database")
    if settings.keys() - _PARAMETERS or not parts.username or not (parts.hostname or socket):
        raise ValueError("parameters")
    if not settings.get("ssl_ca", "named") or settings.get("ssl_disabled", "true") != "true":
        raise ValueError("encryption")
    if {"ssl_ca", "ssl_disabled"} <= settings.keys():
        raise ValueError("encryption")
    password = unquote(parts.password) if parts.password else os.environ.get("MYSQL_PWD", "")
    connection: dict[str, Any] = {
        "host": parts.hostname or "localhost",
        "port": parts.port or 0,
        "database": database,
        "user": unquote(parts.username),
        "password": password.encode(),
    }
    if socket:
        connection["unix_socket"] = socket
    if "ssl_ca" in settings:
        connection |= {"ssl_ca": settings["ssl_ca"], "ssl_verify_cert": True, "ssl_verify_identity": True}
    elif socket or "ssl_disabled" in settings:
        # What goes through a socket does not leave the machine.
        connection["ssl_disabled"] = True
    return connection


def _described(fault: Exception) -> str:
    of_connecting = getattr(fault, "original_exception", None)
    if isinstance(of_connecting, ssl.SSLCertVerificationError):
        return "the server has no certificate of this authority and name"
    if isinstance(of_connecting, ssl.SSLError):
        return "its encryption is too old, or none; ssl_disabled=true connects without it"
    if isinstance(fault.__context__, TimeoutError):
        return "no answer came in time"
    if isinstance(fault, OSError):
        # The driver has numbers for all of its own connections.
        return "ssl_ca names no file with certificates"
    number = next(iter(fault.args), None)
    if isinstance(fault, RuntimeError):
        return "the sign-in of its user needs a package that is not installed"
    if not isinstance(number, int):
        return "its answer is not that of a MySQL or MariaDB"
    return _FAULTS.get(number, f"{type(fault).__name__} {number}")


def _driver() -> Any:
    try:
        import pymysql  # noqa: PLC0415 - an optional dependency
    except ImportError:
        raise UnreadableSource(
            "MySQL and MariaDB are read with PyMySQL, which footfall[server] brings"
        ) from None
    return pymysql


def _escaped(name: str) -> str:
    """Return a name between backquotes of a statement with parameters."""
    return name.replace("`", "``").replace("%", "%%")
