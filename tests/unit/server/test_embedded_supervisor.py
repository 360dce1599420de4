import logging
import threading
import time

from footfall.adapters.embedded.supervisor import Pace, Supervisor
from tests.waiting import LONG

QUICK = Pace(look=0.005, first_pause=0.02, longest_pause=0.05, steady=60.0)


class Refused(Exception):
    pass


class Patient:
    """Something that dies until it was revived often enough, and remembers when."""

    def __init__(self, *, failures):
        self.failures = failures
        self.revivals = []
        self.well = threading.Event()

    def alive(self):
        return self.well.is_set()

    def revive(self):
        self.revivals.append(time.monotonic())
        if len(self.revivals) <= self.failures:
            raise Refused("not yet")
        self.well.set()


def watched(patient):
    return Supervisor(alive=patient.alive, revive=patient.revive, failure=Refused, pace=QUICK)


def test_what_ended_is_brought_back():
    patient = Patient(failures=0)
    supervisor = watched(patient)

    supervisor.start()

    assert patient.well.wait(LONG)
    supervisor.stop()
    assert len(patient.revivals) == 1


def test_attempts_that_fail_are_logged_and_repeated_with_growing_pauses(caplog):
    patient = Patient(failures=4)
    supervisor = watched(patient)

    with caplog.at_level(logging.ERROR):
        supervisor.start()
        assert patient.well.wait(LONG)
    supervisor.stop()

    assert [record.getMessage() for record in caplog.records] == ["not yet"] * 4
    between = [
        later - earlier for earlier, later in zip(patient.revivals, patient.revivals[1:], strict=False)
    ]
    assert between[0] >= QUICK.first_pause
    assert min(between[2:]) >= QUICK.longest_pause * 0.8


def test_nothing_is_brought_back_after_the_watch_has_ended():
    patient = Patient(failures=0)
    patient.well.set()
    supervisor = watched(patient)
    supervisor.start()

    supervisor.stop()
    patient.well.clear()
    time.sleep(10 * QUICK.look)

    assert patient.revivals == []
