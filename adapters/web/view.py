"""What somebody looks at: all of it is in the address, so that a view can be sent to somebody else."""

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from types import MappingProxyType
from urllib.parse import unquote, urlencode
from zoneinfo import ZoneInfo

from attrs import evolve, frozen
from falcon.asgi import Request

from footfall.domain.bucket import BucketSize
from footfall.domain.errors import Invalid
from footfall.domain.filter import Filter, parse_filters
from footfall.domain.period import last_days
from footfall.domain.window import Window, local_days, parse_window
from footfall.domain.zone import parse_zone

ZONE_COOKIE = "footfall_zone"
PERIODS: Mapping[str, str] = MappingProxyType(
    {"today": "Today", "yesterday": "Yesterday", "7d": "7 days", "30d": "30 days", "12m": "12 months"}
)
METRICS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "visitors": ("Visitors", "Different people, as far as they can be told apart without cookies"),
        "sessions": ("Sessions", "Visits that end after 30 minutes without anything happening"),
        "pageviews": ("Pageviews", "Pages that were opened"),
        "bounce_rate": ("Bounce rate", "Sessions of one pageview and nothing else"),
        "average_session_duration": ("Duration", "From the first to the last thing in a session, on average"),
    }
)
DEFAULT_PERIOD = "30d"
_DAYS = MappingProxyType({"today": 1, "7d": 7, "30d": 30, "12m": 365})
_DAY = timedelta(days=1)
_MONTHS = timedelta(days=92)
_YEARS = timedelta(days=800)
_KEPT = ("period", "start_date", "end_date", "time_zone", "compare", "metric", "filter")


@frozen
class View:
    """A site's page with everything that was chosen on it; `pairs` are the parameters of its address."""

    base: str
    pairs: tuple[tuple[str, str], ...]
    period: str
    window: Window
    filters: tuple[Filter, ...]
    metric: str
    compares: bool

    @property
    def size(self) -> BucketSize:
        """How long the buckets of the chart are."""
        length = self.window.period.length
        if length <= 2 * _DAY:
            return BucketSize.HOUR
        if length <= _MONTHS:
            return BucketSize.DAY
        return BucketSize.WEEK if length <= _YEARS else BucketSize.MONTH

    @property
    def last_day(self) -> date:
        """The last local day of the period."""
        return self.local(self.window.period.end - timedelta(microseconds=1)).date()

    def address(self, path: str = "", **changes: str | None) -> str:
        """Return the address of this view with parameters changed; None takes one away."""
        kept = [pair for pair in self.pairs if pair[0] not in changes]
        added = [(name, value) for name, value in changes.items() if value is not None]
        query = urlencode([*kept, *added])
        return f"{self.base}{path}?{query}" if query else f"{self.base}{path}"

    def filtered(self, parameter: str, value: str) -> str:
        """Return the address that also asks for this value, or not any more when it was asked for."""
        wanted = f"{parameter},equals,{value}"
        others = tuple(
            pair
            for pair in self.pairs
            if pair[0] != "filter" or not pair[1].startswith(f"{parameter},equals,")
        )
        pairs = others if ("filter", wanted) in self.pairs else (*others, ("filter", wanted))
        return evolve(self, pairs=pairs).address()

    def without(self, one: Filter) -> str:
        """Return the address that does not filter by this any more."""
        text = f"{one.parameter},{one.type.value},{one.values[0]}"
        return evolve(self, pairs=tuple(pair for pair in self.pairs if pair != ("filter", text))).address()

    def asks_for(self, parameter: str, value: str) -> bool:
        """Whether the view is filtered by this value."""
        return ("filter", f"{parameter},equals,{value}") in self.pairs

    def local(self, at: datetime) -> datetime:
        """Return a time as clocks of the viewer show it."""
        return at.astimezone(self.window.zone)


def read_view(req: Request, base: str, now: datetime) -> View:
    """Return the view that an address asks for.

    Raises:
        Invalid: a parameter cannot be understood; faults name what is accepted.

    """
    texts = {name: value for name, value in req.params.items() if isinstance(value, str)}
    zone = _zone(req, texts)
    period, window = _period(texts, zone, now)
    metric = texts.get("metric", "visitors")
    return View(
        base=base,
        pairs=_pairs(req),
        period=period,
        window=window,
        filters=_filters(req),
        metric=metric if metric in METRICS else "visitors",
        compares=texts.get("compare") != "off",
    )


def _pairs(req: Request) -> tuple[tuple[str, str], ...]:
    listed = {name: value if isinstance(value, list) else [value] for name, value in req.params.items()}
    return tuple((name, one) for name in _KEPT for one in listed.get(name, []))


def _zone(req: Request, texts: Mapping[str, str]) -> ZoneInfo:
    if "time_zone" in texts:
        return parse_zone(texts["time_zone"])
    try:
        return parse_zone(unquote(req.cookies.get(ZONE_COOKIE, "UTC")))
    except Invalid:
        return parse_zone("UTC")


def _period(texts: Mapping[str, str], zone: ZoneInfo, now: datetime) -> tuple[str, Window]:
    if "start_date" in texts or "end_date" in texts:
        return "custom", parse_window({**_dates(texts), "time_zone": zone.key}, now=now)
    period = texts.get("period", DEFAULT_PERIOD)
    if period not in PERIODS:
        raise Invalid({"period": [f"must be one of {', '.join(PERIODS)}"]})
    if period == "yesterday":
        first, _ = last_days(now, zone, days=2)
        return period, local_days(first, first, zone)
    return period, local_days(*last_days(now, zone, days=_DAYS[period]), zone)


def _dates(texts: Mapping[str, str]) -> dict[str, str]:
    return {name: texts[name] for name in ("start_date", "end_date") if name in texts}


def _filters(req: Request) -> tuple[Filter, ...]:
    given = req.params.get("filter", [])
    parts = [text.split(",", 2) for text in (given if isinstance(given, list) else [given])]

    if any(len(part) != 3 for part in parts):  # noqa: PLR2004 - parameter, type, value
        raise Invalid({"filter": ["must be a parameter, a type and a value with commas between them"]})
    return parse_filters([{"parameter": name, "type": kind, "value": [value]} for name, kind, value in parts])
