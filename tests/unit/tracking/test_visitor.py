"""The names of visitors."""

from hypothesis import given
from hypothesis import strategies as st

from footfall.domain.tracking.hit import visitor_text
from footfall.domain.tracking.visitor import named_visitor_id, salted_user_id, visitor_id

SECRET = b"s" * 32


def name(**changes):
    return visitor_id(SECRET, **{"site_id": 1, "address": "192.0.2.1", "user_agent": "Firefox", **changes})


def test_the_same_visitor_has_the_same_name():
    assert name() == name()


def test_a_name_never_changes_or_everybody_would_be_somebody_else():
    plain = name()
    salted = name(site_id=20, address="2001:db8::1", user_agent="Bär \ud800", salt=b"today")

    assert (plain, salted) == (7304736988581905989, 387193800422914912)


def test_everything_that_differs_makes_another_visitor():
    names = {
        name(),
        name(site_id=2),
        name(address="192.0.2.2"),
        name(user_agent="Chrome"),
        name(salt=b"today"),
        visitor_id(b"other", site_id=1, address="192.0.2.1", user_agent="Firefox"),
    }

    assert len(names) == 6


def named(**changes):
    return named_visitor_id(SECRET, **{"site_id": 1, "user_id": "ada", **changes})


def salted(**changes):
    return salted_user_id(SECRET, **{"site_id": 1, "user_id": "ada", "salt": b"today", **changes})


def test_the_name_of_a_user_never_changes():
    assert (named(), salted()) == (-2615325476887257895, "723521087b62e424dda87ab4215384ba")


def test_a_user_is_another_visitor_on_another_site_with_another_secret_or_salt():
    names = {
        named(),
        named(site_id=2),
        named(user_id="grace"),
        named(salt=b"today"),
        named_visitor_id(b"other", site_id=1, user_id="ada"),
    }

    assert len(names) == 5


def test_no_address_and_agent_make_the_visitor_of_a_user_id():
    assert name(address="ada", user_agent="") != named(user_id="ada", salt=b"\0\0\0\0")


def test_a_salted_user_id_is_another_one_on_another_site_or_day_and_with_another_secret():
    texts = {
        salted(),
        salted(site_id=2),
        salted(user_id="grace"),
        salted(salt=b"tomorrow"),
        salted_user_id(b"other", site_id=1, user_id="ada", salt=b"today"),
    }

    assert len(texts) == 5
    assert all(len(text) == 32 and int(text, 16) for text in texts)


def test_parts_do_not_run_into_each_other():
    assert name(address="ab", user_agent="c") != name(address="a", user_agent="bc")


@given(st.text(), st.text())
def test_any_text_makes_a_signed_64_bit_number_of_16_digits(address, user_agent):
    number = name(address=address, user_agent=user_agent)

    assert -(2**63) <= number < 2**63
    assert len(visitor_text(number)) == 16
    assert int(visitor_text(number), 16) == number % 2**64
