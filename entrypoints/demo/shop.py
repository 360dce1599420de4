"""The stage of the demonstration: a shop, its pages, and who comes from where with what. Numbers are weights."""

from types import MappingProxyType

from attrs import frozen

from footfall.domain.tracking.hit import DeviceType

HOST = "walking-shoes.example"
VISITS_A_DAY = 260

# Names of custom events.
SIGN_UP, ORDER = "sign up", "order"
# Models, and their prices in euros.
SHOES = ((55, ("trail", 149.0)), (30, ("city", 129.0)), (15, ("city", 99.5)))


@frozen
class DemoLocation:
    """The location of a visitor; the distance, in milliseconds there and back, is that to the shop's server."""

    country: str
    region: str
    city: str
    latitude: float
    longitude: float
    language: str
    hours_ahead: int
    distance: float


@frozen
class DemoDevice:
    """A visitor's device; its slowness stretches the load times of pages."""

    device_type: DeviceType
    operating_system: str
    operating_system_version: str
    browser: str
    browser_version: str
    screen_width: float
    screen_height: float
    slowness: float


PLACES = (
    (30, DemoLocation("US", "NY", "New York", 40.7128, -74.006, "en-US", -5, 85.0)),
    (12, DemoLocation("US", "CA", "San Francisco", 37.7749, -122.4194, "en-US", -8, 140.0)),
    (20, DemoLocation("DE", "BE", "Berlin", 52.52, 13.405, "de-DE", 1, 12.0)),
    (8, DemoLocation("DE", "BY", "Munich", 48.1374, 11.5755, "de-DE", 1, 15.0)),
    (14, DemoLocation("GB", "ENG", "London", 51.5074, -0.1278, "en-GB", 0, 22.0)),
    (10, DemoLocation("FR", "IDF", "Paris", 48.8566, 2.3522, "fr-FR", 1, 20.0)),
    (9, DemoLocation("IN", "KA", "Bengaluru", 12.9716, 77.5946, "en-IN", 5, 150.0)),
    (7, DemoLocation("BR", "SP", "São Paulo", -23.5505, -46.6333, "pt-BR", -3, 190.0)),
    (6, DemoLocation("JP", "13", "Tokyo", 35.6762, 139.6503, "ja-JP", 9, 230.0)),
    (4, DemoLocation("AU", "NSW", "Sydney", -33.8688, 151.2093, "en-AU", 10, 270.0)),
)
DEVICES = (
    (30, DemoDevice(DeviceType.DESKTOP, "Windows", "10", "Chrome", "140.0.0.0", 1920.0, 1080.0, 1.0)),
    (6, DemoDevice(DeviceType.DESKTOP, "Windows", "10", "Chrome", "139.0.0.0", 1366.0, 768.0, 1.5)),
    (7, DemoDevice(DeviceType.DESKTOP, "Mac OS X", "10.15.7", "Chrome", "140.0.0.0", 1512.0, 982.0, 0.8)),
    (11, DemoDevice(DeviceType.DESKTOP, "Mac OS X", "10.15.7", "Safari", "18.6", 1440.0, 900.0, 0.85)),
    (7, DemoDevice(DeviceType.DESKTOP, "Windows", "10", "Edge", "140.0.0.0", 1536.0, 864.0, 1.0)),
    (5, DemoDevice(DeviceType.DESKTOP, "Windows", "10", "Firefox", "143.0", 1920.0, 1080.0, 1.0)),
    (4, DemoDevice(DeviceType.DESKTOP, "Linux", "x86_64", "Firefox", "143.0", 1920.0, 1080.0, 0.9)),
    (1, DemoDevice(DeviceType.DESKTOP, "Windows", "10", "Opera", "121.0.0.0", 1920.0, 1080.0, 1.0)),
    (1, DemoDevice(DeviceType.DESKTOP, "Chrome OS", "14541.0.0", "Chrome", "139.0.0.0", 1366.0, 768.0, 1.9)),
    (22, DemoDevice(DeviceType.MOBILE, "iOS", "18.6", "Mobile Safari", "18.6", 390.0, 844.0, 1.1)),
    (5, DemoDevice(DeviceType.MOBILE, "iOS", "17.6", "Mobile Safari", "17.6", 375.0, 667.0, 1.6)),
    (17, DemoDevice(DeviceType.MOBILE, "Android", "10", "Chrome Mobile", "140.0.0.0", 412.0, 915.0, 1.5)),
    (8, DemoDevice(DeviceType.MOBILE, "Android", "10", "Chrome Mobile", "138.0.0.0", 360.0, 800.0, 2.6)),
    (5, DemoDevice(DeviceType.MOBILE, "Android", "10", "Samsung Internet", "28.0", 384.0, 832.0, 1.7)),
    (1, DemoDevice(DeviceType.MOBILE, "Android", "14", "Firefox Mobile", "143.0", 412.0, 892.0, 1.8)),
    (3, DemoDevice(DeviceType.TABLET, "iOS", "18.6", "Mobile Safari", "18.6", 820.0, 1180.0, 1.2)),
    (1, DemoDevice(DeviceType.TABLET, "Android", "10", "Chrome", "139.0.0.0", 800.0, 1280.0, 2.4)),
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
# The weight of each hour of a local day, and of each day of the week from Monday on.
HOURS = (2, 1, 1, 1, 1, 2, 4, 7, 10, 12, 12, 11, 12, 12, 11, 11, 11, 11, 12, 14, 14, 12, 8, 4)
WEEKDAYS = (1.1, 1.15, 1.1, 1.05, 1.0, 0.75, 0.8)
