"""What browsers and persons do in the tests of single sign-on."""

import re

from attrs import frozen

from footfall.application.commands.context import CommandContext
from footfall.application.ports.accounts.identity_providers import (
    Identity,
)
from tests.servers.identity_provider import consent

CONTEXT = CommandContext()
ANN = {"sub": "ann", "email": "ann@example.com", "email_verified": True, "name": "Ann"}


async def sign_in(browser, subject, path="/sign-in/oidc?next=%2Faccount"):
    begun = await browser.get(path)
    assert begun.status_code == 303, begun.text
    return await browser.get(consent(begun.headers["location"], subject))


def user_of(page):
    return re.search(r"user ID (\d+)", page.text)[1]


@frozen
class Answers:
    """A provider that proves one identity."""

    proven: Identity
    issuer: str = "https://i.example"

    async def authorization_url(self, _proof):
        return "https://i.example/authorize"

    async def identity(self, _code, _proof, *, now):
        assert now
        return self.proven
