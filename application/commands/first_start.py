"""The command that begins an installation: its first user, organization, site and API key."""

from collections.abc import Sequence
from typing import Any

from attrs import asdict, evolve, field, frozen

from footfall.application.commands.context import CommandContext
from footfall.application.commands.sites.sites import SiteCommands
from footfall.application.journal.stream_names import (
    api_key_stream,
    organization_stream,
    site_stream,
    user_stream,
)
from footfall.application.ports.accounts.registrations import Registration, Registrations, StreamAppend
from footfall.application.ports.journal import Metadata
from footfall.application.ports.system import Clock, Identifiers, Randomness
from footfall.domain.accounts import api_key, organization, person, user
from footfall.domain.accounts.person import Person

KEY_NAME = "First key"


@frozen(kw_only=True)
class Beginning:
    """The identifiers of the created objects, and the only copy of the key."""

    user_id: str
    organization_id: str
    site_id: int
    public_id: str
    domain: str
    api_key: str = field(repr=False)

    def document(self) -> dict[str, str | int]:
        """Return the beginning as `footfall init --json` shows it."""
        names = {"user_id": "userId", "organization_id": "organizationId", "site_id": "siteId"}
        names |= {"public_id": "id", "api_key": "apiKey"}
        return {names[name]: value for name, value in asdict(self).items() if name in names}


@frozen(kw_only=True)
class BeginningCommands:
    """Creates what an installation begins with; an interruption leaves all of it, or nothing."""

    registrations: Registrations
    identifiers: Identifiers
    randomness: Randomness
    clock: Clock
    sites: SiteCommands

    async def begin(
        self,
        *,
        organization_name: str,
        site_name: str,
        domain: str,
        name: str | None = None,
        address: str | None = None,
        key: str | None = None,
        context: CommandContext,
    ) -> Beginning:
        """Create a user with this name and address, their organization, its site and an API key.

        The key is drawn unless one is given.

        Raises:
            CellRefused: there are cells, and no open one answers.
            Invalid: a name, the address, the domain or the key breaks a rule.

        """
        owner = person.change(Person(user_id=""), name=name, address=address)
        key = self.randomness.api_key() if key is None else api_key.parse_key(key)
        now = self.clock.now()
        user_id, key_id = await self.identifiers.next_user(), await self.identifiers.next_api_key()
        organization_id = await self.identifiers.next_organization()
        registered = organization.register(organization_id, name=organization_name, owner=user_id)
        first_site, *placed = await self.sites.decide_new(
            organization_id, name=site_name, domain=domain, created_by=user_id
        )
        streams: dict[str, Sequence[Any]] = {
            user_stream(user_id): user.register(),
            organization_stream(organization_id): registered,
            site_stream(first_site.site_id): [first_site, *placed],
            api_key_stream(key_id): api_key.issue(key_id, user_id=user_id, name=KEY_NAME, key=key, now=now),
        }
        appends = [
            StreamAppend(stream=stream, events=events, expected=0) for stream, events in streams.items()
        ]
        registration = Registration(person=evolve(owner, user_id=user_id), appends=appends)
        await self.registrations.add(registration, Metadata(context.actor, now, context.request_id))
        return Beginning(
            user_id=user_id,
            organization_id=organization_id,
            site_id=first_site.site_id,
            public_id=first_site.public_id,
            domain=first_site.domain,
            api_key=key,
        )
