"""The processor time of servers."""

import psutil

from tests.processes import children_of


def spent_by(server):
    """Return the processor seconds of a server's processes, those that have ended included."""
    postmaster = psutil.Process(server.process.pid)
    ended = postmaster.cpu_times()
    living = [one.cpu_times() for one in children_of(postmaster)]
    return ended.children_user + ended.children_system + sum(one.user + one.system for one in living)
