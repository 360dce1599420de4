"""The query parameters that reports have in common (interface, section 4.1; decisions, section 7)."""

from collections.abc import Callable, Collection, Mapping
from datetime import datetime
from typing import Any, TypeVar

import orjson
from falcon.asgi import Request

from footfall.application.goal_list import Question
from footfall.domain.errors import Invalid
from footfall.domain.filter import Filter, parse_filters
from footfall.domain.window import Window, parse_window

COMMON = frozenset(
    {"start_date", "end_date", "past_minutes_start", "past_minutes_end", "time_zone", "filters"}
)
# Who may read is a question of its own; here it only must not be an unknown parameter.
_CREDENTIAL = frozenset({"private_key"})

Value = TypeVar("Value")


class ReportParameters:
    """The parameters of one request; what is wrong with them is collected, and reported together."""

    def __init__(self, req: Request, *, now: datetime, own: Collection[str] = ()) -> None:
        known = COMMON | _CREDENTIAL | set(own)
        self._faults = _names_faults(req.params, known)
        self._texts: Mapping[str, str] = {
            name: value for name, value in req.params.items() if isinstance(value, str)
        }
        self._now = now

    def read(self, parse: Callable[[Mapping[str, str]], Value], otherwise: Value) -> Value:
        """Return what `parse` makes of the parameters; when it refuses, remember why and return something else."""
        try:
            return parse(self._texts)
        except Invalid as refusal:
            # What is wrong with the name of a parameter comes before what is wrong with its value.
            self._faults = refusal.faults | self._faults
            return otherwise

    def window(self) -> Window:
        """Return the window that is asked for."""
        return self.read(lambda texts: parse_window(texts, now=self._now), parse_window({}, now=self._now))

    def filters(self) -> tuple[Filter, ...]:
        """Return the filters that are asked for."""
        return self.read(_filters, ())

    def question(self) -> Question:
        """Return period and filters."""
        return Question(self.window().period, self.filters())

    def check(self) -> None:
        """Raise Invalid with everything that was wrong with what has been read."""
        if self._faults:
            raise Invalid(self._faults)


def _names_faults(params: Mapping[str, Any], known: Collection[str]) -> dict[str, list[str]]:
    accepted = f"unknown parameter; accepted are {', '.join(sorted(set(known) - _CREDENTIAL))}"
    faults = {name: [accepted] for name in params if name not in known}
    repeated = {
        name: ["is given more than once"] for name, value in params.items() if isinstance(value, list)
    }
    return faults | repeated


def _filters(texts: Mapping[str, str]) -> tuple[Filter, ...]:
    text = texts.get("filters")
    if text is None:
        return ()
    try:
        decoded = orjson.loads(text)
    except ValueError:
        raise Invalid({"filters": ["must be a JSON array of {parameter, type, value: […]}"]}) from None
    return parse_filters(decoded)
