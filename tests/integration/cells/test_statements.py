"""What an event costs on servers that do not hold its site."""

import psycopg
from attrs import evolve

from footfall.adapters.postgres.cells.places import claim, url_of_cell
from footfall.adapters.postgres.intake.intake import PostgresIntake
from footfall.application.cells.intake import CellIntake
from footfall.application.ports.traffic_log import Submission
from footfall.domain.tracking.admission import Admission, AdmissionOutcome, PendingHit, RateLimitCharge
from footfall.domain.tracking.rate_limit import RateLimit
from tests.background import in_background
from tests.histories import hit
from tests.waiting import until

CELLS = {1: "west", 2: "east"}
SOMEONE = (
    "select count(*) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()"
)


class Counting:
    """The store of the journal, which is asked for charges only."""

    def __init__(self):
        self.asked = []

    async def submit(self, submission):
        self.asked.append(submission)
        return Admission(())


async def test_an_event_asks_no_server_but_that_of_its_cell_and_for_the_charge_of_its_key(
    west, empty_database_url
):
    east = url_of_cell("east", empty_database_url)
    claim(east, "east", "mark of east", 2)
    main, intakes = Counting(), {"west": PostgresIntake(west), "east": PostgresIntake(east)}
    routed = CellIntake(main, lambda: CELLS, intakes.__getitem__)
    pending = PendingHit(evolve(hit(), site_id=1))
    async with in_background(west=intakes["west"].run, east=intakes["east"].run):
        for _ in range(20):
            await routed.submit(Submission((pending,)))
        batch = await routed.submit(Submission((pending,) * 20))
        unasked = list(main.asked)
        await routed.submit(Submission((pending,), RateLimitCharge(7, RateLimit(3, 600), 1)))

        # An intake connects with its first hits, and stays: without a connection there was no statement. The one that
        # made the cell may still be on its way out.
        with psycopg.connect(empty_database_url, autocommit=True) as connection:
            await until(lambda: connection.execute(SOMEONE).fetchone() == (0,))

    assert batch.outcomes == (AdmissionOutcome.STORED,) * 20
    assert (unasked, [one.pending for one in main.asked]) == ([], [()])
