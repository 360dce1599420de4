"""Hits that a site would have refused if it had excluded countries, hosts or paths.

See docs/goals/what-if.md#exclusions.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType

from attrs import frozen

from footfall.domain.periods.period import Period
from footfall.domain.sites.configuration import ListSetting
from footfall.domain.sites.excluded_patterns import Matcher, PatternCompiler, compared_host, matches_any
from footfall.domain.tracking.hit import Hit, LocatedBy, RecordedHit
from footfall.domain.traffic.session import visits

# The settings that can be tried, with the attributes of hits that they are about. User agents are not stored.
TRIED: Mapping[ListSetting, str] = MappingProxyType(
    {
        ListSetting.EXCLUDED_COUNTRIES: "country",
        ListSetting.EXCLUDED_HOSTS: "hostname",
        ListSetting.EXCLUDED_PATHS: "pathname",
    }
)


@frozen
class RefusedHits:
    """A number of hits, and of the sessions that these belong to."""

    hits: int
    sessions: int


@frozen
class Refusals:
    """The hits that would have been refused in a period, and on each of its days."""

    total: RefusedHits
    days: tuple[RefusedHits, ...]


@frozen
class Exclusion:
    """Entries of a list of exclusions: hits of some countries, or whose host or path one of some patterns matches."""

    setting: ListSetting
    entries: tuple[str, ...]

    @property
    def attribute(self) -> str:
        """The attribute of hits that the entries are compared with."""
        return TRIED[self.setting]

    def is_about(self, hit: Hit) -> bool:
        """Whether a hit can be refused by the attribute: a country that is only that of a time zone refuses nothing."""
        if self.setting is ListSetting.EXCLUDED_COUNTRIES and hit.location_source is LocatedBy.TIME_ZONE:
            return False
        return getattr(hit, self.attribute) is not None

    def matcher(self, compile_patterns: PatternCompiler) -> Matcher:
        """Return the function that tells whether hits with a value of the attribute are refused."""
        if self.setting is ListSetting.EXCLUDED_COUNTRIES:
            return frozenset(self.entries).__contains__
        matches = compile_patterns(self.entries)
        if self.setting is ListSetting.EXCLUDED_HOSTS:
            return lambda host: matches(compared_host(host))
        return matches


def refused_hits(
    exclusion: Exclusion, hits: Iterable[RecordedHit], period: Period, days: Sequence[Period]
) -> Refusals:
    """Return what would have been refused of the hits of one site, by the times at which they arrived."""
    matches = exclusion.matcher(matches_any)
    refused = [
        (visit.session.session_id, recorded.hit.received_at)
        for visit in visits(hits)
        for recorded in visit.hits
        if exclusion.is_about(recorded.hit) and matches(getattr(recorded.hit, exclusion.attribute))
    ]
    return Refusals(_inside(refused, period), tuple(_inside(refused, day) for day in days))


def _inside(refused: Iterable[tuple[int, datetime]], period: Period) -> RefusedHits:
    sessions = [session_id for session_id, at in refused if at in period]
    return RefusedHits(len(sessions), len(set(sessions)))
