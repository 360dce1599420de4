"""Requests of bots that a site refuses: what is counted of each, by day and page (docs/track/bots.md#refused-bots)."""

from collections import Counter
from collections.abc import Mapping
from datetime import date, datetime

from attrs import evolve

from footfall.domain.bots.bot_names import KNOWN, OTHER
from footfall.domain.sites.host import normalize_host, within
from footfall.domain.sites.site import Site
from footfall.domain.tracking.hit import BotVerification, hot_value

# The different bots and pages that are counted of a site and a day, each by itself; the others are counted together.
MOST_PAGES_A_DAY = 1_000
MAX_PAGE = 500
OTHER_PAGES = ""


@hot_value
class RefusedBot:
    """What is counted of a refused request: the day in the time zone of its site, the bot, and host and path."""

    site_id: int
    day: date
    bot: str
    verified: BotVerification | None
    page: str

    @property
    def among_others(self) -> "RefusedBot":
        """The same without its page, and without a name that the table of known bots does not have."""
        bot = self.bot if self.bot in KNOWN else OTHER
        return evolve(self, bot=bot, page=OTHER_PAGES)


def count_apart(
    stored: Mapping[RefusedBot, int], added: Mapping[RefusedBot, int], most: int = MOST_PAGES_A_DAY
) -> Mapping[RefusedBot, int]:
    """Return the counts of tracked events, or of an import, with requests that are added to them.

    What a site has no count of yet on that day begins one as long as there are fewer than `most`, the most frequent
    first; then it is counted among the others.
    """
    counts, rows = Counter(stored), Counter((refused.site_id, refused.day) for refused in stored)
    for refused, requests in sorted(added.items(), key=_most_frequent_first):
        of_day = refused.site_id, refused.day
        if refused not in stored:
            rows[of_day] += 1
        apart = refused in stored or rows[of_day] <= most
        counts[refused if apart else refused.among_others] += requests
    return counts


def _most_frequent_first(counted: tuple[RefusedBot, int]) -> tuple[int, str, str, str]:
    refused, requests = counted
    return -requests, refused.bot, refused.verified or "", refused.page


def page_of(hostname: str | None, pathname: str | None, domain: str) -> str:
    """Return the page of a request, `example.com/a`; one of another site, which a bot can name, is among the others.

    The path is as it is stored (`stored_path`).
    """
    host = normalize_host(hostname) if hostname else None
    if host is None or not within(host, domain):
        return OTHER_PAGES
    # Simple trackers send the query as a part of the path.
    path = (pathname or "/").partition("?")[0]
    return f"{host}{path}"[:MAX_PAGE]


def refused_bot(
    site: Site, at: datetime, bot: str, verified: BotVerification | None, page: str
) -> RefusedBot:
    """Return what is counted of a request at a time."""
    day = at.astimezone(site.zone).date()
    return RefusedBot(site.site_id, day, bot, verified, page)
