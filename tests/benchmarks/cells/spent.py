"""The processor time of servers."""

import psutil

from tests.processes import children_of


def spent_by(server):
    """Return the processor seconds of a server's processes, those that have ended included."""
    postmaster = psutil.Process(server.process.pid)
    ended = postmaster.cpu_times()
    return ended.children_user + ended.children_system + sum(map(_spent, children_of(postmaster)))


def _spent(process):
    try:
        return sum(process.cpu_times()[:2])
    except psutil.NoSuchProcess:
        return 0.0
