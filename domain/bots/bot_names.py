"""The bot behind a user agent: its name, and by the table of known bots its operator and purpose.

Hits keep the name alone: the operator and the purpose are looked up when they are asked for, so that a corrected table
holds for the past, too (docs/internals/recognition.md#known-bots).
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import groupby
from types import MappingProxyType

from attrs import frozen

from footfall.domain.bots.known_bots import TABLE

# The name of bots that say none, and the longest that others can have.
OTHER = "other"
MAX_NAME = 40


class BotPurpose(StrEnum):
    """What a bot asks for pages for: an answer is one that a person waits for."""

    SEARCH = "search"
    TRAINING = "training"
    ANSWER = "answer"
    PREVIEW = "preview"
    MONITORING = "monitoring"
    OTHER = "other"


@frozen
class KnownBot:
    """A bot that its operator describes; `word` is what its user agent has of it."""

    name: str
    operator: str
    purpose: BotPurpose
    word: str


def _read(table: str) -> Iterator[KnownBot]:
    for line in table.strip().splitlines():
        operator, purpose, bots = line.split("; ")
        for bot in bots.split(", "):
            name, _, word = bot.partition("=")
            yield KnownBot(name, operator, BotPurpose(purpose), word or name)


KNOWN: Mapping[str, KnownBot] = MappingProxyType({bot.name: bot for bot in _read(TABLE)})


def _beginning_alike(words: Iterable[str]) -> Iterator[str]:
    """Yield an expression for each beginning of two letters, the longest words first."""
    ordered = sorted(words, key=lambda word: (word[:2], -len(word)))
    for beginning, alike in groupby(ordered, lambda word: word[:2]):
        yield f"{beginning}(?:{'|'.join(re.escape(word[2:]) for word in alike)})"


_BY_WORD = {bot.word.lower(): bot.name for bot in KNOWN.values()}
# A word inside of another one is none: "CCBot" is not in "SoccerCCBot", "Devin" not in "DevinciBot". Those that begin
# alike stand together, so that a place of a text is compared with a few of them.
_WORDS = re.compile(rf"(?<![a-z0-9])(?:{'|'.join(_beginning_alike(_BY_WORD))})(?![a-z])")
_NAME = rf"[A-Za-z][A-Za-z0-9._-]{{1,{MAX_NAME - 1}}}(?![A-Za-z0-9._-])"
_SOUNDS = r"(?=[a-z0-9._-]*(?:bot|crawl|spider|headless|fetch|monitor|preview|scan|proxy))"
# Where a bot says its name, the surest place first: a word that sounds like one, what a browser is compatible with, and
# the first product.
_PLACES = (
    re.compile(rf"(?<![a-z0-9._/@:-]){_SOUNDS}({_NAME})(?=[/;, )]|$)", re.IGNORECASE),
    re.compile(rf"\bcompatible; ?({_NAME})(?=[/; )])"),
    re.compile(rf"^({_NAME})(?=[/; ]|$)"),
)
# Words in the places of a name that are none: kinds of programs, and browsers.
_NO_NAMES = frozenset(
    {
        "bot",
        "bots",
        "robot",
        "crawl",
        "crawler",
        "crawling",
        "spider",
        "fetch",
        "fetcher",
        "monitor",
        "monitoring",
        "preview",
        "scan",
        "scanner",
        "scanning",
        "proxy",
        "webcrawler",
        "mozilla",
        "msie",
        "konqueror",
        "compatible",
    }
)


def bot_name(user_agent: str) -> str:
    """Return the name of the bot whose user agent it is: the longest of known ones, else the one that it gives itself.

    It is `other` for a bot without a name.
    """
    word = max(_WORDS.findall(user_agent.lower()), key=len, default=None)
    if word is not None:
        return _BY_WORD[word]
    named = (match[1] for place in _PLACES for match in place.finditer(user_agent))
    return next((name for name in named if name.lower() not in _NO_NAMES), OTHER)


def names_by_operator() -> Mapping[str, Sequence[str]]:
    """Return the names of the known bots of each operator."""
    return _grouped((bot.operator, bot.name) for bot in KNOWN.values())


def names_by_purpose() -> Mapping[str, Sequence[str]]:
    """Return the names of the known bots of each purpose but `other`, which those have that are not known, too."""
    return _grouped((bot.purpose, bot.name) for bot in KNOWN.values() if bot.purpose is not BotPurpose.OTHER)


def _grouped(pairs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    names: dict[str, list[str]] = {}
    for group, name in pairs:
        names.setdefault(str(group), []).append(name)
    return names


def bot_operator(name: str | None) -> str | None:
    """Return the operator of a bot; None for one that is not known."""
    bot = KNOWN.get(name or "")
    return None if bot is None else bot.operator


def bot_purpose(name: str | None) -> BotPurpose | None:
    """Return the purpose of a bot, which is `other` for one that is not known; None where there is no bot."""
    if not name:
        return None
    bot = KNOWN.get(name)
    return BotPurpose.OTHER if bot is None else bot.purpose
