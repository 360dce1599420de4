"""Goals of Rybbit: its table goals, in its PostgreSQL or as CSV (docs/track/imports/rybbit.md)."""

import csv
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import orjson
from attrs import define, field

from footfall.adapters.sources.reading.line_files import LineFile
from footfall.adapters.sources.reading.postgres import PostgresDatabase
from footfall.adapters.sources.reading.site_choice import LISTED, chosen_site, site_number
from footfall.application.ports.imports import LeftOut, SourceGoal, UnreadableSource
from footfall.domain.exceptions import Invalid
from footfall.domain.goals.goal import Rule, Scalar, event_rule, path_rule

FORMAT = "rybbit-goals"
_COLUMNS = ("goal_id", "site_id", "name", "goal_type", "config")
_NUMBER = "its number"
_MOST_DIGITS = 18
_MOST_GOALS = 10_000

Rows = Sequence[Mapping[str, Any]]


@define
class RybbitGoals:
    """The goals of one site of Rybbit; in its database and in a file they are one source."""

    key: str
    description: str
    _rows: Rows = field(repr=False)
    format: str = field(default=FORMAT, init=False)

    def goals(self, after: int) -> Iterator[SourceGoal]:
        """Yield the goals behind a number, by their numbers.

        Raises:
            UnreadableSource: a goal has no number, or twice the same.

        """
        numbers = [_number(row) for row in self._rows]
        if len(set(numbers)) < len(numbers):
            raise UnreadableSource(f"{self.description} has two goals of one number")
        for number, row in sorted(zip(numbers, self._rows, strict=True), key=lambda pair: pair[0]):
            if number > after:
                yield SourceGoal(number, (row["name"] or "").strip() or None, rule_of(row))


def is_export(line: bytes) -> bool:
    """Whether a line is the header of the table."""
    return set(_COLUMNS) <= set(line.decode("utf-8", "replace").strip().replace('"', "").split(","))


def open_database(url: str, site: str | None) -> RybbitGoals:
    """Return the goals of a site in the database at a URL; the only site with goals unless it is named.

    Raises:
        UnreadableSource: the database cannot be read, or the site has to be named.

    """
    database = PostgresDatabase("Rybbit", url)
    sites = {row["site_id"]: "" for row in database.fetch("rybbit/goal_sites", {"most": LISTED + 1})}
    chosen = chosen_site(site, sites, site_number, expected=_NUMBER)
    rows = list(database.fetch("rybbit/goals", {"site_id": chosen}))
    return RybbitGoals(chosen, database.shown, rows)


def open_file(path: Path, site: str | None) -> RybbitGoals:
    """Return the goals of a site in a file of CSV; the only site unless it is named.

    Raises:
        UnreadableSource: the file cannot be read, or the site has to be named.

    """
    rows = _read(path)
    sites = {row["site_id"] or "": "" for row in rows}
    chosen = chosen_site(site, sites, site_number, expected=_NUMBER)
    return RybbitGoals(chosen, path.name, [row for row in rows if row["site_id"] == chosen])


def rule_of(row: Mapping[str, Any]) -> Rule | LeftOut:
    """Return the rule of a goal, or the reason why there is no such rule here."""
    try:
        config = orjson.loads(row["config"] or "")
        if row["goal_type"] == "path":
            # The conditions of a path are about parameters of the query, not about properties of the pageview.
            return LeftOut.OTHER_RULE if _properties(config) else path_rule(config["pathPattern"])
        if row["goal_type"] == "event":
            return _event_rule(config)
    except (AttributeError, KeyError, TypeError, ValueError):
        return LeftOut.UNREADABLE
    except Invalid:
        return LeftOut.OTHER_RULE
    return LeftOut.NOT_CARRIED


def _event_rule(config: Mapping[str, Any]) -> Rule | LeftOut:
    match _properties(config):
        case []:
            return event_rule(config["eventName"])
        case [(key, value)]:
            return event_rule(config["eventName"], key, value)
    return LeftOut.OTHER_RULE


def _properties(config: Mapping[str, Any]) -> list[tuple[str, Scalar]]:
    """Return the properties that an event has to have: as a list in newer versions, one in older ones."""
    if filters := config.get("propertyFilters"):
        return [(_text(condition["key"]), _scalar(condition["value"])) for condition in filters]
    key, value = config.get("eventPropertyKey"), config.get("eventPropertyValue")
    return [] if not key or value is None else [(_text(key), _scalar(value))]


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _scalar(value: Any) -> Scalar:
    if not isinstance(value, str | int | float | bool):
        raise TypeError
    return value


def _number(row: Mapping[str, Any]) -> int:
    text = row["goal_id"] or ""
    if not text.isdecimal() or len(text) > _MOST_DIGITS:
        raise UnreadableSource("a goal of the source has no number")
    return int(text)


def _read(path: Path) -> Rows:
    try:
        reader = csv.DictReader(map(bytes.decode, LineFile(path, quoted=True).read(None)), strict=True)
        if missing := [name for name in _COLUMNS if name not in (reader.fieldnames or ())]:
            raise UnreadableSource(f"{path.name} has no column {', '.join(missing)}")
        rows = list(islice(reader, _MOST_GOALS + 1))
    except (UnicodeDecodeError, csv.Error):
        raise UnreadableSource(f"{path.name} is not CSV in UTF-8") from None
    if len(rows) > _MOST_GOALS:
        raise UnreadableSource(f"{path.name} has more than {_MOST_GOALS:,} goals")
    return rows
