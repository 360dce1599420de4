"""A provider of OpenID Connect: discovery, code flow with PKCE, and verification of ID tokens."""

import asyncio
import base64
from collections.abc import Awaitable, Mapping
from datetime import datetime
from typing import Any, TypeVar
from urllib.parse import quote

from attrs import field, frozen
from authlib.oauth2.rfc6749.parameters import prepare_grant_uri
from authlib.oauth2.rfc7636 import create_s256_code_challenge
from joserfc import jwt
from joserfc.jwk import KeySet

from footfall.adapters.oidc.provider_requests import ProviderRefusal, fetch_json, new_client
from footfall.adapters.outgoing.client import HttpClient, is_confidential
from footfall.application.ports.accounts.identity_providers import (
    Identity,
    IdentityRefused,
    ProviderUnavailable,
    SignInProof,
)

# Signatures with public keys only: neither `none` nor a secret that both sides share.
ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
SECONDS = 12.0
LEEWAY_SECONDS = 60
_REFUSED = "Single sign-on did not confirm who you are. Try again, or use another way to sign in"
_SCOPE = "openid email profile"

Result = TypeVar("Result")


@frozen(kw_only=True)
class OpenIdProvider:
    """IdentityProvider of one issuer, for one client."""

    issuer: str
    client_id: str
    client_secret: str | None = field(repr=False)
    redirect_uri: str
    seconds: float = SECONDS
    _client: HttpClient = field(factory=new_client, init=False, repr=False, eq=False)

    async def authorization_url(self, proof: SignInProof) -> str:
        """Return the address of the provider for a new request."""
        metadata = await within(self.seconds, self._metadata())
        return str(
            prepare_grant_uri(
                metadata["authorization_endpoint"],
                self.client_id,
                "code",
                redirect_uri=self.redirect_uri,
                scope=_SCOPE,
                state=proof.state,
                nonce=proof.nonce,
                code_challenge=create_s256_code_challenge(proof.verifier),
                code_challenge_method="S256",
            )
        )

    async def identity(self, code: str, proof: SignInProof, *, now: datetime) -> Identity:
        """Return the identity that a code proves."""
        return await within(self.seconds, self._identity(code, proof, now))

    async def _identity(self, code: str, proof: SignInProof, now: datetime) -> Identity:
        metadata = await self._metadata()
        try:
            answer = await self._exchange(metadata, code, proof)
            claims = await self._claims(answer, metadata, proof, now)
            return await self._described(claims, answer, metadata)
        except ProviderUnavailable:
            raise
        except Exception:  # noqa: BLE001 - whatever a decoder stumbles over, the answer proves nothing
            raise IdentityRefused(_REFUSED) from None

    async def _metadata(self) -> Mapping[str, str]:
        try:
            answer = await fetch_json(
                self._client, f"{self.issuer.rstrip('/')}/.well-known/openid-configuration"
            )
        except ProviderRefusal:
            raise ProviderUnavailable from None
        required = [answer.get(name) for name in ("authorization_endpoint", "token_endpoint", "jwks_uri")]
        if answer.get("issuer") != self.issuer or not all(
            isinstance(url, str) and is_confidential(url) for url in required
        ):
            raise ProviderUnavailable
        metadata: Mapping[str, str] = answer
        return metadata

    async def _exchange(self, metadata: Mapping[str, Any], code: str, proof: SignInProof) -> Any:
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": self.redirect_uri,
            "code_verifier": proof.verifier,
        }
        methods = metadata.get("token_endpoint_auth_methods_supported") or ["client_secret_basic"]
        headers = {}
        if self.client_secret is None:
            form["client_id"] = self.client_id
        elif "client_secret_basic" in methods:
            login = f"{quote(self.client_id, safe='')}:{quote(self.client_secret, safe='')}"
            headers["Authorization"] = f"Basic {base64.b64encode(login.encode()).decode()}"
        else:
            form |= {"client_id": self.client_id, "client_secret": self.client_secret}
        return await fetch_json(self._client, metadata["token_endpoint"], headers=headers, form=form)

    async def _claims(
        self, answer: Any, metadata: Mapping[str, Any], proof: SignInProof, now: datetime
    ) -> Mapping[str, Any]:
        keys = KeySet.import_key_set(await fetch_json(self._client, metadata["jwks_uri"]))
        token = jwt.decode(answer["id_token"], keys, algorithms=list(ALGORITHMS))
        jwt.JWTClaimsRegistry(
            now=int(now.timestamp()),
            leeway=LEEWAY_SECONDS,
            iss={"essential": True, "value": self.issuer},
            aud={"essential": True, "value": self.client_id},
            exp={"essential": True},
            iat={"essential": True},
            sub={"essential": True},
            nonce={"essential": True, "value": proof.nonce},
        ).validate(token.claims)
        party = token.claims.get("azp")
        several = isinstance(token.claims["aud"], list) and len(token.claims["aud"]) > 1
        if (party is not None or several) and party != self.client_id:
            raise ValueError
        return token.claims

    async def _described(
        self, claims: Mapping[str, Any], answer: Any, metadata: Mapping[str, Any]
    ) -> Identity:
        subject, details = claims["sub"], claims
        if "email" not in claims and isinstance(metadata.get("userinfo_endpoint"), str):
            headers = {"Authorization": f"Bearer {answer['access_token']}"}
            details = await fetch_json(self._client, metadata["userinfo_endpoint"], headers=headers)
            if details.get("sub") != subject:
                raise ValueError
        if not isinstance(subject, str) or not 1 <= len(subject) <= 255:  # noqa: PLR2004 - the standard's
            raise ValueError
        address, name = details.get("email"), details.get("name")
        return Identity(
            issuer=self.issuer,
            subject=subject,
            address=address if isinstance(address, str) else None,
            # Some providers write the boolean as a text.
            is_address_verified=details.get("email_verified") is True
            or details.get("email_verified") == "true",
            name=name if isinstance(name, str) else None,
        )


async def within(seconds: float, work: Awaitable[Result]) -> Result:
    """Return the result of work.

    Raises:
        ProviderUnavailable: it takes longer.

    """
    try:
        return await asyncio.wait_for(work, seconds)
    except TimeoutError:
        raise ProviderUnavailable from None
