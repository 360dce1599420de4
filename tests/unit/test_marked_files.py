"""A run by marks collects each file that can hold a test of it, and refuses marks that it would not find."""

from pathlib import Path

import pytest

from tests.marked_files import may_hold, refuse_unnamed_marks

SLOW, ALONE, QUICK = "slow and not thorough", "slow and alone", "not slow and not thorough"
PLAIN = "def test_it(): ..."


class Item:
    """A test with marks, in a file."""

    def __init__(self, path, *marks):
        self.path, self.nodeid, self._marks = path, path.name, marks

    def iter_markers(self):
        return [getattr(pytest.mark, name).mark for name in self._marks]


@pytest.fixture
def written(tmp_path):
    def write(text):
        path = tmp_path / "test_some.py"
        path.write_text(text)
        return path

    return write


@pytest.mark.parametrize(
    ("text", "held"),
    [
        (PLAIN, {QUICK}),
        (f"@pytest.mark.slow\n{PLAIN}", {QUICK, SLOW}),
        (f"@pytest.mark.slow\n@pytest.mark.alone\n{PLAIN}", {QUICK, SLOW, ALONE}),
        (f"pytestmark = pytest.mark.slow\n{PLAIN}", {SLOW}),
        (f"pytestmark = [pytest.mark.slow, pytest.mark.alone]\n{PLAIN}", {SLOW, ALONE}),
        (f"@on_both_stores\n{PLAIN}", {QUICK}),
        (f"@pytest.mark.cells\n@on_both_stores\n{PLAIN}", {QUICK, SLOW}),
        (f"from tests.browser.conftest import LOOKS\n\n\n@LOOKS\n{PLAIN}", {QUICK}),
    ],
)
def test_a_file_is_collected_when_a_test_in_it_can_have_the_marks(written, text, held):
    path = written(text)

    assert {expression for expression in (QUICK, SLOW, ALONE) if may_hold(path, expression)} == held
    assert {expression for expression in (QUICK, SLOW, ALONE) if may_hold(path.parent, expression)} == held


def test_a_run_without_marks_and_marks_that_plugins_add_leave_no_file_out(written):
    path = written(PLAIN)

    assert may_hold(path, "")
    assert may_hold(path, "slow or hypothesis")


def test_a_mark_of_the_folder_is_one_of_its_files():
    browser = Path(__file__).parents[1] / "browser" / "test_dashboard.py"

    assert may_hold(browser, "needs and not slow")
    refuse_unnamed_marks([Item(browser, "needs")])


def test_a_mark_that_no_text_names_is_refused(written):
    with pytest.raises(
        pytest.UsageError, match=r"test_some.py is marked slow, which a run by marks would not find"
    ):
        refuse_unnamed_marks([Item(written(PLAIN), "slow")])
    refuse_unnamed_marks([Item(written(PLAIN), "parametrize")])


def test_a_test_without_a_mark_that_its_file_seems_to_give_to_all_is_refused(written):
    path = written(
        f'pytestmark = pytest.mark.parametrize("a", [pytest.param(1, marks=pytest.mark.slow), 2])\n{PLAIN}'
    )

    refuse_unnamed_marks([Item(path, "slow")])
    with pytest.raises(
        pytest.UsageError, match=r"is not marked slow, .* a run without the mark would not find it"
    ):
        refuse_unnamed_marks([Item(path, "parametrize")])
