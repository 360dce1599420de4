"""Paths, hosts and user agents that a site excludes, by patterns like those of goals (docs/share/administration.md)."""

import re
from collections.abc import Callable, Iterable

from footfall.domain.exceptions import Invalid
from footfall.domain.paths.path_pattern import (
    MAX_PATH_PATTERN,
    path_matcher,
    path_pattern_error,
    pattern_states,
    rooted,
)
from footfall.domain.paths.pathname import decoded_path
from footfall.domain.sites.excluded_addresses import parse_entries
from footfall.domain.sites.host import full_host
from footfall.domain.text import UNSTORABLE

MAX_PATTERNS = 50
# The sum over the patterns of one list: an event waits while its texts are compared with all of them.
MAX_STATES_OF_A_LIST = 1_000
MAX_HOST_PATTERN = 253
MAX_USER_AGENT_PATTERN = 500

# Tells whether one of some patterns matches a whole text.
Matcher = Callable[[str], bool]
# Makes it of patterns that were accepted here.
PatternCompiler = Callable[[tuple[str, ...]], Matcher]

_WILDCARDS = re.compile(r"\*+")


def matches_any(patterns: tuple[str, ...]) -> Matcher:
    """Return the function that tells whether one of the patterns matches a whole text.

    It says what patterns mean. Its time can grow with a power of the length of a text.
    """
    matchers = [path_matcher(pattern) for pattern in patterns]
    return lambda text: any(matches(text) for matches in matchers)


def compared_host(hostname: str) -> str:
    """Return a host as it is compared with patterns: in lower-case punycode, without port and final dot."""
    return full_host(hostname) or hostname.lower()


def compared_user_agent(user_agent: str) -> str:
    """Return a user agent as it is compared with patterns."""
    return decoded_path(user_agent.lower())


def anywhere(pattern: str) -> str:
    """Return the pattern of a user agent, which has no segments, as one that is compiled."""
    return pattern.replace("*", "**")


def parse_excluded_paths(entries: Iterable[str]) -> tuple[str, ...]:
    """Return patterns of paths as goals have them; a missing leading slash is added.

    Raises:
        Invalid: an entry exceeds a limit of patterns (it is named), or all of them together do.

    """
    return _parse("excludedPaths", entries, _path, maximum=MAX_PATH_PATTERN)


def parse_excluded_hosts(entries: Iterable[str]) -> tuple[str, ...]:
    """Return patterns of hosts, in lower case; labels outside of ASCII are written in punycode, and hold no wildcard.

    Raises:
        Invalid: an entry exceeds a limit of patterns (it is named), or all of them together do.

    """
    return _parse("excludedHosts", entries, _host, maximum=MAX_HOST_PATTERN)


def parse_excluded_user_agents(entries: Iterable[str]) -> tuple[str, ...]:
    """Return patterns of user agents, in lower case; each wildcard matches any text.

    Raises:
        Invalid: an entry exceeds a limit of patterns (it is named), or all of them together do.

    """
    return _parse("excludedUserAgents", entries, _user_agent, maximum=MAX_USER_AGENT_PATTERN)


def _parse(
    field: str, entries: Iterable[str], parse: Callable[[str], str], *, maximum: int
) -> tuple[str, ...]:
    def checked(entry: str) -> str:
        if not entry or len(entry) > maximum or UNSTORABLE.search(entry):
            raise ValueError
        pattern = parse(entry)
        # It is parsed again when another entry is added.
        if len(pattern) > maximum:
            raise ValueError
        return pattern

    expected = f"a pattern of 1 to {maximum:,} characters within the limits of those of goals"
    patterns = parse_entries(field, entries, checked, maximum=MAX_PATTERNS, expected=expected)
    states = sum(pattern_states(pattern) for pattern in patterns)
    if states > MAX_STATES_OF_A_LIST:
        raise Invalid(
            {field: [f"must need at most {MAX_STATES_OF_A_LIST:,} states together, not {states:,}"]}
        )
    return patterns


def _path(entry: str) -> str:
    return _within_limits(rooted(entry))


def _host(entry: str) -> str:
    return _within_limits(".".join(map(_label, entry.lower().split("."))))


def _label(label: str) -> str:
    written = label if label.isascii() else full_host(label)
    if written is None:
        raise ValueError
    return written


def _user_agent(entry: str) -> str:
    pattern = _WILDCARDS.sub("*", entry.lower())
    _within_limits(anywhere(pattern))
    return pattern


def _within_limits(pattern: str) -> str:
    if path_pattern_error(pattern):
        raise ValueError
    return pattern
