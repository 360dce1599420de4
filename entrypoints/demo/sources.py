"""Sources of the visitors of the demonstration: a few sources that bring most of them, and a long tail."""

import random
from collections.abc import Sequence
from datetime import datetime

from attrs import frozen


@frozen
class VisitSource:
    """The origin of a visit: a referrer and a query string."""

    referrer: str | None
    querystring: str | None = None


_NEWSLETTER, _SEARCH_ADVERTISEMENT, _SOCIAL_ADVERTISEMENT = range(3)

# The weight of each host; browsers send the origin of a referrer and nothing more.
_HOSTS: Sequence[tuple[float, str | None]] = (
    (330, None),
    (270, "www.google.com"),
    (34, "www.google.de"),
    (26, "www.google.co.uk"),
    (15, "www.google.fr"),
    (11, "www.google.co.in"),
    (9, "www.google.com.br"),
    (34, "www.bing.com"),
    (22, "duckduckgo.com"),
    (9, "search.yahoo.com"),
    (8, "www.ecosia.org"),
    (6, "search.brave.com"),
    (4, "yandex.ru"),
    (3, "www.startpage.com"),
    (2, "www.qwant.com"),
    (26, "l.instagram.com"),
    (18, "www.reddit.com"),
    (17, "m.facebook.com"),
    (9, "l.facebook.com"),
    (11, "www.pinterest.com"),
    (8, "t.co"),
    (7, "www.linkedin.com"),
    (4, "out.reddit.com"),
    (4, "bsky.app"),
    (3, "mastodon.social"),
    (3, "www.threads.net"),
    (13, "www.youtube.com"),
    (3, "www.tiktok.com"),
    (17, "chatgpt.com"),
    (7, "www.perplexity.ai"),
    (5, "gemini.google.com"),
    (4, "copilot.microsoft.com"),
    (3, "claude.ai"),
    (5, "mail.google.com"),
    (3, "outlook.live.com"),
    (9, "news.ycombinator.com"),
)
# Blogs and forums, the next always less visited than the one before.
_TAIL_WEIGHT = 40.0
_TAIL = (
    *(
        f"{name}.example.org"
        for name in ("hiking", "trail-running", "slow-fashion", "repair", "leather", "feet")
    ),
    *(f"blog.{name}.example.net" for name in ("alps", "pyrenees", "tatra", "andes", "highlands", "fjords")),
    *(
        f"forum.{name}.example.com"
        for name in ("walkers", "pilgrims", "mountaineers", "shoemakers", "runners")
    ),
    *(
        f"{name}.example.com"
        for name in ("outdoor-test", "gear-review", "shoe-finder", "weekend-trips", "camping")
    ),
    *(
        f"www.{name}.example.net"
        for name in ("daily-news", "city-life", "green-living", "craft-weekly", "podiatry")
    ),
    *(
        f"{name}.blogs.example.org"
        for name in ("anna", "ben", "chiara", "david", "emre", "fatima", "goran", "hana")
    ),
    *(
        f"{name}.shops.example.org"
        for name in ("backpacks", "socks", "maps", "tents", "insoles", "polish", "laces")
    ),
)
_CAMPAIGNS = ((34, _NEWSLETTER), (46, _SEARCH_ADVERTISEMENT), (20, _SOCIAL_ADVERTISEMENT))
_CAMPAIGN_WEIGHT = 120.0
_NEWSLETTER_DAY = 3
_FRONT_PAGE_EVERY_DAYS = 37
_FRONT_PAGE_WEIGHT = 260.0


class Sources:
    """The sources of one day: on some days a newsletter is sent, or the shop is on a front page."""

    def __init__(self, day: datetime) -> None:
        self._day = day
        tail = [(_TAIL_WEIGHT / (rank + 3), host) for rank, host in enumerate(_TAIL)]
        front_page = _FRONT_PAGE_WEIGHT if day.toordinal() % _FRONT_PAGE_EVERY_DAYS == 0 else 0.0
        weighted = [*_HOSTS, *tail, (front_page, "news.ycombinator.com"), (_CAMPAIGN_WEIGHT, "campaign")]
        self._weights = [weight for weight, _ in weighted]
        self._hosts = [host for _, host in weighted]

    def pick(self, chance: random.Random) -> VisitSource:
        """Return what brings one visitor."""
        [host] = chance.choices(self._hosts, self._weights)
        if host == "campaign":
            return self._campaign(chance)
        return VisitSource(None if host is None else f"https://{host}/")

    def _campaign(self, chance: random.Random) -> VisitSource:
        weights = [weight for weight, _ in _CAMPAIGNS]
        if self._day.day in (_NEWSLETTER_DAY, _NEWSLETTER_DAY + 1):
            weights[_NEWSLETTER] *= 8
        [(_, kind)] = chance.choices(_CAMPAIGNS, weights)
        month = f"{self._day:%Y-%m}"
        if kind == _NEWSLETTER:
            return VisitSource(
                None, f"?utm_source=newsletter&utm_medium=email&utm_campaign=newsletter-{month}"
            )
        if kind == _SEARCH_ADVERTISEMENT:
            term = chance.choice(("walking+shoes", "trail+shoes", "resoled+shoes", "shoe+repair"))
            tags = f"utm_source=google&utm_medium=cpc&utm_campaign=brand&utm_term={term}"
            return VisitSource("https://www.google.com/", f"?{tags}&gclid={chance.getrandbits(64):016x}")
        content = chance.choice(("story", "reel", "carousel"))
        tags = f"utm_source=instagram&utm_medium=paid_social&utm_campaign=autumn&utm_content={content}"
        return VisitSource("https://l.instagram.com/", f"?{tags}")
