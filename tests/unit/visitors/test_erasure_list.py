"""The list of erasures outside of the store."""

import errno
import json
import os
from datetime import UTC, datetime
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footfall.adapters.erasure_list import ErasureListFile, ListUnreadable, read_list
from footfall.application.ports.erasure_list import ListedErasure
from footfall.application.ports.journal import StoreUnavailable
from footfall.application.visitors.selectors import Selectors
from footfall.domain.visits.subject import Subject

NOON = datetime(2026, 11, 27, 12, tzinfo=UTC)
SITE = ListedErasure(site_id=7, at=NOON)
VISITOR = ListedErasure(site_id=1, at=NOON, erasure=UUID(int=3), selectors=("a", "b"))
SECRET = b"the secret of a server"


def test_erasures_are_listed_once_whatever_process_adds_them(tmp_path):
    path = tmp_path / "erasures.log"
    ErasureListFile(path, "check").add([SITE])
    before = path.read_bytes()

    ErasureListFile(path, "check").add([SITE, VISITOR])
    ErasureListFile(path, "check").add([VISITOR, SITE])

    assert path.read_bytes().startswith(before)
    assert read_list(path.read_bytes()).erasures == (("check", SITE), ("check", VISITOR))
    assert path.stat().st_mode & 0o777 == 0o600


def test_an_empty_list_tells_whose_it_is(tmp_path):
    ErasureListFile(tmp_path / "erasures.log", "check").add([])

    assert read_list((tmp_path / "erasures.log").read_bytes()).check == "check"


def test_a_list_goes_on_with_another_secret(tmp_path):
    path = tmp_path / "erasures.log"
    ErasureListFile(path, "former").add([SITE])

    ErasureListFile(path, "present").add([SITE, VISITOR])

    assert read_list(path.read_bytes()).erasures == (("former", SITE), ("present", VISITOR))


def test_a_list_goes_on_after_a_process_was_killed_anywhere_in_a_line(tmp_path):
    path = tmp_path / "erasures.log"
    ErasureListFile(path, "check").add([SITE])
    begun = len(path.read_bytes())
    ErasureListFile(path, "check").add([VISITOR])
    whole = path.read_bytes()

    for length in range(begun, len(whole)):
        path.write_bytes(whole[:length])
        ErasureListFile(path, "check").add([SITE, VISITOR])

        assert path.read_bytes() == whole


def test_a_part_of_a_line_is_cut_off_also_where_nothing_is_to_be_added(tmp_path):
    path = tmp_path / "erasures.log"
    ErasureListFile(path, "check").add([SITE])
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"visitor": "')

    ErasureListFile(path, "check").add([SITE])

    assert path.read_bytes() == whole


def test_lines_that_another_process_has_not_made_durable_are_made_so(tmp_path, monkeypatch):
    path = tmp_path / "erasures.log"
    ErasureListFile(path, "check").add([])
    synced = []

    def fail_once(file):
        synced.append(file)
        if len(synced) == 1:
            raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, "fsync", fail_once)
    with pytest.raises(StoreUnavailable):
        ErasureListFile(path, "check").add([SITE])

    ErasureListFile(path, "check").add([SITE])

    assert len(synced) == 2


@pytest.mark.parametrize(
    "content",
    [
        b"\0\0\0\n",
        b"[" * 100_000 + b"\n",
        b'{"secret": "x"}\n{"site": 1e999, "at": "2026-11-27T12:00:00+00:00"}\n',
        b"[]\n",
        b'{"site": 1, "at": "2026-11-27T12:00:00+00:00"}\n',
        b'{"secret": "x"}\n{"site": 1}\n',
        b'{"secret": "x"}\n{"site"',
    ],
)
def test_a_damaged_list_is_refused(content):
    with pytest.raises(ListUnreadable):
        read_list(content)


def test_a_damaged_list_is_not_continued(tmp_path):
    path = tmp_path / "erasures.log"
    path.write_bytes(b"no list\n")

    with pytest.raises(StoreUnavailable, match="damaged"):
        ErasureListFile(path, "check").add([SITE])

    assert path.read_bytes() == b"no list\n"


def test_a_list_behind_a_symbolic_link_is_refused(tmp_path):
    (tmp_path / "elsewhere").write_bytes(b"")
    (tmp_path / "erasures.log").symlink_to("elsewhere")

    with pytest.raises(StoreUnavailable, match="cannot be written"):
        ErasureListFile(tmp_path / "erasures.log", "check").add([SITE])


def test_a_list_names_no_one(tmp_path):
    subject = Subject(frozenset({"anna@example.com"}), frozenset({1234567890123}))
    erased = ListedErasure(
        site_id=1, at=NOON, erasure=UUID(int=1), selectors=Selectors(SECRET).of(1, subject)
    )

    ErasureListFile(tmp_path / "erasures.log", Selectors(SECRET).check).add([erased])

    text = (tmp_path / "erasures.log").read_text()
    assert not any(word in text for word in ("anna", "1234567890123", SECRET.decode(), SECRET.hex()))
    assert len(set(json.loads(text.splitlines()[1])["selectors"])) == 2


@given(st.frozensets(st.text()), st.frozensets(st.integers(-(2**63), 2**63 - 1)), st.integers(1, 9))
def test_selectors_find_those_whom_they_were_made_of(users, visitors, site):
    subject, selectors = Subject(users, visitors), Selectors(SECRET)

    wanted = selectors.of(site, subject)

    assert selectors.found(wanted, site, [*users, "another"], [*visitors, 2**70]) == subject
    assert selectors.found(wanted, site + 1, users, visitors) == Subject()
    assert Selectors(b"another secret of it").found(wanted, site, users, visitors) == Subject()
