"""Private links of sites in tests: new ones, and the keys of those that are there."""

import re

from footfall.adapters.sealing import SecretSealing
from footfall.adapters.system import SystemRandomness
from footfall.application.access.link_passwords import keep_password
from footfall.application.commands.context import CommandContext
from footfall.application.commands.sites.link_keys import LinkKeys
from footfall.domain.sites.sharing.shared_links import LinkTerms
from tests.application import SECRET


async def new_link(commands, site_id=1, secret=SECRET):
    """Give a site a private link, sealed with a secret of the server, and return its key."""
    return await _links(commands, secret).generate(site_id, CommandContext())


async def shared_link(commands, panels, site_id=1, secret=SECRET, **terms):
    """Give a site a link with these panels, and return its key."""
    terms = LinkTerms(**{"name": "Agency", "panels": tuple(panels)} | terms)
    _, key = await _links(commands, secret).make(site_id, terms, CommandContext())
    return key


async def with_password(password):
    """Return the form in which the password of a link is kept."""
    return await keep_password(password, b"salt")


def key_of(site):
    """Return the key of the link of a site; None without one."""
    return _links(None).key_of(site)


async def former_of(browser, page):
    """Return what the form of a link says of the terms that it was made of."""
    return re.search(r'name="former" value="(\w+)"', (await browser.get(page)).text)[1]


def _links(commands, secret=SECRET):
    return LinkKeys(
        commands and commands.sites, SystemRandomness(), SecretSealing(secret), commands and commands.links
    )
