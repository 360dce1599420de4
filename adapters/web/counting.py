"""Numbers of things in words, with their singulars and plurals."""

from collections.abc import Mapping
from types import MappingProxyType

from footfall.application.languages.language import marked_plural, spoken

# What is counted, with its plural.
UNITS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "click": marked_plural("click", "clicks"),
        "completion": marked_plural("completion", "completions"),
        "conversion": marked_plural("conversion", "conversions"),
        "day": marked_plural("day", "days"),
        "entry": marked_plural("entry", "entries"),
        "error": marked_plural("error", "errors"),
        "event": marked_plural("event", "events"),
        "hour": marked_plural("hour", "hours"),
        "member": marked_plural("member", "members"),
        "month": marked_plural("month", "months"),
        "occurrence": marked_plural("occurrence", "occurrences"),
        "page load": marked_plural("page load", "page loads"),
        "pageview": marked_plural("pageview", "pageviews"),
        "path": marked_plural("path", "paths"),
        "report": marked_plural("report", "reports"),
        "session": marked_plural("session", "sessions"),
        "site": marked_plural("site", "sites"),
        "step": marked_plural("step", "steps"),
        "time": marked_plural("time", "times"),
        "view": marked_plural("view", "views"),
        "visitor": marked_plural("visitor", "visitors"),
        "week": marked_plural("week", "weeks"),
    }
)
# The same as wholes, whose nouns have another form in some languages.
_WHOLES: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "click": marked_plural("of {count} click", "of {count} clicks"),
        "conversion": marked_plural("of {count} conversion", "of {count} conversions"),
        "entry": marked_plural("of {count} entry", "of {count} entries"),
        "event": marked_plural("of {count} event", "of {count} events"),
        "occurrence": marked_plural("of {count} occurrence", "of {count} occurrences"),
        "pageview": marked_plural("of {count} pageview", "of {count} pageviews"),
        "session": marked_plural("of {count} session", "of {count} sessions"),
        "view": marked_plural("of {count} view", "of {count} views"),
        "visitor": marked_plural("of {count} visitor", "of {count} visitors"),
    }
)


def units(count: int, unit: str) -> str:
    """Return the singular or plural of a unit: `session` for one, `sessions` otherwise."""
    return spoken().plural(*UNITS[unit], count)


def counted(count: float, unit: str) -> str:
    """Return a number of things: 1 session, 1,200 sessions."""
    return f"{spoken().number(count)} {spoken().plural(*UNITS[unit], count)}"


def of(count: float, unit: str) -> str:
    """Return a number of things as the whole of a part: of 1,200 sessions."""
    return spoken().plural(*_WHOLES[unit], count).format(count=spoken().number(count))
