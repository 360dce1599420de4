"""The traffic of bots: the requests that a site stored and refused, by bot and page (docs/track/bots.md#report)."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

from attrs import field, frozen

from footfall.domain.bot_traffic.answers import AnswerService, visits_by_service
from footfall.domain.bots.bot_names import KNOWN, OTHER, bot_operator, bot_purpose, names_by_operator
from footfall.domain.bots.refused_bot_counts import page_of
from footfall.domain.exceptions import require_valid
from footfall.domain.periods.period import Period
from footfall.domain.tracking.acquisition.channel import Channel
from footfall.domain.tracking.hit import BotVerification, RecordedHit
from footfall.domain.traffic.filters import BOT_OPERATOR, BOT_PURPOSE, EXCLUSION, Filter, holds_for
from footfall.domain.traffic.selection import hits_in_period, select_visits

SHOWN_PAGES = 10
OF_ANSWERS = (Channel.AI, Channel.PAID_AI)

# The attributes of filters that refused requests have, too.
FILTERED = ("bot", "bot_operator", "bot_purpose", "bot_verified")

Verification = BotVerification | None
# Tells whether filters select the requests of a bot with a verification.
Selection = Callable[[str, Verification], bool]
Name = TypeVar("Name", str, tuple[str, str])
# The operators of known bots.
_OPERATORS = frozenset(names_by_operator())


@frozen
class BotLimits:
    """What is told apart of what can be countless: bots, pages of each, and hosts and campaigns that sent visits."""

    bots: int = 1_000
    pages: int = 100
    sources: int = 10_000


LIMITS = BotLimits()


@frozen
class EqualRequests:
    """Equal requests of a bot, and how many there were; the page is a host and a path, or their text."""

    bot: str
    verified: Verification
    page: tuple[str, str]
    number: int


@frozen
class BotRequests:
    """Requests by bot and verification, and the most frequent pages of each bot."""

    counts: Mapping[tuple[str, Verification], int] = field(factory=dict)
    pages: Mapping[str, Mapping[tuple[str, str], int]] = field(factory=dict)


@frozen
class BotRow:
    """A bot with its requests: those that were refused and stored, and those of known and other addresses of both."""

    bot: str
    refused: int
    stored: int
    verified: int
    unverified: int
    pages: Sequence[tuple[str, int]]

    @property
    def requests(self) -> int:
        """All requests."""
        return self.refused + self.stored


@frozen
class BotReport:
    """Bots, those with most requests first, and the visits that answers sent, by service."""

    bots: Sequence[BotRow]
    answers: Sequence[tuple[AnswerService, int]]


def requests_of(requests: Iterable[EqualRequests], limits: BotLimits = LIMITS) -> BotRequests:
    """Return requests by bot: of so many bots, the others together without their pages, and of so many pages.

    Equal numbers are in the order of their names.
    """
    counts: Counter[tuple[str, Verification]] = Counter()
    pages: dict[str, Counter[tuple[str, str]]] = defaultdict(Counter)
    for request in requests:
        counts[request.bot, request.verified] += request.number
        pages[request.bot][request.page] += request.number
    totals: Counter[str] = Counter()
    for (bot, _), number in counts.items():
        totals[bot] += number
    apart = set(_most(totals, limits.bots))
    merged: Counter[tuple[str, Verification]] = Counter()
    for (bot, verified), number in counts.items():
        merged[bot if bot in apart else OTHER, verified] += number
    return BotRequests(
        dict(merged), {bot: _most(of_bot, limits.pages) for bot, of_bot in pages.items() if bot in apart}
    )


def refused_requests(
    requests: Iterable[EqualRequests], filters: Iterable[Filter] = (), limits: BotLimits = LIMITS
) -> BotRequests:
    """Return refused requests by bot, of those that filters select."""
    selects = selection_of(filters)
    return requests_of((request for request in requests if selects(request.bot, request.verified)), limits)


def stored_requests(
    hits: Iterable[RecordedHit], period: Period, filters: Iterable[Filter] = (), limits: BotLimits = LIMITS
) -> BotRequests:
    """Return the stored hits of bots in a period, of the sessions that filters select."""
    requests = (
        EqualRequests(
            visit.session.bot,
            visit.session.bot_verified,
            (visit.session.hostname or "", recorded.hit.pathname or ""),
            1,
        )
        for visit in select_visits(hits, period, filters)
        if visit.session.bot is not None
        for recorded in hits_in_period(visit, period)
    )
    return requests_of(requests, limits)


def answer_sources(
    hits: Iterable[RecordedHit], period: Period, filters: Iterable[Filter] = (), limits: BotLimits = LIMITS
) -> Sequence[tuple[str, str, int]]:
    """Return the sessions of a period that answers sent, by the host of the referrer and the campaign source."""
    sources = Counter(
        (visit.session.referrer_host, visit.session.utm_source or "")
        for visit in select_visits(hits, period, filters)
        if visit.session.channel in OF_ANSWERS
    )
    return [(*source, number) for source, number in _most(sources, limits.sources).items()]


def bot_report(
    refused: BotRequests,
    stored: BotRequests,
    sources: Iterable[tuple[str, str, int]],
    domain: str,
    filters: Sequence[Filter] = (),
) -> BotReport:
    """Return the report of the requests of bots, and of the visits that answers sent.

    Filters select services, too: those of operators of which they select a bot, whether it sent requests or not. The
    requests have passed the filters already; the stored ones and the sources have also passed the standing exclusions,
    which say nothing about refused requests.
    """
    bots = dict.fromkeys(bot for requests in (refused, stored) for bot, _ in requests.counts)
    rows = [_row(bot, refused, stored, domain) for bot in bots]
    on_bots = filters_of_bots(filters)
    operators = _operators(on_bots) | {bot_operator(bot) for bot in bots}
    answers = [
        (service, visits)
        for service, visits in visits_by_service(sources).items()
        if service.operator in operators or _is_selected_without_bots(service.operator, on_bots)
    ]
    return BotReport(
        sorted(rows, key=lambda row: (-row.requests, row.bot)),
        sorted(answers, key=lambda pair: (-pair[1], pair[0])),
    )


def filters_on_bots(filters: Sequence[Filter]) -> Sequence[Filter]:
    """Return filters on attributes that refused requests have, too, beside the standing exclusions.

    Raises:
        Invalid: another attribute is among them; errors are named `filters[0].parameter` and so on.

    """
    errors = {
        f"filters[{index}].parameter": [f"must be one of {', '.join(FILTERED)} in the report of bots"]
        for index, condition in enumerate(filters)
        if condition.parameter not in (*FILTERED, EXCLUSION)
    }
    require_valid(errors)
    return filters


def filters_of_bots(filters: Iterable[Filter]) -> Sequence[Filter]:
    """Return the filters that select refused requests: not the standing exclusions."""
    return [condition for condition in filters if condition.parameter in FILTERED]


def selection_of(filters: Iterable[Filter]) -> Selection:
    """Return a function that tells whether all filters of bots select the requests of a bot."""
    on_bots = filters_of_bots(filters)
    return lambda bot, verified: all(
        holds_for(condition, _text(condition.parameter, bot, verified)) for condition in on_bots
    )


def _operators(on_bots: Iterable[Filter]) -> set[str | None]:
    """Return the operators of which filters select a known bot that no address verified."""
    selects = selection_of(on_bots)
    return {bot.operator for bot in KNOWN.values() if selects(bot.name, None)}


def _is_selected_without_bots(operator: str, on_bots: Iterable[Filter]) -> bool:
    """Whether filters select an operator without known bots, which has no other attribute than its name."""
    return operator not in _OPERATORS and all(
        holds_for(condition, operator if condition.parameter == BOT_OPERATOR else "") for condition in on_bots
    )


def _text(parameter: str, bot: str, verified: Verification) -> str:
    if parameter == BOT_OPERATOR:
        return bot_operator(bot) or ""
    if parameter == BOT_PURPOSE:
        return bot_purpose(bot) or ""
    return bot if parameter == "bot" else verified or ""


def _row(bot: str, refused: BotRequests, stored: BotRequests, domain: str) -> BotRow:
    of_refused, of_stored = (
        Counter(
            {
                verification: requests.counts.get((bot, verification), 0)
                for verification in (None, *BotVerification)
            }
        )
        for requests in (refused, stored)
    )
    both = of_refused + of_stored
    pages: Counter[str] = Counter({page: number for (page, _), number in refused.pages.get(bot, {}).items()})
    for (hostname, pathname), number in stored.pages.get(bot, {}).items():
        pages[page_of(hostname, pathname, domain)] += number
    return BotRow(
        bot,
        of_refused.total(),
        of_stored.total(),
        both[BotVerification.VERIFIED],
        both[BotVerification.UNVERIFIED],
        tuple(_most({page: number for page, number in pages.items() if page}, SHOWN_PAGES).items()),
    )


def _most(counts: Mapping[Name, int], limit: int) -> dict[Name, int]:
    """Return the largest counts, equal ones in the order of their names."""
    ordered = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    return dict(ordered[:limit])
