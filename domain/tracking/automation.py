"""Automation: what speaks against a person behind a hit, as facts and not as a verdict (docs/track/automation.md)."""

import re
from collections.abc import Mapping
from enum import StrEnum
from itertools import product
from types import MappingProxyType
from typing import NamedTuple


class Sign(StrEnum):
    """What speaks against a person, in the order in which hits name them."""

    HEADLESS_HINTS = "headless_hints"
    NO_LANGUAGE = "no_language"
    NO_SCREEN = "no_screen"
    WEBDRIVER = "webdriver"


# The value of hits that were looked at and have no sign; those that were not looked at have no value.
NO_SIGN = "none"


class ClientHints(NamedTuple):
    """What Chromium says of itself in headers beside the user agent; other browsers send none of them."""

    brands: str = ""
    mobile: str = ""
    platform: str = ""


NO_HINTS = ClientHints()

# One text for each set of signs: texts are compared, counted and stored as every other attribute is.
_TEXTS: Mapping[tuple[bool, ...], str] = MappingProxyType(
    {
        there: ",".join(sign for sign, is_there in zip(Sign, there, strict=True) if is_there) or NO_SIGN
        for there in product((False, True), repeat=len(Sign))
    }
)
EVERY_VALUE = tuple(_TEXTS.values())

_BRAND = re.compile(r'"Chromium";\s*v="(\d+)')
_CHROME = re.compile(r"\bChrom(?:e|ium)/(\d+)")
_MOBILE = re.compile(r"\bMobile\b")
_HEADLESS = re.compile(r"headless", re.IGNORECASE)
# The words of which the user agent of a platform has one. Telephones that ask for desktop sites call themselves Linux.
_WORDS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "Android": ("Android", "X11; Linux"),
        "Chrome OS": ("CrOS",),
        "Chromium OS": ("CrOS",),
        "Linux": ("Linux", "X11"),
        "macOS": ("Macintosh",),
        "Windows": ("Windows",),
    }
)


def signs_of(*, headless_hints: bool, no_language: bool, no_screen: bool, webdriver: bool) -> str:
    """Return the names of the signs that are there, with commas between them: `no_language,webdriver`, or `none`."""
    return _TEXTS[headless_hints, no_language, no_screen, webdriver]


def hints_speak_against(user_agent: str, hints: ClientHints) -> bool:
    """Whether client hints and user agent disagree about browser, platform or kind of device, or name a headless one.

    Hints that are absent, and platforms that are not known, disagree with nothing.
    """
    brands, mobile, platform = hints
    return (
        _HEADLESS.search(user_agent) is not None
        or _HEADLESS.search(brands) is not None
        or _another_version(user_agent, brands)
        or _another_platform(user_agent, platform)
        or _another_device(user_agent, mobile)
    )


def _another_version(user_agent: str, brands: str) -> bool:
    hinted = _BRAND.search(brands)
    if hinted is None:
        return False
    named = _CHROME.search(user_agent)
    return named is None or named[1] != hinted[1]


def _another_platform(user_agent: str, platform: str) -> bool:
    words = _WORDS.get(platform.strip('"'))
    return words is not None and not any(word in user_agent for word in words)


def _another_device(user_agent: str, mobile: str) -> bool:
    return mobile in ("?0", "?1") and (mobile == "?1") != (_MOBILE.search(user_agent) is not None)
