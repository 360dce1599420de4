"""The stage of the demonstration: a shop, its pages, and who comes from where with what. Numbers are weights."""

from collections.abc import Sequence
from types import MappingProxyType

from attrs import frozen

from footfall.domain.goal import EventRule, PathRule, Rule
from footfall.domain.hit import DeviceType

HOST = "shop.example"
VISITS_A_DAY = 260

GOALS: Sequence[tuple[str, Rule]] = (
    ("Reads about prices", PathRule("/pricing*")),
    ("Signs up", EventRule("sign up")),
    ("Chooses the large plan", EventRule("sign up", "plan", "large")),
    ("Orders", PathRule("/checkout/thanks")),
)


@frozen
class Place:
    """Where a visitor is."""

    country: str
    region: str
    city: str
    latitude: float
    longitude: float
    language: str
    hours_ahead: int


@frozen
class Device:
    """What a visitor holds; the slowness stretches the times that pages take."""

    device_type: DeviceType
    operating_system: str
    operating_system_version: str
    browser: str
    browser_version: str
    width: float
    height: float
    slowness: float


@frozen
class Source:
    """What brought a visitor."""

    referrer: str | None
    querystring: str | None = None


PLACES = (
    (30, Place("US", "NY", "New York", 40.7128, -74.006, "en-US", -5)),
    (12, Place("US", "CA", "San Francisco", 37.7749, -122.4194, "en-US", -8)),
    (20, Place("DE", "BE", "Berlin", 52.52, 13.405, "de-DE", 1)),
    (8, Place("DE", "BY", "Munich", 48.1374, 11.5755, "de-DE", 1)),
    (14, Place("GB", "ENG", "London", 51.5074, -0.1278, "en-GB", 0)),
    (10, Place("FR", "IDF", "Paris", 48.8566, 2.3522, "fr-FR", 1)),
    (9, Place("IN", "KA", "Bengaluru", 12.9716, 77.5946, "en-IN", 5)),
    (7, Place("BR", "SP", "São Paulo", -23.5505, -46.6333, "pt-BR", -3)),
    (6, Place("JP", "13", "Tokyo", 35.6762, 139.6503, "ja-JP", 9)),
    (4, Place("AU", "NSW", "Sydney", -33.8688, 151.2093, "en-AU", 10)),
)
DEVICES = (
    (34, Device(DeviceType.DESKTOP, "Windows", "10", "Chrome", "140.0", 1920.0, 1080.0, 1.0)),
    (12, Device(DeviceType.DESKTOP, "Mac OS X", "10.15", "Safari", "18.2", 1440.0, 900.0, 0.9)),
    (8, Device(DeviceType.DESKTOP, "Linux", "6", "Firefox", "143.0", 1920.0, 1080.0, 1.0)),
    (5, Device(DeviceType.DESKTOP, "Windows", "10", "Edge", "140.0", 1536.0, 864.0, 1.0)),
    (24, Device(DeviceType.MOBILE, "iOS", "18.2", "Mobile Safari", "18.2", 390.0, 844.0, 1.4)),
    (20, Device(DeviceType.MOBILE, "Android", "15", "Chrome Mobile", "140.0", 412.0, 915.0, 2.1)),
    (4, Device(DeviceType.TABLET, "iOS", "18.2", "Mobile Safari", "18.2", 820.0, 1180.0, 1.3)),
)
SOURCES = (
    (34, Source(None)),
    (30, Source("https://www.google.com/")),
    (6, Source("https://duckduckgo.com/")),
    (7, Source("https://news.ycombinator.com/")),
    (6, Source("https://www.reddit.com/")),
    (5, Source("https://www.linkedin.com/")),
    (4, Source("https://www.youtube.com/")),
    (4, Source("https://chatgpt.com/")),
    (
        8,
        Source("https://www.google.com/", "?gclid=demo&utm_source=google&utm_medium=cpc&utm_campaign=spring"),
    ),
    (6, Source(None, "?utm_source=newsletter&utm_medium=email&utm_campaign=october")),
    (5, Source("https://blog.example.org/review")),
)
TITLES = MappingProxyType(
    {
        "/": "Walking shoes that last",
        "/products": "All shoes",
        "/products/trail": "The trail shoe",
        "/products/city": "The city shoe",
        "/blog": "From the workshop",
        "/blog/how-soles-are-made": "How soles are made",
        "/blog/a-walk-through-the-alps": "A walk through the Alps",
        "/pricing": "What repair costs",
        "/sign-up": "Join us",
        "/checkout": "Your order",
        "/checkout/thanks": "Thank you",
    }
)
LANDINGS = (
    (50, "/"),
    (18, "/blog/how-soles-are-made"),
    (12, "/blog"),
    (12, "/products/trail"),
    (8, "/pricing"),
)
NEXT = MappingProxyType(
    {
        "/": ((40, "/products"), (20, "/blog"), (20, "/pricing"), (20, "")),
        "/products": ((40, "/products/trail"), (35, "/products/city"), (25, "")),
        "/products/trail": ((18, "/checkout"), (22, "/products/city"), (20, "/pricing"), (40, "")),
        "/products/city": ((15, "/checkout"), (20, "/products/trail"), (20, "/pricing"), (45, "")),
        "/blog": ((40, "/blog/how-soles-are-made"), (30, "/blog/a-walk-through-the-alps"), (30, "")),
        "/blog/how-soles-are-made": ((25, "/blog"), (15, "/products"), (60, "")),
        "/blog/a-walk-through-the-alps": ((20, "/products/trail"), (20, "/blog"), (60, "")),
        "/pricing": ((30, "/sign-up"), (20, "/products"), (50, "")),
        "/sign-up": ((20, "/products"), (80, "")),
        "/checkout": ((60, "/checkout/thanks"), (40, "")),
        "/checkout/thanks": ((1, ""),),
    }
)
ERRORS = (
    (6, ("TypeError", "Cannot read properties of undefined (reading 'price')", "cart.js", 41)),
    (3, ("ReferenceError", "track is not defined", "checkout.js", 7)),
    (1, ("NetworkError", "Failed to fetch", "api.js", 112)),
)
# How busy each hour of a local day is, and each day of the week from Monday on.
HOURS = (2, 1, 1, 1, 1, 2, 4, 7, 10, 12, 12, 11, 12, 12, 11, 11, 11, 11, 12, 14, 14, 12, 8, 4)
WEEKDAYS = (1.1, 1.15, 1.1, 1.05, 1.0, 0.75, 0.8)
