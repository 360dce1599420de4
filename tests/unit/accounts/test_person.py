"""Persons: names, addresses, and what verifies one."""

import pytest

from footfall.domain.accounts.person import Person, change, mailbox_of, parse_address, parse_name, verify
from footfall.domain.examples import NOON
from footfall.domain.exceptions import Invalid

VERIFIED = Person(user_id="1", name="Ann", address="Ann@example.com", address_verified_at=NOON)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (" Ann ", "Ann"),
        ("n" * 100, "n" * 100),
        ("Zoë \U0001f600", "Zoë \U0001f600"),
        ("\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",) * 2,
        ("\U0001f469\u200d\U0001f4bb \u05d3\u05e0\u05d4!",) * 2,
    ],
)
def test_a_name_of_1_to_100_characters_is_kept_without_white_space_around_it(text, name):
    assert parse_name(text) == name


@pytest.mark.parametrize(
    "text",
    [
        *("", "  ", "n" * 101, "A\nB", "A\x00B", "A\x1b[2J", "A\u2028B", "\ud800", "\u200c\u200d", "\u3164"),
        *("Ann\u202egpj.exe", "A\u2066B", "A\u200bnn", "Ann\ufeff!", "A\U000e0041"),
    ],
)
def test_a_name_that_is_empty_long_or_shows_other_text_than_it_has_is_refused(text):
    with pytest.raises(Invalid) as refusal:
        parse_name(text)

    assert set(refusal.value.field_errors) == {"name"}


@pytest.mark.parametrize(
    "text",
    [
        "ann@example.com",
        "root@localhost",
        "a.b+c'd@sub.example.co.uk",
        f"{'a' * 64}@example.com",
        f"a@{'.'.join(['b' * 60] * 4)}.example",
    ],
)
def test_a_mail_address_is_accepted(text):
    assert parse_address(f" {text} ") == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "ann",
        "ann@",
        "@example.com",
        "a@b@c",
        "ann @example.com",
        "ann@exa mple.com",
        ".ann@example.com",
        "a..b@example.com",
        "ann@-example.com",
        "ann@example..com",
        "ann@example.com.",
        "änn@example.com",
        "ann@exämple.com",
        '"ann"@example.com',
        "ann@example.com\nBcc: x@example.com",
        "ann@example.com\x00",
        "<ann@example.com>",
        f"{'a' * 65}@example.com",
        f"a@{'.'.join(['b' * 60] * 4)}.examples.org",
    ],
)
def test_a_text_that_is_no_mail_address_of_254_characters_is_refused(text):
    with pytest.raises(Invalid) as refusal:
        parse_address(text)

    assert set(refusal.value.field_errors) == {"address"}


def test_faults_of_name_and_address_are_reported_together():
    with pytest.raises(Invalid) as refusal:
        change(Person(user_id="1"), name="n" * 101, address="nowhere")

    assert set(refusal.value.field_errors) == {"name", "address"}


def test_an_empty_text_removes_name_and_address():
    assert change(VERIFIED, name=" ", address=None) == Person(user_id="1")


def test_another_address_has_to_be_verified_anew():
    assert change(VERIFIED, name="Ann", address="ann@example.org").address_verified_at is None


def test_an_address_in_other_letter_case_stays_verified():
    changed = change(VERIFIED, name="Ann", address="ann@example.com")

    assert (changed.address, changed.address_verified_at) == ("ann@example.com", NOON)


def test_an_address_is_verified_while_it_is_the_present_one():
    unverified = change(VERIFIED, name="Ann", address="ann@example.org")

    assert verify(unverified, "ANN@example.org", now=NOON).verified_address == "ann@example.org"
    assert verify(unverified, "ann@example.com", now=NOON) == unverified


def test_a_user_without_name_is_shown_by_number():
    assert (VERIFIED.shown_name, Person(user_id="3").shown_name) == ("Ann", "user 3")


def test_name_and_address_are_in_no_representation():
    assert "nn" not in repr(VERIFIED)


@pytest.mark.parametrize(
    ("address", "mailbox"),
    [
        ("Ann@Example.com", "ann@example.com"),
        ("ann+1@example.com", "ann@example.com"),
        ("ann+1+2@example.com", "ann@example.com"),
        ("+1@example.com", "+1@example.com"),
    ],
)
def test_a_tag_names_no_other_mailbox(address, mailbox):
    assert mailbox_of(address) == mailbox
