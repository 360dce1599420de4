"""The first start of an installation: what it creates, and the lines that it and later starts print."""

import logging

from footfall.adapters.postgres.database.advisory_locks import AdvisoryLock, waiting_for_lock
from footfall.application.commands.context import CommandContext
from footfall.application.commands.first_start import Beginning
from footfall.domain.accounts.api_key import digest_of
from footfall.domain.accounts.person import same_address
from footfall.entrypoints.composition.service import Journal
from footfall.entrypoints.settings import SETTINGS, Settings

_log = logging.getLogger(__name__)

_BROWSER = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
_KEY_OF_SHELL = '-H "Authorization: Bearer $FOOTFALL_API_KEY"'


async def greeting(settings: Settings, url: str, journal: Journal, *, command: str) -> str:
    """Return what the service prints when it starts; the first start creates what it begins with.

    Raises:
        StoreUnavailable: the store does not answer.

    """
    beginning = await begin_once(settings, url, journal)
    if beginning is None:
        steps = await _of_later_start(settings, journal, command)
    else:
        token = await journal.commands.sign_in.issue_link(beginning.user_id, CommandContext())
        sign_in = sign_in_address(settings.public_origin, beginning.user_id, token)
        shown_key = beginning.api_key if settings.first_api_key is None else None
        steps = _first_steps(settings.base_url, beginning, sign_in, shown_key=shown_key, command=command)
    return f"\nFootfall listens on {settings.base_url}\n\n{steps}"


async def _of_later_start(settings: Settings, journal: Journal, command: str) -> str:
    if unused := await _without_effect(settings, journal):
        _log.warning(
            "only the first start reads %s: nothing here has these values, and nothing was changed",
            " and ".join(unused),
        )
    sites = journal.directory.sites()
    if not sites:
        return ""
    first = sites[0].site
    return _next_steps(
        settings.base_url, first.site_id, first.domain, dashboard=settings.public_origin, command=command
    )


async def begin_once(settings: Settings, url: str, journal: Journal) -> Beginning | None:
    """Create what the settings name, and return it; None when the installation has begun before.

    Of several services that start at once, one creates it.

    Raises:
        StoreUnavailable: the store does not answer.

    """
    if _has_begun(journal):
        return None
    async with waiting_for_lock(AdvisoryLock.BEGINNING, url):
        await journal.directory.catch_up()
        if _has_begun(journal):
            return None
        domain = settings.first_site or "localhost"
        return await journal.commands.beginning.begin(
            organization_name=settings.first_organization or "My organization",
            site_name=domain,
            domain=domain,
            name=settings.owner_name,
            address=settings.owner_address,
            key=settings.first_api_key,
            context=CommandContext(),
        )


def _has_begun(journal: Journal) -> bool:
    # An organization whose stream is set aside is there all the same: nothing begins anew beside it.
    return bool(journal.directory.organizations() or journal.directory.set_aside)


async def _without_effect(settings: Settings, journal: Journal) -> list[str]:
    """Return the variables about the first start whose values nothing has that is there now."""
    directory = journal.directory
    people = await journal.people.of(directory.users())
    organizations = {record.organization.name for record in directory.organizations()}
    domains = {record.site.domain for record in directory.sites()}
    key, address = settings.first_api_key, settings.owner_address
    given = {
        "owner_address": address is None
        or any(same_address(address, person.address) for person in people.values()),
        "first_organization": settings.first_organization in {None, *organizations},
        "first_site": settings.first_site in {None, *domains},
        "first_api_key": key is None or await directory.find_key(digest_of(key)) is not None,
    }
    return [SETTINGS[name].variable for name, there in given.items() if not there]


def sign_in_address(base_url: str, user_id: str, token: str) -> str:
    """Return where a browser goes to be signed in by a one-time link."""
    return f"{base_url}/sign-in/{user_id}/{token}"


def _first_steps(
    base_url: str, beginning: Beginning, sign_in: str, *, shown_key: str | None, command: str
) -> str:
    """Return how to open the dashboard, and lines for a shell that track an event and define a goal.

    They contain the key when it is to be shown, because it was drawn, and else the variable of a shell.
    """
    key = f"-H 'Authorization: Bearer {shown_key}'" if shown_key else _KEY_OF_SHELL
    json = "-H 'Content-Type: application/json'"
    site = beginning.site_id
    return "\n".join(
        [
            f"A user, an organization, a site for {beginning.domain} and an API key are ready.",
            f"The key is shown this once: {shown_key}"
            if shown_key
            else f"The key is that of {SETTINGS['first_api_key'].variable}.",
            "",
            "Open the dashboard; this link signs you in once, within an hour:",
            "",
            sign_in,
            "",
            f"Another link: {command} user sign-in. Something to look at: {command} demo.",
            "",
            "Track an event, define a goal, read it back:",
            "",
            f"curl -sS {base_url}/api/track {key} {json} -d '{_event(site, beginning.domain)}'",
            (
                f"curl -sS {base_url}/api/sites/{site}/goals {key} {json}"
                """ -d '{"name": "Pricing", "goalType": "path", "config": {"pathPattern": "/pricing*"}}'"""
            ),
            f"curl -sS {base_url}/api/sites/{site}/goals {key}",
            "",
        ]
    )


def _next_steps(base_url: str, site_id: int, domain: str, *, dashboard: str, command: str) -> str:
    """Return lines for a shell that work on every later start, when no key is known any more."""
    event = _event(site_id, domain)
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
            f"curl -sS {base_url}/api/sites/{site_id}/goals {_KEY_OF_SHELL}",
            "",
        ]
    )


def _event(site_id: int, domain: str) -> str:
    return f'{{"site_id": "{site_id}", "hostname": "{domain}", "pathname": "/pricing"}}'
