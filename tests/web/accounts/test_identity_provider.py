"""The adapter of OpenID Connect, with issuers that answer nonsense, slowly, or with forged tokens."""

import asyncio
import hmac
import json
import threading
import time
from base64 import urlsafe_b64encode

import pytest
from joserfc import jwt
from joserfc.jwk import OctKey, RSAKey

from footfall.adapters.oidc.provider import OpenIdProvider
from footfall.application.ports.accounts.identity_providers import (
    IdentityRefused,
    ProviderUnavailable,
    SignInProof,
)
from footfall.domain.examples import NOON
from tests.servers.identity_provider import scripted_issuer
from tests.waiting import LONG

PROOF = SignInProof(state="s", nonce="n", verifier="v" * 43)


def provider(issuer, **known):
    return OpenIdProvider(
        issuer=issuer, client_id="footfall", client_secret="s", redirect_uri="http://localhost/", **known
    )


def metadata(issuer, **changes):
    found = {
        "issuer": issuer,
        "authorization_endpoint": f"{issuer}/authorize",
        "token_endpoint": f"{issuer}/token",
        "jwks_uri": f"{issuer}/jwks",
        **changes,
    }
    return json.dumps(found).encode()


@pytest.mark.parametrize(
    "answer",
    [
        lambda _: (200, b"<html>"),
        lambda _: (200, b"[]"),
        lambda _: (200, b"{}"),
        lambda _: (200, b"[" * 100_000),
        lambda _: (200, b"{" + b" " * (2 << 20) + b"}"),
        lambda _: (404, b"{}"),
        lambda _: (500, b"{}"),
        lambda _: (302, b"{}"),
        lambda _: (200, metadata("https://other.example.com")),
        lambda issuer: (200, metadata(issuer, token_endpoint="file:///etc/passwd")),
        lambda issuer: (200, metadata(issuer, token_endpoint="http://192.0.2.1/token")),
        lambda issuer: (200, metadata(issuer, jwks_uri=7)),
    ],
)
async def test_nonsense_of_an_issuer_is_no_answer(answer):
    with scripted_issuer(lambda _path, issuer: answer(issuer)) as issuer:
        with pytest.raises(ProviderUnavailable):
            await provider(issuer).authorization_url(PROOF)
        with pytest.raises(ProviderUnavailable):
            await provider(issuer).identity("code", PROOF, now=NOON)


@pytest.mark.parametrize("said", [False, 1, "True", "yes", None, [True], {"verified": True}])
async def test_only_true_is_a_verified_address(said):
    assert (await identified(signed(email_verified=said))).is_address_verified is False


@pytest.mark.parametrize("said", [True, "true"])
async def test_an_address_is_verified_when_the_provider_says_so(said):
    assert (await identified(signed(email_verified=said))).is_address_verified is True


async def test_an_issuer_that_never_ends_its_answer_is_left_in_time():
    def drip():
        for _ in range(50):
            yield b" "
            time.sleep(0.1)

    with scripted_issuer(lambda _path, _issuer: (200, drip())) as issuer, pytest.raises(ProviderUnavailable):
        await provider(issuer, seconds=1.0).authorization_url(PROOF)


async def test_a_stalled_issuer_takes_no_thread_that_others_share():
    before = set(threading.enumerate())

    with scripted_issuer(lambda _path, _issuer: None) as issuer:
        stalled = provider(issuer, seconds=0.2)
        answers = await asyncio.gather(
            *(stalled.authorization_url(PROOF) for _ in range(12)), return_exceptions=True
        )
        threads = [one.name for one in set(threading.enumerate()) - before if "asyncio" in one.name]

    assert {type(answer) for answer in answers} == {ProviderUnavailable}
    assert threads == []


async def test_an_issuer_that_answers_slowly_is_left_in_time():
    started = time.monotonic()

    with scripted_issuer(lambda _path, _issuer: None) as issuer, pytest.raises(ProviderUnavailable):
        await provider(issuer, seconds=1.0).authorization_url(PROOF)

    assert time.monotonic() - started < LONG


KEY = RSAKey.generate_key(2048, {"kid": "1"})
OTHER_KEY = RSAKey.generate_key(2048, {"kid": "1"})


def claims(issuer, **changes):
    now = int(NOON.timestamp())
    known = {"iss": issuer, "sub": "ann", "aud": "footfall", "exp": now + 60, "iat": now, "nonce": "n"}
    return {
        name: value for name, value in {**known, "email": "a@example.com", **changes}.items() if value != ""
    }


async def identified(make):
    """The identity that a token proves which `make` builds for an issuer."""

    def answers(path, issuer):
        if path == "/jwks":
            return 200, json.dumps({"keys": [KEY.as_dict(private=False)]}).encode()
        if path == "/token":
            return 200, json.dumps({"access_token": "t", "id_token": make(issuer)}).encode()
        return 200, metadata(issuer)

    with scripted_issuer(answers) as issuer:
        return await provider(issuer).identity("code", PROOF, now=NOON)


def signed(key=KEY, algorithm="RS256", **changes):
    header = {"alg": algorithm, "kid": "1"}
    return lambda issuer: jwt.encode(header, claims(issuer, **changes), key, algorithms=[algorithm])


def unsigned(issuer):
    return f"{parts('none', issuer)}."


def signed_with_the_public_key(issuer):
    signed_part = parts("HS256", issuer)
    return f"{signed_part}.{base64(hmac.digest(KEY.as_pem(private=False), signed_part.encode(), 'sha256'))}"


def parts(algorithm, issuer):
    """Header and claims of a token, encoded."""
    return ".".join(
        base64(json.dumps(one).encode()) for one in ({"alg": algorithm, "kid": "1"}, claims(issuer))
    )


def base64(content):
    return urlsafe_b64encode(content).rstrip(b"=").decode()


@pytest.mark.parametrize("keys", [{}, {"keys": 7}, {"keys": [7]}, {"keys": [{"kty": "RSA"}]}, {"keys": []}])
async def test_keys_that_are_no_keys_prove_nothing(keys):
    def answers(path, issuer):
        token = {"access_token": "t", "id_token": signed()(issuer)}
        body = {"/jwks": keys, "/token": token}.get(path)
        return 200, metadata(issuer) if body is None else json.dumps(body).encode()

    with scripted_issuer(answers) as issuer, pytest.raises(IdentityRefused):
        await provider(issuer).identity("code", PROOF, now=NOON)


async def test_a_valid_token_proves_an_identity():
    assert (await identified(signed())).subject == "ann"


@pytest.mark.parametrize(
    "make",
    [
        signed(iss="https://other.example.com"),
        signed(aud="another"),
        signed(aud=["footfall", "another"]),
        signed(azp="another"),
        signed(exp=int(NOON.timestamp()) - 3600),
        signed(exp=""),
        signed(iat=int(NOON.timestamp()) + 3600),
        signed(nonce="another"),
        signed(nonce=""),
        signed(sub=""),
        signed(sub=7),
        signed(sub="x" * 256),
        signed(key=OTHER_KEY),
        signed(key=OctKey.import_key("s" * 32), algorithm="HS256"),
        signed_with_the_public_key,
        signed(iss="http://127.0.0.1/"),
        signed(aud=[]),
        unsigned,
        lambda _: "nonsense",
        lambda _: None,
        lambda _: 7,
    ],
)
async def test_any_other_token_proves_nothing(make):
    with pytest.raises(IdentityRefused):
        await identified(make)
