"""Logs that are followed bring each of their lines once, whatever becomes of their files meanwhile."""

import gzip
import os
import random
import shutil

import pytest

from footfall.adapters.sources.followed_logs import FollowedLogs
from footfall.adapters.sources.reading.line_files import LineFile
from footfall.application.ports.imports import UnreadableSource
from tests.generated import at_length

LINE = '192.0.2.7 - - [10/Oct/2023:13:{:02}:{:02} +0000] "GET /{} HTTP/1.1" 200 1 "-" "Mozilla/5.0 Firefox/120.0"\n'


class Server:
    """A server that writes a log, and what rotates it; each write is later than the one before."""

    def __init__(self, folder, name="access.log"):
        self.log = folder / name
        self.written = 0
        self._at = 1_700_000_000_000_000_000
        self.log.touch()

    def write(self, lines=1):
        text = ""
        for _ in range(lines):
            text += LINE.format(self.written // 60 % 60, self.written % 60, self.written)
            self.written += 1
        with self.log.open("a") as log:
            log.write(text)
        self._touch(self.log)

    def rotate(self):
        self._move_on()
        self.log.rename(self._numbered(1))
        self.log.touch()
        self._touch(self.log)

    def copy_and_cut(self):
        self._move_on()
        shutil.copy2(self.log, self._numbered(1))
        self._touch(self._numbered(1))
        os.truncate(self.log, 0)
        self._touch(self.log)

    def compress(self):
        first = self._numbered(1)
        if first.exists():
            packed = first.with_name(first.name + ".gz")
            packed.write_bytes(gzip.compress(first.read_bytes()))
            shutil.copystat(first, packed)
            first.unlink()

    def _numbered(self, number):
        return self.log.with_name(f"{self.log.name}.{number}")

    def _move_on(self):
        for number in range(50, 0, -1):
            for end in ("", ".gz"):
                path = self.log.with_name(f"{self.log.name}.{number}{end}")
                if path.exists():
                    path.rename(self.log.with_name(f"{self.log.name}.{number + 1}{end}"))

    def _touch(self, path):
        self._at += 1_000_000
        os.utime(path, ns=(self._at, self._at))


class Watched(FollowedLogs):
    """Logs to which something happens during a look."""

    meanwhile = None

    def _chosen(self, *known, **begun):
        chosen = super()._chosen(*known, **begun)
        if self.meanwhile is not None:
            self.meanwhile()
        return chosen


class Follower:
    """What one process after the other has read; the mark outlives each."""

    def __init__(self, *paths):
        self.paths, self.mark, self.read = paths, None, []
        self.restart()

    def restart(self):
        self.source = Watched(self.paths, "example.com")

    def look(self, meanwhile=None):
        """Read what is new; `meanwhile` happens between the choice of files and their reading."""
        if self.source.has_changed():
            self.source.meanwhile = meanwhile
            for piece in self.source.pieces(self.mark):
                self.read += [int(row.pathname[1:]) for row in piece.rows]
                self.mark = piece.mark
        return self.read


@pytest.fixture
def server(tmp_path):
    return Server(tmp_path)


@pytest.fixture
def follower(server):
    return Follower(server.log)


def test_lines_are_read_as_they_come_and_nothing_is_done_without_any(server, follower):
    server.write(2)
    assert follower.look() == [0, 1]
    assert not follower.source.has_changed()
    server.write(1)

    assert follower.look() == [0, 1, 2]


def test_a_line_is_read_when_its_end_is_there(server, follower):
    with server.log.open("a") as log:
        log.write(LINE.format(0, 0, 0)[:40])
    assert follower.look() == []
    with server.log.open("a") as log:
        log.write(LINE.format(0, 0, 0)[40:])

    assert follower.look() == [0]


def test_a_log_that_is_not_there_yet_is_waited_for(tmp_path):
    follower = Follower(tmp_path / "access.log")
    assert follower.look() == []
    Server(tmp_path).write()

    assert follower.look() == [0]


def test_the_rest_of_a_rotated_log_is_read(server, follower):
    server.write(2)
    follower.look()
    server.write(1)
    server.rotate()
    server.write(1)

    assert sorted(follower.look()) == [0, 1, 2, 3]


@pytest.mark.parametrize("restarted", [False, True])
@pytest.mark.parametrize("compressed", [False, True])
def test_what_was_rotated_several_times_between_two_looks_is_read(server, follower, restarted, compressed):
    server.write(2)
    follower.look()
    for _ in range(3):
        server.write(2)
        server.rotate()
        if compressed:
            server.compress()
    server.write(1)
    if restarted:
        follower.restart()

    assert sorted(follower.look()) == list(range(9))


def test_a_log_that_is_copied_and_cut_is_read_on(server, follower):
    server.write(2)
    follower.look()
    server.write(1)
    server.copy_and_cut()
    server.write(1)

    assert sorted(follower.look()) == [0, 1, 2, 3]


def test_rotated_logs_from_before_are_left_to_an_import(server, follower):
    server.write(2)
    server.rotate()
    server.write(1)
    follower.look()
    follower.restart()
    server.write(1)

    assert follower.look() == [2, 3]


def test_a_log_whose_read_files_are_all_gone_is_read_whole(server, follower):
    server.write(2)
    follower.look()
    server.log.unlink()
    server.log.touch()
    server.write(2)
    server.rotate()
    server.write(1)

    assert sorted(follower.look()) == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(
    "name", ["access.log-20231010", "access.log-20231010.gz", "access-2023-10-10T13-55-36.000.log"]
)
def test_rotated_logs_have_numbers_dates_or_times(server, follower, name):
    server.write(2)
    follower.look()
    server.write(1)
    rotated = server.log.with_name(name)
    data = server.log.read_bytes()
    rotated.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    server.log.unlink()

    assert follower.look() == [0, 1, 2]


@pytest.mark.parametrize(
    "name", ["access.log.bak", "access.log.1.swp", "access-2.log", "other.log.1", "access.logs"]
)
def test_other_files_are_none_of_the_log(server, follower, name):
    server.write(1)
    follower.look()
    server.log.with_name(name).write_text(LINE.format(1, 1, 77))

    assert follower.look() == [0]


def test_a_log_whose_read_lines_have_changed_is_refused(server, follower):
    server.write(2)
    follower.look()
    text = server.log.read_text()
    server.log.write_text(text.replace("GET /1", "GET /7") + text)

    with pytest.raises(UnreadableSource, match="are not those that were imported before"):
        follower.look()


@pytest.mark.parametrize("moved", [Server.rotate, Server.copy_and_cut])
@pytest.mark.parametrize("before", [0, 2])
def test_a_log_that_is_rotated_during_a_look_is_read_to_its_end(server, follower, moved, before):
    server.write(before)
    follower.look()
    server.write(2)

    follower.look(lambda: (server.write(1), moved(server), server.write(1)))

    assert sorted(follower.look()) == list(range(before + 4))


def test_a_log_that_was_copied_before_a_look_and_is_cut_during_it_is_read_in_its_copy(server, follower):
    server.write(2)
    shutil.copy2(server.log, server.log.with_name("access.log.1"))

    follower.look(lambda: (os.truncate(server.log, 0), server.write(1)))

    assert sorted(follower.look()) == [0, 1, 2]


@pytest.mark.parametrize("restarted", [False, True])
@pytest.mark.parametrize("part", [0, 30, 2_000, None])
def test_a_file_that_is_being_packed_is_read_when_that_is_done(server, follower, part, restarted):
    server.write(20_000)
    follower.look()
    server.write(1)
    server.rotate()
    rotated = server.log.with_name("access.log.1")
    packed = gzip.compress(rotated.read_bytes())
    server.log.with_name("access.log.1.gz").write_bytes(packed[:part])
    assert len(follower.look()) == 20_001
    server.write(1)
    if restarted:
        follower.restart()
    assert len(follower.look()) == 20_002
    server.log.with_name("access.log.1.gz").write_bytes(packed)
    rotated.unlink()
    server.write(1)

    assert sorted(follower.look()) == list(range(20_003))


def test_a_folder_with_the_name_of_a_rotated_log_is_none(server, follower):
    server.write(1)
    server.log.with_name("access.log.1").mkdir()

    assert follower.look() == [0]


@pytest.mark.parametrize("lines", [1, 30])
def test_a_log_that_is_cut_and_grows_longer_during_a_look_is_read_in_its_copy(server, follower, lines):
    server.write(lines)
    follower.look()
    server.write(1)
    follower.look(lambda: (server.copy_and_cut(), server.write(lines + 5)))

    assert sorted(follower.look()) == list(range(2 * lines + 6))


def test_what_was_read_and_not_stored_is_read_again(server, follower):
    server.write(2)
    list(follower.source.pieces(None))
    follower.source.look_again()

    assert follower.look() == [0, 1]


def test_a_file_that_takes_the_place_of_another_is_not_read_under_its_name(server):
    server.write(2)
    file = LineFile(server.log)
    first = file.first_line()
    server.rotate()
    server.write(1)

    with pytest.raises(UnreadableSource, match="another file has taken its place"):
        list(file.read(None, first=first))


def test_a_long_log_is_not_read_again_from_its_beginning(server, follower):
    server.write(3_000)
    follower.look()
    file = LineFile(server.log)
    list(file.read(None))
    # The first line stays: it tells which file this is. Another one between would be told from what was read.
    with server.log.open("r+") as log:
        log.seek(len(LINE.format(0, 0, 0)))
        log.write("x" * 1_000)
    server.write(1)

    assert follower.look() == list(range(3_001))
    with pytest.raises(UnreadableSource, match="are not those that were imported before"):
        list(LineFile(server.log).read(file.mark()))


@pytest.mark.parametrize("seed", range(at_length(slow=40, thorough=2_000)))
def test_each_line_is_read_once_whatever_happens(tmp_path, seed):
    chance = random.Random(seed)
    servers = [Server(tmp_path, name) for name in ("access.log", "other.log")[: chance.randrange(1, 3)]]
    for number, server in enumerate(servers):
        server.written = 1_000_000 * number
        server.write()
    follower = Follower(*[server.log for server in servers])
    follower.look()
    for _ in range(chance.randrange(30)):
        server = chance.choice(servers)
        match chance.randrange(9):
            case 0 | 1 | 2:
                server.write(chance.randrange(1, 4))
            case 3:
                server.rotate()
            case 4:
                server.copy_and_cut()
            case 5:
                server.compress()
            case 6:
                follower.restart()
            case 7:
                follower.look()
            case 8:
                happening = chance.choice((Server.write, Server.rotate, Server.copy_and_cut, Server.compress))
                follower.look(lambda server=server, happening=happening: happening(server))

    follower.look()
    read = sorted(follower.look())

    assert read == [
        line for number, server in enumerate(servers) for line in range(1_000_000 * number, server.written)
    ]
