"""`footfall user`."""

import os

import click

from footfall.application.commands import Cause
from footfall.entrypoints.bootstrap import Journal
from footfall.entrypoints.cli.output import Refused, emit, json_option, option
from footfall.entrypoints.first_start import sign_in_address
from footfall.entrypoints.settings import read_settings
from footfall.entrypoints.stores import with_journal

# More would not be one clear line.
_NAMED = 8


@click.group()
def user() -> None:
    """Let users into the dashboard."""


@user.command("sign-in")
@option("--user", help="Id of the user; needed when there are several.")
@json_option
def sign_in(user: str | None, *, as_json: bool) -> None:
    """Print a link that signs a browser in, once, within an hour."""
    settings = read_settings(os.environ)

    async def work(journal: Journal) -> dict[str, str]:
        user_id = _chosen(journal, user)
        token = await journal.commands.issue_sign_in_link(user_id, Cause())
        return {"userId": user_id, "url": sign_in_address(settings.base_url, user_id, token)}

    document = with_journal(settings, work)
    emit(document, [document["url"]], as_json=as_json)


def _chosen(journal: Journal, user: str | None) -> str:
    known = {name for listed in journal.directory.organizations() for name in listed.organization.roles}
    if user is None and len(known) == 1:
        return known.pop()
    if user is None:
        raise Refused(_ask(journal) if known else "there is no user yet: footfall serve or init makes one")
    if user not in known:
        raise Refused(f"user {user} is not a member of any organization")
    return user


def _ask(journal: Journal) -> str:
    members = [
        f"{user_id} ({role.value} of {listed.organization.name})"
        for listed in journal.directory.organizations()
        for user_id, role in listed.organization.roles.items()
    ]
    more = ["..."] if len(members) > _NAMED else []
    return f"there are several users, say which with --user: {', '.join(members[:_NAMED] + more)}"
