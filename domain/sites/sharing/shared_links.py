"""Links of a site, each of which opens some of its reports (docs/share/sharing.md)."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from enum import StrEnum

from attrs import evolve, field, frozen

from footfall.domain.event_stream import without
from footfall.domain.exceptions import (
    SegmentShared,
    SharedLinkNotFound,
    TooManySharedLinks,
    existing,
    noting,
    require_valid,
)
from footfall.domain.sites.segment import Segments
from footfall.domain.text import shown_name

MAX_NAME = 100
MAX_LINKS = 50


class SharedPanel(StrEnum):
    """A part of the reports of a site that a link opens; every link opens the overview."""

    OVERVIEW = "overview"
    GOALS = "goals"
    FUNNELS = "funnels"
    PAGES = "pages"
    SOURCES = "sources"
    PLACES = "places"
    SYSTEMS = "systems"
    EVENTS = "events"
    PROPERTIES = "properties"
    ERRORS = "errors"
    VITALS = "vitals"
    JOURNEYS = "journeys"
    RETENTION = "retention"


@frozen(kw_only=True)
class LinkTerms:
    """What a link opens, and until when; None is no end.

    Of all sessions it shows those of the segment of the site with the number `segment`, if there is one. Pages of other
    sites may frame its pages if it may `embed`. `password` is the one that its readers are asked for, in the
    form in which it is kept. Members know it by its name, which its readers do not see.
    """

    name: str
    panels: tuple[str, ...] = (SharedPanel.OVERVIEW,)
    segment: int | None = None
    ends_at: datetime | None = None
    embed: bool = False
    password: str | None = field(default=None, repr=False)

    def opens(self, panel: SharedPanel) -> bool:
        """Whether the link opens a panel."""
        return panel in self.panels


@frozen
class SharedLink:
    """A link: its terms, the digest of its key, and the key sealed with the secret of the server.

    `passwords` is how often it got a password, by which the history tells one from the next.
    """

    terms: LinkTerms
    digest: str = field(repr=False)
    sealed: str = field(repr=False)
    passwords: int = 0

    def is_open(self, now: datetime) -> bool:
        """Whether the link has not ended."""
        return self.terms.ends_at is None or now < self.terms.ends_at


@frozen
class SharedLinkMade:
    """A link was made; its number is unique on its site."""

    number: int
    terms: LinkTerms
    digest: str = field(repr=False)
    sealed: str = field(repr=False)


@frozen
class SharedLinkChanged:
    """The terms of a link were replaced; its key stays."""

    number: int
    terms: LinkTerms


@frozen
class SharedLinkRevoked:
    """The link of this name was revoked; its number is not used again."""

    number: int
    name: str


SharedLinkEvent = SharedLinkMade | SharedLinkChanged | SharedLinkRevoked


@frozen
class SharedLinks:
    """The links of a site by their numbers, and the highest number that was ever given."""

    present: Mapping[int, SharedLink] = field(factory=dict)
    last: int = 0


def make(
    state: SharedLinks, segments: Segments, terms: LinkTerms, *, digest: str, sealed: str, now: datetime
) -> list[SharedLinkEvent]:
    """Decide a new link.

    Raises:
        Invalid: the name, a panel, the segment or the end is not accepted.
        TooManySharedLinks: the site has 50 links.

    """
    if len(state.present) >= MAX_LINKS:
        raise TooManySharedLinks(MAX_LINKS)
    return [SharedLinkMade(state.last + 1, _checked(terms, segments, now), digest, sealed)]


def change(
    state: SharedLinks,
    segments: Segments,
    number: int,
    decide: Callable[[LinkTerms], LinkTerms],
    *,
    now: datetime,
) -> list[SharedLinkEvent]:
    """Decide the terms that `decide` makes of those of a link; an end that stays may be over.

    Raises:
        SharedLinkNotFound: there is no such link.
        Invalid: as `make` does.

    """
    present = _existing(state, number).terms
    terms = decide(present)
    new_end = None if terms.ends_at == present.ends_at else terms.ends_at
    checked = evolve(_checked(evolve(terms, ends_at=new_end), segments, now), ends_at=terms.ends_at)
    return [] if checked == present else [SharedLinkChanged(number, checked)]


def revoke(state: SharedLinks, number: int) -> list[SharedLinkEvent]:
    """Decide that a link is revoked; the others stay.

    Raises:
        SharedLinkNotFound: there is no such link.

    """
    return [SharedLinkRevoked(number, _existing(state, number).terms.name)]


def require_unshared(state: SharedLinks, segment: int) -> None:
    """Refuse to delete a segment that a link shows: without it the link would show all sessions, or none.

    Raises:
        SegmentShared: a link shows it.

    """
    names = [link.terms.name for link in state.present.values() if link.terms.segment == segment]
    if names:
        raise SegmentShared(names)


def apply(state: SharedLinks, event: SharedLinkEvent) -> SharedLinks:
    """Return the links after an event; accepts every event of the history."""
    match event:
        case SharedLinkMade(number, terms, digest, sealed):
            made = SharedLink(terms, digest, sealed, passwords=int(terms.password is not None))
            return SharedLinks({**state.present, number: made}, max(state.last, number))
        case SharedLinkChanged(number, terms) if number in state.present:
            changed = _with_terms(state.present[number], terms)
            return evolve(state, present={**state.present, number: changed})
        case SharedLinkRevoked(number):
            return evolve(state, present=without(state.present, number))
        case SharedLinkChanged():
            return state


def _with_terms(link: SharedLink, terms: LinkTerms) -> SharedLink:
    is_new = terms.password not in {None, link.terms.password}
    return evolve(link, terms=terms, passwords=link.passwords + is_new)


def _checked(terms: LinkTerms, segments: Segments, now: datetime) -> LinkTerms:
    """Return the terms as they are kept: with the overview, and the panels in their order."""
    errors: dict[str, list[str]] = {}
    with noting(errors):
        terms = evolve(terms, name=shown_name("name", terms.name, maximum=MAX_NAME))
    if not set(terms.panels) <= set(SharedPanel):
        errors["panels"] = [f"must be an array of some of {', '.join(SharedPanel)}"]
    if terms.ends_at is not None and terms.ends_at <= now:
        errors["endsAt"] = ["must be in the future"]
    if terms.segment is not None and not _is_of_site(segments, terms.segment):
        errors["segmentId"] = ["must be the number of a segment of the site that is not personal"]
    if terms.embed and terms.password is not None:
        errors["password"] = ["cannot be asked for in a frame: a link that may be embedded has none"]
    require_valid(errors)
    return evolve(terms, panels=_ordered(terms.panels))


def _ordered(panels: Sequence[str]) -> tuple[str, ...]:
    return tuple(panel.value for panel in SharedPanel if panel in panels or panel is SharedPanel.OVERVIEW)


def _is_of_site(segments: Segments, number: int) -> bool:
    segment = segments.present.get(number)
    return segment is not None and segment.owner is None


def _existing(state: SharedLinks, number: int) -> SharedLink:
    return existing(state.present.get(number), SharedLinkNotFound)
