"""The names of visitors."""

from hypothesis import given
from hypothesis import strategies as st

from footfall.domain.hit import visitor_text
from footfall.domain.visitor import visitor_id

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


def test_parts_do_not_run_into_each_other():
    assert name(address="ab", user_agent="c") != name(address="a", user_agent="bc")


@given(st.text(), st.text())
def test_any_text_makes_a_signed_64_bit_number_of_16_digits(address, user_agent):
    number = name(address=address, user_agent=user_agent)

    assert -(2**63) <= number < 2**63
    assert len(visitor_text(number)) == 16
    assert int(visitor_text(number), 16) == number % 2**64
