"""Threads are shared by what runs."""

import pytest

from footfall.adapters.columns.reader.thread_share import ThreadShare


@pytest.fixture
def changes():
    return []


@pytest.fixture
def share(changes):
    return ThreadShare(changes.append)


def test_what_runs_alone_has_all_threads_and_beside_others_one(share, changes):
    with share.used(few_rows=False):
        assert share.threads == 2
        with share.used(few_rows=False), share.used(few_rows=False):
            assert share.threads == 1
        assert share.threads == 2

    assert changes == [1, 2]


def test_few_rows_have_one_thread(share, changes):
    for _ in range(2):
        with share.used(few_rows=True):
            assert share.threads == 1

    # It stays until more is read: to change it takes time.
    assert changes == [1]
    with share.used(few_rows=False):
        assert share.threads == 2


def test_it_is_used_while_something_runs(share):
    assert not share.is_used
    with share.used(few_rows=True):
        assert share.is_used
    assert not share.is_used
