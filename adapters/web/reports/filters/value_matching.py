"""What a typed text means among the values of a dimension (docs/read/dashboard.md#typed-filters)."""

from collections.abc import Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from types import MappingProxyType
from urllib.parse import urlsplit

from attrs import frozen

from footfall.adapters.web.formatting import value_name
from footfall.adapters.web.places.place_names import OTHER_COUNTRY_NAMES, comparable
from footfall.domain.paths.pathname import decoded_path
from footfall.domain.row_choice import MAX_SEARCH
from footfall.domain.traffic.filters import PATH_PARAMETERS, REFERRER_HOST

# Names of values that people type, and pages do not show.
_OTHER_NAMES: Mapping[str, Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "country": OTHER_COUNTRY_NAMES,
        "device_type": {
            "console": ("console",),
            "desktop": ("computer", "laptop", "pc"),
            "mobile": ("smartphone", "cell phone"),
            "tablet": ("ipad",),
            "tv": ("television", "smart tv"),
        },
        "operating_system": {"Mac OS X": ("mac", "osx")},
    }
)
_HOSTS = (REFERRER_HOST, "hostname")
# Longer texts are compared by their beginnings, so that no text takes long.
_COMPARED = 32
_SIMILAR = 0.6
MOST_SIMILAR = 5


@frozen
class KnownValue:
    """A value of a dimension that sessions have, and what pages call it."""

    value: str
    label: str


def known(values: Iterable[str], by: str, labels: Mapping[str, str]) -> list[KnownValue]:
    """Return values of a dimension with their labels: those given, or the ones that all pages know."""
    return [KnownValue(value, labels.get(value) or value_name(value, by)) for value in values]


def essence(text: str, by: str) -> str:
    """Return what lists are searched for: of an address its path or its host, of a path what is between its slashes."""
    text = text.strip()
    if text.startswith(("https://", "http://")) and by in (*PATH_PARAMETERS, *_HOSTS):
        text = _part_of_address(text, by)
    return decoded_path(text).strip("/") if by in PATH_PARAMETERS else text


def spellings(text: str, by: str) -> tuple[str, ...]:
    """Return the values that a text writes with another case or other slashes, and the missing value by its name."""
    written = essence(text, by)
    spelled: tuple[str, ...] = (text, written, written.lower())
    if by in PATH_PARAMETERS:
        spelled = (
            text,
            *(path for spelling in spelled[1:] for path in (f"/{spelling}", f"/{spelling}/", spelling)),
        )
    return tuple(dict.fromkeys((*spelled, "") if is_missing(text, by) else spelled))


def is_missing(text: str, by: str) -> bool:
    """Whether a text is what pages call a missing value: Direct, Unknown, None."""
    return comparable(text.strip()) == comparable(value_name("", by))


def named(text: str, by: str, values: Sequence[KnownValue]) -> list[KnownValue]:
    """Return the values that a text names, in their order.

    That is the value with exactly this text, else those whose value or name it is but for case, accents and slashes.
    """
    exact = [value for value in values if value.value == text]
    wanted = comparable(essence(text, by))
    return exact or [value for value in values if wanted in _names(value, by)]


def containing(text: str, by: str, values: Iterable[KnownValue]) -> list[KnownValue]:
    """Return the values that contain a text, or whose names do, in their order."""
    wanted = comparable(essence(text, by))
    return [value for value in values if any(wanted in name for name in _names(value, by))]


def similar(text: str, by: str, values: Iterable[KnownValue]) -> list[KnownValue]:
    """Return at most five values whose value or name resembles a text, the most similar first."""
    matcher = SequenceMatcher(b=comparable(essence(text, by))[:_COMPARED], autojunk=False)
    rated = [(_similarity(matcher, value, by), value) for value in values]
    close = sorted((pair for pair in rated if pair[0] >= _SIMILAR), key=lambda pair: -pair[0])
    return [value for _, value in close[:MOST_SIMILAR]]


def _similarity(matcher: SequenceMatcher[str], value: KnownValue, by: str) -> float:
    ratios = [0.0]
    for name in _names(value, by):
        matcher.set_seq1(name[:_COMPARED])
        if matcher.real_quick_ratio() >= _SIMILAR and matcher.quick_ratio() >= _SIMILAR:
            ratios.append(matcher.ratio())
    return max(ratios)


def _names(value: KnownValue, by: str) -> tuple[str, ...]:
    own = (essence(value.value, by),) if value.value else ()
    names = (*own, value.label, *_OTHER_NAMES.get(by, {}).get(value.value, ()))
    return tuple(comparable(name) for name in dict.fromkeys(names) if len(name) <= MAX_SEARCH)


def _part_of_address(text: str, by: str) -> str:
    try:
        address = urlsplit(text)
    except ValueError:
        return text
    return (address.hostname or text) if by in _HOSTS else address.path


def searched_for(text: str, by: str) -> str:
    """Return the text that lists of values are searched for, of the length that they take."""
    return essence(text, by)[:MAX_SEARCH]
