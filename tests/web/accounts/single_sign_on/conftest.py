"""A provider of OpenID Connect, and a service that signs in by it."""

from datetime import UTC, datetime

import pytest

from footfall.domain.accounts.organization import Role
from tests.servers.identity_provider import identity_provider
from tests.web.accounts.single_sign_on.browsers import ANN


@pytest.fixture(scope="module")
def issuer():
    users = [
        ANN,
        {"sub": "unverified", "email": "ann@example.com", "email_verified": False},
        {"sub": "outsider", "email": "eve@elsewhere.example", "email_verified": True},
        {"sub": "nothing"},
        {"sub": "odd", "email": "not an address", "email_verified": True, "name": "\x00" * 5},
    ]
    with identity_provider(*users) as issuer:
        yield issuer


@pytest.fixture
def configured(issuer):
    return {
        "oidc_issuer": issuer,
        "oidc_client_id": "footfall",
        "oidc_client_secret": "a secret",
        "oidc_domains": ("example.com",),
        "oidc_organization": "1",
        "oidc_role": Role.VIEWER,
    }


@pytest.fixture(autouse=True)
def present(world):
    """The clock of the provider."""
    world.clock.advance(datetime.now(UTC) - world.clock.now())
