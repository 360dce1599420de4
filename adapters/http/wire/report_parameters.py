"""The query parameters that reports have in common (docs/read/reports.md)."""

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, TypeVar

import orjson
from falcon.asgi import Request

from footfall.adapters.http.wire.parameters import prefers_csv, texts_of, unaccepted
from footfall.application.access.readers import Reader
from footfall.application.reports.query_parameters import (
    COMPARED_DATES,
    parse_comparison,
    parse_report_period,
)
from footfall.application.reports.tables import MAX_ROWS
from footfall.domain.citations.definitions import PRESENT
from footfall.domain.citations.positions import whole_milliseconds
from footfall.domain.exceptions import GoalNotFound, Invalid, existing
from footfall.domain.goals.goal import GoalQuery
from footfall.domain.number import decode_json, identifier, number_errors
from footfall.domain.pagination import Page, parse_page
from footfall.domain.periods.report_period import ReportPeriod
from footfall.domain.row_choice import EVERY_ROW, RowChoice, parse_search
from footfall.domain.traffic.filters import Filter, parse_filters
from footfall.domain.traffic.report_query import ReportQuery

COMMON = frozenset(
    {
        "start_date",
        "end_date",
        "past_minutes_start",
        "past_minutes_end",
        "time_zone",
        "filters",
        "segment",
        "as_of",
        "excluded",
    }
)
# The parameters of the period that a report is compared with.
COMPARED = ("compare_with", *COMPARED_DATES)
# The value of `excluded`.
INCLUDE = "include"

Value = TypeVar("Value")


class ReportParameters:
    """The parameters of one request; their errors are collected and reported together.

    `csv` tells whether the client accepts CSV rather than JSON (docs/read/programs/files.md).
    """

    def __init__(
        self,
        req: Request,
        reader: Reader,
        *,
        now: datetime,
        own: Collection[str] = (),
        common: Collection[str] = COMMON,
    ) -> None:
        self._field_errors = unaccepted(req, {*common, *own})
        # Whether the answer follows the standing exclusions of the site, as all but those about now do.
        self.follows_exclusions = "excluded" in common
        self._texts: Mapping[str, str] = texts_of(req)
        self._parsed: dict[str, Any] = {}
        self._reader = reader
        # The number is of all sessions of the site, and a link can show some of them.
        self.tells_excluded = reader.limits is None
        if reader.limits is not None:
            self._field_errors = reader.limits.errors(self._texts) | self._field_errors
        self.csv = prefers_csv(req)
        self.now = whole_milliseconds(now) if reader.as_of is None else reader.as_of.at
        self._definitions = PRESENT if reader.as_of is None else reader.as_of.definitions

    def read(self, parse: Callable[[Mapping[str, str]], Value], otherwise: Value) -> Value:
        """Return what `parse` makes of the parameters; when it refuses, keep the errors and return `otherwise`."""
        try:
            return parse(self._texts)
        except Invalid as refusal:
            # An error in the name of a parameter replaces one in its value.
            self._field_errors = refusal.field_errors | self._field_errors
            return otherwise

    def window(self) -> ReportPeriod:
        """Return the requested period."""
        return self._read_once("period", lambda texts: parse_report_period(texts, now=self.now)) or (
            parse_report_period({}, now=self.now)
        )

    def compared_window(self) -> ReportPeriod:
        """Return the requested period, compared with the requested one: up to the same time if it is not over."""
        window = self.window()
        compared = self.read(lambda texts: parse_comparison(texts, window), window)
        return compared.to_same_time(self.now) if self._definitions.comparisons > 1 else compared

    @property
    def compares(self) -> bool:
        """Whether the request names the period to compare with."""
        return any(name in self._texts for name in COMPARED)

    def filters(self) -> tuple[Filter, ...]:
        """Return the filters of the link or of the segment, those of the request, and that by standing exclusions."""
        reader = self._reader
        of_segment = self._read_once("segment", lambda texts: reader.filters_of_segment(_segment(texts)))
        own = self._read_once("filters", lambda texts: reader.permitted(_filters(texts)))
        return reader.limited + (of_segment or ()) + (own or ()) + self.exclusion()

    def exclusion(self) -> tuple[Filter, ...]:
        """Return the filter by the standing exclusions of the site; none where these are to be included."""
        if not self.follows_exclusions:
            return ()
        reader = self._reader
        return self._read_once("excluded", lambda texts: _exclusion(texts, reader)) or ()

    def query(self) -> ReportQuery:
        """Return period and filters."""
        return ReportQuery(self.window().period, self.filters())

    def goal(self) -> GoalQuery | None:
        """Return the goal of the parameter `goal`; None when none is requested."""
        return self.read(lambda texts: _goal(texts.get("goal"), self._reader), None)

    def required_goal(self) -> GoalQuery:
        """Return the goal of the parameter `goal`, for a report that is about one.

        Raises:
            Invalid: there is none, or it or a parameter read before is not accepted.

        """
        self.read(goal_text, "")
        goal = self.goal()
        self.check()
        return existing(goal, GoalNotFound)

    def search(self) -> RowChoice:
        """Return the choice of rows by the parameter `search`; all of them when none is requested."""
        return self.read(lambda texts: parse_search(texts.get("search")), EVERY_ROW)

    def page(self, *, size: int, size_names: Sequence[str] = ("limit",), in_file: int = MAX_ROWS) -> Page:
        """Return the requested page; the first one of `size` items, `in_file` of a file, when none is requested."""
        if self.csv:
            return self.read(
                lambda texts: parse_page(texts, size=in_file, size_names=size_names, maximum=in_file),
                Page(1, in_file),
            )
        return self.read(lambda texts: parse_page(texts, size=size, size_names=size_names), Page(1, size))

    def _read_once(self, name: str, parse: Callable[[Mapping[str, str]], Value]) -> Value | None:
        """Return what `parse` makes of the parameters, which a report asks for again; None when it refuses."""
        if name not in self._parsed:

            def keep(texts: Mapping[str, str]) -> None:
                self._parsed[name] = parse(texts)

            self.read(keep, None)
        return self._parsed.get(name)

    def check(self) -> None:
        """Raise Invalid with all errors of the parameters read so far."""
        if self._field_errors:
            raise Invalid(self._field_errors)


def goal_text(texts: Mapping[str, str]) -> str:
    """Return the parameter `goal` of a report that needs it.

    Raises:
        Invalid: it is absent.

    """
    if "goal" not in texts:
        raise Invalid({"goal": ["is required: the goalId of a goal"]})
    return texts["goal"]


def _goal(text: str | None, reader: Reader) -> GoalQuery | None:
    if text is None:
        return None
    number = identifier(text)
    goal = None if number is None else reader.goal(number)
    if goal is None:
        raise Invalid({"goal": ["must be the id of a goal of this site"]})
    return goal


def _exclusion(texts: Mapping[str, str], reader: Reader) -> tuple[Filter, ...]:
    text = texts.get("excluded")
    if text is None:
        return reader.exclusion()
    if text != INCLUDE:
        raise Invalid({"excluded": [f"must be {INCLUDE}, to count what the exclusion rules leave out"]})
    if not reader.belongs:
        raise Invalid({"excluded": ["is only for members of the site's organization"]})
    return ()


def _segment(texts: Mapping[str, str]) -> int | None:
    if "segment" not in texts:
        return None
    # A text that is no number names no segment.
    number = identifier(texts["segment"])
    return 0 if number is None else number


def _filters(texts: Mapping[str, str]) -> tuple[Filter, ...]:
    text = texts.get("filters")
    if text is None:
        return ()
    try:
        decoded = decode_json(text, orjson.loads)
    except ValueError:
        raise Invalid({"filters": ["must be a JSON array of {parameter, type, value: […]}"]}) from None
    if field_errors := number_errors(decoded, "filters"):
        raise Invalid(field_errors)
    return parse_filters(decoded)
