"""Pages of long lists and their query parameters."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.domain.exceptions import Invalid
from footfall.domain.pagination import Page, parse_page


def test_without_parameters_it_is_the_first_page():
    assert parse_page({}, size=25) == Page(1, 25)


def test_the_size_may_have_a_second_name():
    page = parse_page({"page": "3", "page_size": "7"}, size=20, size_names=("limit", "page_size"))

    assert page == Page(3, 7)


@pytest.mark.parametrize("text", ["0", "-1", "201", "1.0", "", "x", "9" * 5000, "\u0661"])
def test_a_size_outside_its_limits_is_refused(text):
    with pytest.raises(Invalid) as refusal:
        parse_page({"limit": text}, size=20)

    assert refusal.value.field_errors == {"limit": ["must be a whole number from 1 to 200"]}


def test_a_page_that_no_store_could_count_to_is_refused():
    with pytest.raises(Invalid) as refusal:
        parse_page({"page": "1000000001"}, size=20)

    assert refusal.value.field_errors == {"page": ["must be a whole number from 1 to 1000000000"]}


def test_a_page_past_the_end_is_empty():
    assert Page(4, 10).of(range(30)) == range(0)


@given(total=st.integers(0, 50), size=st.integers(1, 9))
def test_the_pages_together_are_the_list(total, size):
    items = list(range(total))

    pages = [Page(number, size).of(items) for number in range(1, Page(1, size).count(total) + 1)]

    assert [item for page in pages for item in page] == items
