"""What a reading process that was killed has left of a site goes when the rows of the site are to be forgotten."""

import pytest

from footfall.adapters.columns.locks import holding
from footfall.adapters.columns.reader.client import ReaderAway, ReaderTurns
from footfall.adapters.columns.reader.socket_place import SocketPlace


@pytest.fixture
def place(tmp_path):
    """The place of a process that has ended without removing what it had written."""
    place = SocketPlace(tmp_path)
    for name in ("spill", "fresh"):
        (place.columns / name).mkdir(parents=True)
        (place.columns / name / "rows.tmp").touch()
    return place


def left(place):
    return sorted(path.parent.name for path in place.columns.rglob("*.tmp"))


@pytest.mark.parametrize("has_socket", [False, True])
async def test_rows_of_a_process_that_has_ended_go_at_once(place, has_socket):
    place.prepare()
    if has_socket:
        place.socket.touch()

    await ReaderTurns(place).forget(1)

    assert left(place) == []


@pytest.mark.parametrize("has_socket", [False, True])
async def test_rows_stay_while_a_worker_keeps_a_process_that_may_use_them(place, has_socket):
    place.prepare()
    if has_socket:
        place.socket.touch()

    async with holding(place.lock):
        with pytest.raises(ReaderAway):
            await ReaderTurns(place).forget(1)

    assert left(place) == ["fresh", "spill"]


async def test_rows_that_cannot_be_removed_are_not_taken_for_forgotten(place, monkeypatch):
    place.prepare()
    monkeypatch.setattr("os.unlink", refuse)

    with pytest.raises(PermissionError):
        await ReaderTurns(place).forget(1)


def refuse(*_arguments, **_options):
    raise PermissionError
