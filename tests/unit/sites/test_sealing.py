"""Texts that only the secret of the server opens."""

import pytest

from footfall.adapters.sealing import SecretSealing

SEALING = SecretSealing(b"a secret")


@pytest.mark.parametrize("text", ["", "K" * 32, "Ü\U0001f600\x00"])
def test_a_sealed_text_is_opened_again_and_does_not_show(text):
    sealed = SEALING.seal(text)

    assert SEALING.open(sealed) == text
    assert not text or text not in sealed


def test_the_same_text_is_sealed_differently_each_time():
    assert SEALING.seal("k") != SEALING.seal("k")


@pytest.mark.parametrize(
    "sealed", ["", "x", "\ud800", "ß", SecretSealing(b"another").seal("k"), SEALING.seal("k")[:-3]]
)
def test_a_text_of_another_secret_or_none_at_all_is_not_opened(sealed):
    assert SEALING.open(sealed) is None


@pytest.mark.parametrize("secret", [b"x", b"x" * 64, b"x" * 65, b"x" * 5_000])
def test_a_secret_of_any_length_seals(secret):
    assert SecretSealing(secret).open(SecretSealing(secret).seal("k")) == "k"
