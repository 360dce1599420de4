"""Sites by the names that scripts of other services have for them (docs/track/protocols/README.md#aliases)."""

from footfall.application.journal.directory import Directory
from footfall.application.journal.directory_records import SiteRecord
from footfall.application.journal.directory_state import DirectoryState
from footfall.domain.sites.aliases import SITE_ID, alias_of
from footfall.domain.sites.host import normalize_host
from footfall.domain.tracking.foreign_protocol import ForeignProtocol

# Its scripts name a site by its domain.
_BY_DOMAIN = ForeignProtocol.PLAUSIBLE
# Its SDKs name a project by a number, which that of a site can be.
_BY_NUMBER = ForeignProtocol.SENTRY


def accepts(record: SiteRecord, protocol: ForeignProtocol) -> bool:
    """Whether a site takes what comes by a protocol."""
    return bool(getattr(record.site.config, f"accept_{protocol}"))


def named_site(directory: Directory, name: str, protocol: ForeignProtocol) -> SiteRecord | None:
    """Return the site that a protocol calls by a name; where none of these accepts it, one that does not, if any.

    Raises:
        StreamSetAside: an event of the site cannot be read.

    """
    identifier = _identifier(directory.state, name, protocol)
    if identifier is None and protocol is _BY_DOMAIN:
        identifier = next(iter(_owners(directory.state, name)), None)
    named = None if identifier is None else directory.readable_site(identifier)
    numbered = directory.readable_site(name) if protocol is _BY_NUMBER else None
    if named is None or numbered is None:
        return named or numbered
    # A site that was added later has the number that is the alias of this one: either could be meant.
    return named if named.site.site_id == numbered.site.site_id else None


def tracked_site(directory: Directory, reference: str) -> SiteRecord | None:
    """Return the site that an event of our own endpoint names, unless an event of it cannot be read.

    That is one with this id or, where the reference can be no id, with this alias; also the site of a domain, where it
    accepts the protocol whose scripts name domains.
    """
    return directory.site(_tracked(directory, reference))


async def find_tracked_site(directory: Directory, reference: str) -> SiteRecord | None:
    """Return the site as `tracked_site` does, reading the journal before reporting it as missing.

    Raises:
        StoreUnavailable: it is not known here and the journal cannot be read.
        StreamSetAside: an event of the site cannot be read.

    """
    if record := tracked_site(directory, reference):
        return record
    await directory.catch_up()
    return directory.readable_site(_tracked(directory, reference))


def is_of_others(directory: Directory, name: str, site_id: int) -> bool:
    """Whether a name can be no alias of a site: another one has it, also as its id, or it is a domain of others.

    Of several sites with one domain the organization of the first counts, so that a later one takes no name away. A
    site whose events cannot be read counts as one of others.
    """
    state, own = directory.state, str(site_id)
    if (holder := state.aliases.get(alias_of(name))) is not None:
        return holder != own
    numbered = state.public_ids.get(name, name)
    if numbered != own and (numbered in state.sites or f"site-{numbered}" in state.set_aside):
        return True
    owners = _owners(state, name)
    return bool(owners) and own in state.sites and not _are_together(state, own, owners[0])


def _tracked(directory: Directory, reference: str) -> str:
    if directory.site(reference) or SITE_ID.fullmatch(alias_of(reference)):
        return reference
    return _identifier(directory.state, reference, _BY_DOMAIN) or reference


def _identifier(state: DirectoryState, name: str, protocol: ForeignProtocol) -> str | None:
    """Return the first site with this domain that accepts the protocol, else the one with this alias.

    The alias goes before the domain within one organization. A site whose events cannot be read may accept everything.
    """
    owner = None
    if protocol is _BY_DOMAIN:
        owners = ((owner, state.sites.get(owner)) for owner in _owners(state, name))
        owner = next((owner for owner, record in owners if record is None or accepts(record, protocol)), None)
    holder = state.aliases.get(alias_of(name))
    is_first = holder is not None and (owner is None or _are_together(state, holder, owner))
    return holder if is_first else owner


def _owners(state: DirectoryState, name: str) -> tuple[str, ...]:
    return state.domains.get(normalize_host(name) or "", ())


def _are_together(state: DirectoryState, *identifiers: str) -> bool:
    """Whether sites are of one organization, as far as that can be read."""
    records = [state.sites.get(identifier) for identifier in identifiers]
    return None not in records and len({record.site.organization_id for record in records if record}) == 1
