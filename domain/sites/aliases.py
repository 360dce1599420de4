"""Aliases of a site: the names by which scripts of other services call it (docs/track/protocols/README.md#aliases)."""

import re
from collections.abc import Sequence

from attrs import frozen

from footfall.domain.exceptions import AliasNotFound, Invalid, TooManyAliases

MAX_ALIASES = 50
ALIAS_RULE = "must be 1 to 253 printable ASCII characters, and neither begin nor end with a space"
ALIAS = re.compile(r"[\x21-\x7e](?:[\x20-\x7e]{0,251}[\x21-\x7e])?")
# What can be the id of a site, now or later: where sites have ids, it is no alias.
SITE_ID = re.compile(r"[1-9][0-9]{0,17}|[0-9a-f]{12}")


@frozen
class SiteAliased:
    """The site is found by another name, too, which no other site has."""

    alias: str


@frozen
class SiteAliasRemoved:
    """The site is found by this name no more."""

    alias: str


AliasEvent = SiteAliased | SiteAliasRemoved


def alias_of(name: str) -> str:
    """Return a name as aliases are compared: without regard to case."""
    return name.lower()


def add(aliases: Sequence[str], name: str) -> list[AliasEvent]:
    """Decide another alias; one that is there gives no event. Whether other sites have it is known to the directory.

    Raises:
        Invalid: the name breaks the rule; the error names `alias`.
        TooManyAliases: the site has 50.

    """
    if ALIAS.fullmatch(name) is None:
        raise Invalid({"alias": [ALIAS_RULE]})
    if (alias := alias_of(name)) in aliases:
        return []
    if len(aliases) >= MAX_ALIASES:
        raise TooManyAliases(MAX_ALIASES)
    return [SiteAliased(alias)]


def remove(aliases: Sequence[str], name: str) -> list[AliasEvent]:
    """Decide that an alias goes.

    Raises:
        AliasNotFound: the site does not have it.

    """
    if (alias := alias_of(name)) not in aliases:
        raise AliasNotFound
    return [SiteAliasRemoved(alias)]


def apply(aliases: tuple[str, ...], event: AliasEvent) -> tuple[str, ...]:
    """Return the aliases after an event, in the order in which they came."""
    others = tuple(alias for alias in aliases if alias != event.alias)
    return (*others, event.alias) if isinstance(event, SiteAliased) else others
