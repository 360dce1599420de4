"""What somebody looks at: all of it is in the address, so that a view can be sent to somebody else."""

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from types import MappingProxyType
from urllib.parse import unquote, urlencode
from zoneinfo import ZoneInfo

from attrs import evolve, frozen
from falcon.asgi import Request

from footfall.adapters.web.breakdown_panels import PANELS
from footfall.domain.bucket import BucketSize
from footfall.domain.errors import Invalid
from footfall.domain.filter import Filter, parse_filters
from footfall.domain.period import Period, last_days
from footfall.domain.quarter import QUARTER, quarter_of
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
        "bounce_rate": ("Bounce rate", "The share of sessions with one pageview and no other event"),
        "average_session_duration": (
            "Duration",
            "From the first to the last event of a session, on average over all sessions",
        ),
    }
)
DEFAULT_PERIOD = "30d"
_DAYS = MappingProxyType({"today": 1, "7d": 7, "30d": 30, "12m": 365})
_DAY = timedelta(days=1)
_MONTHS = timedelta(days=92)
_YEARS = timedelta(days=800)
_KEPT = ("period", "start_date", "end_date", "time_zone", "compare", "metric", *PANELS, "filter")
_EMBEDDED = ("embed", "on")
# What a browser says when it asks for the contents of a frame (https://w3c.github.io/webappsec-fetch-metadata/).
_FRAMES = frozenset({"iframe", "frame", "embed", "object"})
_WRITTEN = MappingProxyType(
    {
        BucketSize.HOUR: "%a %-d %b, %H:%M",
        BucketSize.DAY: "%a %-d %b",
        BucketSize.WEEK: "week of %-d %b %Y",
        BucketSize.MONTH: "%B %Y",
    }
)


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
    embedded: bool

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

    def before(self, now: datetime) -> Period:
        """Return the period before, as much of it as has passed of this one, to the quarter of an hour.

        A morning is compared with a morning, not with a whole day.
        """
        period, before = self.window.period, self.window.before
        if not period.start <= now < period.end:
            return before
        passed = quarter_of(now) + QUARTER - period.start
        return Period(before.start, min(before.start + passed, before.end))

    def knows_before(self, since: datetime | None) -> bool:
        """Whether there is data of nearly the whole period before; nothing grows by what was not measured."""
        before = self.window.before
        return since is not None and since <= before.start + before.length / 10

    @property
    def days(self) -> str:
        """The days of the period, as people write them: 23 Oct - 21 Nov 2026."""
        first, last = self.local(self.window.period.start).date(), self.last_day
        if first == last:
            return f"{last:%A, %-d %B %Y}"
        year = "" if first.year == last.year else f" {first.year}"
        return f"{first:%-d %b}{year} \N{EN DASH} {last:%-d %b %Y}"

    def address(self, path: str = "", **changes: str | None) -> str:
        """Return the address of this view with parameters changed; None takes one away."""
        kept = [pair for pair in self.pairs if pair[0] not in changes]
        added = [(name, value) for name, value in changes.items() if value is not None]
        query = urlencode([*kept, *added])
        return f"{self.base}{path}?{query}" if query else f"{self.base}{path}"

    def tab(self, panel: str) -> str:
        """Return which tab of a panel is chosen."""
        return PANELS[panel].tab(dict(self.pairs).get(panel))

    def with_tab(self, panel: str, tab: str, path: str = "") -> str:
        """Return the address with another tab of a panel; the first one needs no parameter."""
        return self.address(path, **{panel: None if tab == PANELS[panel].tab(None) else tab})

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

    def written(self, bucket: datetime) -> str:
        """Return when a bucket of the chart begins, as it is written beside it."""
        return self.local(bucket).strftime(_WRITTEN[self.size])


def is_embedded(req: Request) -> bool:
    """Whether the page is for a frame in a page of others: the address says so, or the browser does."""
    return req.params.get("embed") == "on" or req.get_header("Sec-Fetch-Dest") in _FRAMES


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
        embedded=is_embedded(req),
    )


def _pairs(req: Request) -> tuple[tuple[str, str], ...]:
    listed = {name: value if isinstance(value, list) else [value] for name, value in req.params.items()}
    kept = tuple((name, one) for name in _KEPT for one in listed.get(name, []))
    # What is opened from a frame is for the frame, too.
    return (*kept, _EMBEDDED) if is_embedded(req) else kept


def _zone(req: Request, texts: Mapping[str, str]) -> ZoneInfo:
    # What a browser says of its own zone need not be known here: in the cookie, and in a frame in the address.
    if "time_zone" in texts and not is_embedded(req):
        return parse_zone(texts["time_zone"])
    try:
        return parse_zone(texts.get("time_zone") or unquote(req.cookies.get(ZONE_COOKIE, "UTC")))
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
