"""Matomo 4 and 5: the actions and conversions of a site in its database (docs/track/imports/matomo.md)."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from datetime import UTC, datetime
from functools import lru_cache
from heapq import merge
from typing import Any, TypeVar

from attrs import field, frozen

from footfall.adapters.sources.matomo.rows import (
    References,
    action_row,
    conversion_row,
    is_reference,
    name_of,
    place_of_action,
    place_of_conversion,
)
from footfall.adapters.sources.matomo.values import unescaped
from footfall.adapters.sources.matomo.visits import MatomoSite, MatomoVisit, goal_of, visit_of
from footfall.adapters.sources.reading.mysql import MysqlDatabase, MysqlSession, Values
from footfall.adapters.sources.reading.site_choice import LISTED, chosen_site, site_number
from footfall.adapters.sources.reading.time_order import Instant, OrderedSource, instant_of, time_of
from footfall.adapters.sources.reading.values import UNREADABLE, UNTIMED
from footfall.application.ports.imports import Row, UnreadableRow, UnreadableSource

FORMAT = "matomo"
_ACTIONS, _CONVERSIONS, _VISITS = "log_link_visit_action", "log_conversion", "log_visit"
_DIMENSIONS = "custom_dimensions"
# A column that Matomo 4 renamed.
_SINCE_4 = "pageview_position"
_NEEDED = {
    _ACTIONS: (
        "idlink_va",
        "idsite",
        "idvisit",
        "idvisitor",
        "server_time",
        "idaction_url",
        "idaction_name",
        "idaction_url_ref",
        "idaction_name_ref",
        _SINCE_4,
    ),
    _CONVERSIONS: ("idsite", "idvisit", "idvisitor", "idgoal", "buster", "server_time", "url", "revenue"),
    _VISITS: ("idvisit", "idvisitor", "visit_first_action_time"),
    "log_action": ("idaction", "name", "type", "url_prefix"),
    "site": ("idsite", "name", "currency", "ts_created"),
    "goal": ("idsite", "idgoal", "name", "match_attribute"),
}
# Columns that are read where a version or a plugin of Matomo has them.
_OPTIONAL = {
    _ACTIONS: (
        "search_cat",
        "search_count",
        "custom_float",
        "idaction_event_category",
        "idaction_event_action",
        "idaction_content_name",
        "idaction_content_piece",
        "idaction_product_name",
        "idaction_product_sku",
        "idaction_product_cat",
        "product_price",
    ),
    _CONVERSIONS: (
        "idorder",
        "items",
        "revenue_subtotal",
        "revenue_tax",
        "revenue_shipping",
        "revenue_discount",
    ),
    _VISITS: (
        "user_id",
        "referer_type",
        "referer_name",
        "referer_keyword",
        "referer_url",
        "campaign_source",
        "campaign_medium",
        "campaign_name",
        "campaign_keyword",
        "campaign_content",
        "config_browser_name",
        "config_browser_version",
        "config_os",
        "config_os_version",
        "config_device_type",
        "config_resolution",
        "location_browser_lang",
        "location_country",
        "location_region",
        "location_city",
        "location_latitude",
        "location_longitude",
    ),
}
_DIMENSION = re.compile(r"custom_dimension_[0-9]+")
_SCOPES = {_VISITS: b"visit", _ACTIONS: b"action"}
_ROWS_OF_A_PAGE = 2_500
_LAST = "9999-12-31 23:59:59"
_FIRST = "0000-00-00 00:00:00"
# Below and above every id.
_BELOW, _ABOVE = -(2**31) - 1, 2**64 - 1
_UNTIMED = -(2**63)
_Referred = TypeVar("_Referred")


def open_database(url: str, site: str | None) -> OrderedSource:
    """Return a site of the database at a URL; the only one unless it is named.

    Raises:
        UnreadableSource: the database cannot be read or is none of Matomo 4 or 5, or the site has to be named.

    """
    database = MysqlDatabase.at("Matomo", url)
    with database.session() as session:
        tables = _tables_of(session, database)
        sites = {
            _text(row["idsite"]): unescaped(_text(row["name"]))
            for row in session.fetch("matomo/sites", {"most": LISTED + 1}, prefix=tables.prefix)
        }
        chosen = chosen_site(site, sites, site_number, expected="its number")
        read = _site_of(session, tables, int(chosen), database.shown)
    return OrderedSource(FORMAT, read.key, database.shown, _MatomoRows(database, tables, int(chosen), read))


@frozen
class _Tables:
    """The tables of an installation: the prefix of their names, and the columns of each."""

    prefix: str
    columns: Mapping[str, Sequence[str]]

    def read(self, table: str) -> list[str]:
        """Return the columns that are read."""
        wanted = {*_NEEDED[table], *_OPTIONAL[table]} - {"idsite", _SINCE_4}
        return [name for name in self.columns[table] if name in wanted or _DIMENSION.fullmatch(name)]


@frozen
class _MatomoRows:
    _database: MysqlDatabase
    _tables: _Tables
    _number: int
    _site: MatomoSite
    _rows_of_a_page: int = field(default=_ROWS_OF_A_PAGE, kw_only=True)

    def count(self, up_to: Instant) -> int:
        with self._database.session() as session:
            last = _LAST if up_to is None else _written(up_to)
            values = {"site": self._number, "until": _until(session), "up_to": last}
            [row] = session.fetch("matomo/count", values, prefix=self._tables.prefix)
            return int(row["counted"] or 0)

    def rows(self, after: Instant) -> Iterator[tuple[Instant, Row]]:
        with self._database.session() as session, ThreadPoolExecutor(1, "import-ahead") as ahead:
            until = _until(session)
            streams = [
                _Stream(
                    session, ahead, self._tables, self._number, self._site, until, self._rows_of_a_page, kind
                )
                for kind in _KINDS
            ]
            yield from merge(*(stream.rows(after) for stream in streams), key=_order)


@frozen
class _Kind:
    """A table whose rows are read page by page, in the order of the time and its key."""

    table: str
    statement: str
    key: Sequence[str]
    place: Callable[[Values], str]
    row: Callable[[int, Values, References], Row]


_KINDS = (
    _Kind(_ACTIONS, "matomo/actions", ("idlink_va",), place_of_action, action_row),
    _Kind(
        _CONVERSIONS,
        "matomo/conversions",
        ("idvisit", "idgoal", "buster"),
        place_of_conversion,
        conversion_row,
    ),
)


@frozen
class _Stream:
    """The rows of a table with what they refer to, of which no more is kept than that of a page.

    The next page is read while the rows of one are used. One thread reads all streams, as they have one connection.
    """

    _session: MysqlSession
    _ahead: Executor
    _tables: _Tables
    _number: int
    _site: MatomoSite
    _until: str
    _rows_of_a_page: int
    _kind: _Kind

    def rows(self, after: Instant) -> Iterator[tuple[Instant, Row]]:
        pages = self._pages_with_references(after)
        following = self._ahead.submit(next, pages, None)
        while (read := following.result()) is not None:
            following = self._ahead.submit(next, pages, None)
            page, references = read
            for values in page:
                at, is_date = _moment(_text(values["server_time"]))
                yield at, self._row(at, values, references, is_date=is_date)

    def _row(self, at: Instant, values: Values, references: References, *, is_date: bool) -> Row:
        if at is None:
            return UnreadableRow(self._kind.place(values), UNTIMED)
        if not is_date:
            return UnreadableRow(self._kind.place(values), "its time is no date")
        try:
            return self._kind.row(at, values, references)
        except (KeyError, TypeError, ValueError, ArithmeticError):
            return UnreadableRow(self._kind.place(values), UNREADABLE)

    def _pages_with_references(self, after: Instant) -> Iterator[tuple[list[Values], References]]:
        references = References(self._site, {}, {})
        for page in self._pages(after):
            references = self._referred(page, references)
            yield page, references

    def _pages(self, after: Instant) -> Iterator[list[Values]]:
        columns = self._tables.read(self._kind.table)
        reached: dict[str, Any] = {"server_time": _FIRST if after is None else _written(after)}
        reached |= dict.fromkeys(self._kind.key, _BELOW if after is None else _ABOVE)
        page: list[Values] | None = None
        while page is None or len(page) == self._rows_of_a_page:
            values = {"site": self._number, "until": self._until, "most": self._rows_of_a_page, **reached}
            page = self._session.fetch(
                self._kind.statement, values, prefix=self._tables.prefix, columns=columns
            )
            if page:
                yield page
                last = page[-1]
                reached = {name: int(last[name] or 0) for name in self._kind.key}
                reached["server_time"] = _text(last["server_time"])

    def _referred(self, page: Sequence[Values], references: References) -> References:
        of_names = [column for column in page[0] if column.startswith("idaction_")]
        visits = {values["idvisit"] for values in page}
        names = {values[column] for values in page for column in of_names}
        columns = self._tables.read(_VISITS)
        return References(
            self._site,
            self._kept(references.visits, visits, self._visit, "matomo/visits", columns, "idvisit"),
            self._kept(references.names, names, name_of, "matomo/names", (), "idaction"),
        )

    def _visit(self, values: Values) -> MatomoVisit | None:
        try:
            return visit_of(values, self._site)
        except ValueError:
            return None

    def _kept(
        self,
        cached: Mapping[bytes, _Referred],
        ids: Iterable[bytes | None],
        read: Callable[[Values], _Referred],
        statement: str,
        columns: Sequence[str],
        key: str,
    ) -> dict[bytes, _Referred]:
        """Return the rows of ids: those that are known, and others that are asked for."""
        wanted = {number for number in ids if number is not None and is_reference(number)}
        kept = {number: cached[number] for number in wanted & cached.keys()}
        if missing := sorted(map(int, wanted - kept.keys())):
            rows = self._session.fetch(
                statement, {"ids": missing}, prefix=self._tables.prefix, columns=columns
            )
            kept |= {row[key] or b"": read(row) for row in rows}
        return kept


def _order(row: tuple[Instant, Row]) -> int:
    return _UNTIMED if row[0] is None else row[0]


def _until(session: MysqlSession) -> str:
    [row] = session.fetch("matomo/until")
    return _text(row["latest"])


def _written(at: int) -> str:
    return time_of(at).replace(tzinfo=None).isoformat(" ")


def _text(value: bytes | None) -> str:
    return (value or b"").decode("utf-8", "replace")


@lru_cache(maxsize=4_096)
def _moment(text: str) -> tuple[Instant, bool]:
    """Return the instant of a time in UTC, and whether it is one; None for year 0.

    A day that is none, such as 31 February, stands before the next one that is, as in the order of the database.
    """
    try:
        return instant_of(datetime.fromisoformat(text).replace(tzinfo=UTC)), True
    except ValueError:
        year, month, day = (int(part) for part in text[:10].split("-"))
    if not year:
        return None, False
    follows = datetime(year, max(month, 1), 1, tzinfo=UTC)
    if month and day:
        follows = datetime(year + month // 12, month % 12 + 1, 1, tzinfo=UTC)
    return instant_of(follows), False


def _tables_of(session: MysqlSession, database: MysqlDatabase) -> _Tables:
    """Return the tables of the installation.

    Raises:
        UnreadableSource: there is none, or none that can be read whole, or there are several.

    """
    columns_of: dict[str, list[str]] = {}
    for row in session.fetch("matomo/columns"):
        columns_of.setdefault(_text(row["table_name"]), []).append(_text(row["column_name"]))
    prefix = _prefix_of(columns_of, database)
    columns = {table: columns_of.get(f"{prefix}{table}", []) for table in (*_NEEDED, _DIMENSIONS)}
    for table, needed in _NEEDED.items():
        _check(f"{prefix}{table}", columns[table], needed, database.shown)
    return _Tables(prefix, columns)


def _prefix_of(tables: Iterable[str], database: MysqlDatabase) -> str:
    if database.prefix is not None:
        return database.prefix
    prefixes = [name.removesuffix(_ACTIONS) for name in tables if name.endswith(_ACTIONS)]
    if len(prefixes) > 1:
        named = ", ".join(f"prefix={prefix}" for prefix in prefixes)
        raise UnreadableSource(
            f"{database.shown} has the tables of {len(prefixes)} installations: name one in the URL, {named}"
        )
    return prefixes[0] if prefixes else ""


def _check(table: str, columns: Sequence[str], needed: Sequence[str], shown: str) -> None:
    if not columns:
        raise UnreadableSource(f"{shown} has no table {table}, or its user may not read it")
    missing = [name for name in needed if name not in columns]
    if missing == [_SINCE_4]:
        raise UnreadableSource(f"{shown} is of a version before Matomo 4: update Matomo first")
    if missing:
        raise UnreadableSource(
            f"the table {table} of {shown} has no column {', '.join(missing)}, or its user may not read it"
        )


def _site_of(session: MysqlSession, tables: _Tables, number: int, shown: str) -> MatomoSite:
    values = {"site": number}
    rows = session.fetch("matomo/site", values, prefix=tables.prefix)
    if not rows:
        raise UnreadableSource(f"{shown} has no site {number}")
    goals = session.fetch("matomo/goals", values, prefix=tables.prefix)
    dimensions = (
        session.fetch("matomo/dimensions", values, prefix=tables.prefix)
        if tables.columns[_DIMENSIONS]
        else []
    )
    return MatomoSite(
        key=" ".join(filter(None, (str(number), _text(rows[0]["created"])))),
        currency=_text(rows[0]["currency"]).strip() or None,
        goals={int(row["idgoal"] or 0): goal_of(row) for row in goals},
        of_visits=_properties(tables, dimensions, _VISITS),
        of_actions=_properties(tables, dimensions, _ACTIONS),
    )


def _properties(tables: _Tables, dimensions: Sequence[Values], table: str) -> dict[str, str]:
    """Return the names of properties by the columns of a table; a dimension that is not described has its column's."""
    named = {
        f"custom_dimension_{_text(row['number'])}": unescaped(_text(row["name"]))
        for row in dimensions
        if row["scope"] == _SCOPES[table]
    }
    return {name: named.get(name) or name for name in tables.columns[table] if _DIMENSION.fullmatch(name)}
