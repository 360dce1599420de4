"""The site of a source that has several: the one that was named, or else the only one."""

from collections.abc import Callable, Mapping, Sequence

from footfall.application.ports.imports import UnreadableSource

# Names that a refusal lists.
LISTED = 20
_MOST_DIGITS = 20

# Returns the id of a site as the source writes it; raises ValueError for a text that is no id.
ReadId = Callable[[str], str]


def chosen_site(name: str | None, sites: Mapping[str, str], read: ReadId, *, expected: str) -> str:
    """Return the id of the site that is read, of sites with their names; `expected` says how a site is named.

    Raises:
        UnreadableSource: the name is no id, or none is given and the source has not exactly one site.

    """
    if name is not None:
        try:
            return read(name)
        except ValueError:
            raise UnreadableSource(f"a site of the source is named by {expected}") from None
    if not sites:
        raise UnreadableSource("the source has no site: no rows, or none that can be read")
    readable = [site for site in sites if _is_id(site, read)]
    if len(readable) != 1 or len(sites) != 1:
        raise UnreadableSource(_several([_description(site, sites[site]) for site in readable], len(sites)))
    return readable[0]


def site_number(text: str) -> str:
    """Return the number of a site as its service writes it.

    Raises:
        ValueError: the text is no number.

    """
    if not text.isdecimal() or len(text) > _MOST_DIGITS:
        raise ValueError(text)
    return str(int(text))


def _several(descriptions: Sequence[str], sites: int) -> str:
    number = f"more than {LISTED}" if sites > LISTED else sites
    listed = f": {', '.join(descriptions[:LISTED])}" if descriptions else ""
    return f"the source has {number} sites: name one with --source-site{listed}"


def _description(site: str, name: str) -> str:
    # A name can have characters that move the cursor of a terminal.
    return f"{site} ({''.join(filter(str.isprintable, name))})" if name else site


def _is_id(site: str, read: ReadId) -> bool:
    try:
        return read(site) == site
    except ValueError:
        return False
