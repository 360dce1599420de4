"""Numbers as people read them."""

import pytest

from footfall.adapters.web.numbers import change, duration, exact, measure, percent, plain, short


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (999, "999"),
        (1_000, "1k"),
        (1_234, "1.2k"),
        (12_345, "12.3k"),
        (123_456, "123k"),
        (999_499, "999k"),
        (999_999, "1M"),
        (3_400_000, "3.4M"),
    ],
)
def test_short_numbers_keep_their_size(value, text):
    assert short(value) == text


@pytest.mark.parametrize(
    ("value", "text"), [(0, "0%"), (1, "100%"), (0.5, "50.0%"), (0.0004, "0.0%"), (0.081, "8.1%")]
)
def test_fractions_are_percentages(value, text):
    assert percent(value) == text


@pytest.mark.parametrize(
    ("value", "text"), [(0, "0s"), (59.4, "59s"), (59.6, "1m 00s"), (185, "3m 05s"), (7_800, "2h 10m")]
)
def test_durations_are_read_at_a_glance(value, text):
    assert duration(value) == text


@pytest.mark.parametrize(
    ("now", "before", "text"),
    [(112, 100, "+12%"), (95, 100, "\N{MINUS SIGN}5%"), (100, 100, "±0%"), (5, 0, "")],
)
def test_a_change_has_its_sign(now, before, text):
    assert change(now, before) == text


def test_other_values_are_plain():
    assert (exact(1_234_567), measure(0.123, "cls"), measure(1_234, "lcp"), measure(80, "inp")) == (
        "1,234,567",
        "0.12",
        "1.2 s",
        "80 ms",
    )
    assert (plain(value=True), plain(()), plain(("a", "b")), plain(None)) == ("true", "none", "a, b", "none")
