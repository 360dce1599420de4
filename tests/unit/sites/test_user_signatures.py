"""Secrets and signatures of users."""

import hashlib
import hmac

from footfall.domain.sites import user_signatures
from footfall.domain.sites.user_signatures import (
    UserSecretIssued,
    UserSecretRevoked,
    UserSecrets,
    is_signed,
    signature_of,
    user_secret,
)

SECRET = user_secret(b"server", site_id=1, number=1)


def test_secrets_differ_by_server_site_and_number():
    others = [
        user_secret(b"another", site_id=1, number=1),
        user_secret(b"server", site_id=11, number=1),
        user_secret(b"server", site_id=1, number=11),
    ]

    assert len({SECRET, *others}) == 4
    assert all(len(secret) == 64 for secret in others)


def test_the_secret_does_not_follow_from_the_text_that_it_is_made_of():
    assert hashlib.blake2b(b"1 1", digest_size=32, key=b"server").hexdigest() != SECRET


def test_a_signature_is_that_which_every_language_makes():
    expected = hmac.new(SECRET.encode(), "ünï".encode(), hashlib.sha256).hexdigest()

    assert signature_of(SECRET, "ünï") == expected
    assert is_signed(SECRET, user_id="ünï", signature=expected.upper())


def test_no_other_text_is_a_signature():
    right = signature_of(SECRET, "42")

    for wrong in ("", right[:-1], right + "0", "0" * 64, signature_of(SECRET, "43"), "ÿ" * 64):
        assert not is_signed(SECRET, user_id="42", signature=wrong)


def test_a_new_secret_gets_the_next_number_also_after_a_revocation():
    first = user_signatures.apply(UserSecrets(), UserSecretIssued(1))
    revoked = user_signatures.apply(first, UserSecretRevoked())

    assert user_signatures.issue(first) == user_signatures.issue(revoked) == [UserSecretIssued(2)]
    assert (first.is_valid, revoked.is_valid) == (True, False)
    assert user_signatures.revoke(first) == [UserSecretRevoked()]
    assert user_signatures.revoke(revoked) == []
