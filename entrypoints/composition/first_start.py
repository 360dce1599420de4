"""The content of a fresh installation: a user, an organization, a site and an API key."""

from attrs import asdict, field, frozen

from footfall.application.commands.context import CommandContext
from footfall.domain.accounts import organization as organizations
from footfall.domain.accounts import person
from footfall.domain.accounts.person import Person
from footfall.domain.sites import site as sites
from footfall.entrypoints.composition.service import Journal

_BROWSER = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"


@frozen(kw_only=True)
class Beginning:
    """The identifiers of the created objects, and the only copy of the key."""

    user_id: str
    organization_id: str
    site_id: int
    public_id: str
    api_key: str = field(repr=False)

    def document(self) -> dict[str, str | int]:
        """Return the beginning as `footfall init --json` shows it."""
        names = {"user_id": "userId", "organization_id": "organizationId", "site_id": "siteId"}
        names |= {"public_id": "id", "api_key": "apiKey"}
        return {names[name]: value for name, value in asdict(self).items()}


async def begin(
    journal: Journal,
    *,
    organization: str,
    site: str,
    domain: str,
    name: str | None = None,
    address: str | None = None,
) -> Beginning:
    """Create a user with this name and address, their organization, its site and an API key.

    Raises:
        Invalid: a name, the address or the domain breaks a rule; nothing was created.

    """
    person.change(Person(user_id=""), name=name, address=address)
    organizations.register("", name=organization, owner="")
    sites.register(0, public_id="", organization_id="", name=site, domain=domain, created_by="")
    context, commands = CommandContext(), journal.commands
    user_id = await commands.people.register(context, name=name, address=address)
    organization_id = await commands.organizations.register(name=organization, owner=user_id, context=context)
    site_id = await commands.sites.register(
        organization_id, name=site, domain=domain, created_by=user_id, context=context
    )
    issued = await commands.api_keys.issue(user_id, name="First key", context=context)
    await journal.directory.catch_up()
    record = journal.directory.site(str(site_id))
    assert record is not None  # noqa: S101 - it was registered just now
    return Beginning(
        user_id=user_id,
        organization_id=organization_id,
        site_id=site_id,
        public_id=record.site.public_id,
        api_key=issued.key,
    )


def sign_in_address(base_url: str, user_id: str, token: str) -> str:
    """Return where a browser goes to be signed in by a one-time link."""
    return f"{base_url}/sign-in/{user_id}/{token}"


def first_steps(base_url: str, beginning: Beginning, sign_in: str, *, command: str) -> str:
    """Return how to open the dashboard, and lines for a shell that track an event and define a goal."""
    key = f"-H 'Authorization: Bearer {beginning.api_key}'"
    json = "-H 'Content-Type: application/json'"
    site = beginning.site_id
    return "\n".join(
        [
            "A user, an organization, a site for localhost and an API key are ready.",
            f"The key is shown this once: {beginning.api_key}",
            "",
            "Open the dashboard; this link signs you in once, within an hour:",
            "",
            sign_in,
            "",
            f"Another link: {command} user sign-in. Something to look at: {command} demo.",
            "",
            "Track an event, define a goal, read it back:",
            "",
            f"curl -sS {base_url}/api/track {key} {json} -d '{_event(site)}'",
            (
                f"curl -sS {base_url}/api/sites/{site}/goals {key} {json}"
                """ -d '{"name": "Pricing", "goalType": "path", "config": {"pathPattern": "/pricing*"}}'"""
            ),
            f"curl -sS {base_url}/api/sites/{site}/goals {key}",
            "",
        ]
    )


def next_steps(base_url: str, site_id: int, domain: str, *, dashboard: str, command: str) -> str:
    """Return lines for a shell that work on every later start, when no key is known any more."""
    key = '-H "Authorization: Bearer $FOOTFALL_API_KEY"'
    event = _event(site_id).replace('"localhost"', f'"{domain}"')
    return "\n".join(
        [
            f"The dashboard is at {dashboard}/ (a link that signs you in: {command} user sign-in).",
            "",
            "Track an event as a browser would:",
            "",
            f"curl -sS {base_url}/api/track -A '{_BROWSER}' -H 'Content-Type: application/json' -d '{event}'",
            "",
            f"Read the goals with a key of yours in FOOTFALL_API_KEY ({command} key create --user USER --name NAME",
            f"makes a new one, and {command} user list says which users there are):",
            "",
            f"curl -sS {base_url}/api/sites/{site_id}/goals {key}",
            "",
        ]
    )


def _event(site_id: int) -> str:
    return f'{{"site_id": "{site_id}", "hostname": "localhost", "pathname": "/pricing"}}'
