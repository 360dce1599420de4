"""Answers are the same bytes from memory, rows, sums of days and files, before and after a rebuild."""

import json
from contextlib import asynccontextmanager

import falcon.testing
import pytest
from attrs import evolve

from footfall.adapters.columns.files.catalogue import Catalogue
from footfall.adapters.columns.layout import FilesLayout
from footfall.adapters.columns.reader.engine import Engine
from footfall.adapters.columns.reports.report_reading import Columns
from footfall.adapters.http.resources.openapi import document
from footfall.adapters.memory.event_store import MemoryEventStore
from footfall.adapters.memory.metrics import MemoryMetrics
from footfall.adapters.memory.reports.snapshots import MemoryReportSnapshots
from footfall.adapters.memory.traffic_log import MemoryTrafficLog
from footfall.adapters.postgres.citations.report_snapshots import PostgresReportSnapshots
from footfall.adapters.postgres.reports.fresh_rows import PostgresFreshRowStore
from footfall.entrypoints.composition.projectors import rebuilding
from footfall.entrypoints.composition.reports import in_turns
from tests.application import build
from tests.http.resources.reports.questions import FILTERS, OTHERS, PERIOD, QUESTIONS, SITE, fill
from tests.stores.reading import EngineTurns
from tests.stores.stored import catch_up

KINDS = {
    "plain": ({}, "application/json"),
    "filtered": ({"filters": json.dumps(FILTERS)}, "application/json"),
    "csv": ({}, "text/csv"),
}


@pytest.fixture
async def filled(world, stored):
    """A site with goals, a funnel and some days of traffic."""
    await fill(world)
    await catch_up(stored.projector)
    return world


class Sources:
    """Asks all reports of a site, each source of reports through an application of its own."""

    def __init__(self, world, stores, stored, root):
        self.world, self.stores, self.stored = world, stores, stored
        self.layout = FilesLayout(root)
        self.layout.prepare()
        self.metrics = MemoryMetrics()
        self.groups = []
        self.kinds = KINDS

    async def of_memory(self):
        """Answer by the functions of the domain."""
        log, event_store = self.stores.log, self.stores.ports.event_store
        recorded = await log.read(after=0, up_to=await log.high_water_mark(), limit=9999)
        journal = MemoryEventStore(await event_store.read_all(after=0, limit=9999))
        return await self._ask(MemoryReportSnapshots(MemoryTrafficLog(recorded), journal))

    async def of_fresh_rows(self):
        """Answer by fresh rows alone."""
        return await self._ask(self.stored.snapshots())

    async def of_files(self):
        """Answer by files and fresh rows."""
        await self.stored.make_columns(self.layout.root)
        engine = Engine(self.layout.root)
        fresh = PostgresFreshRowStore(self.stored.reading)
        turns = EngineTurns(engine)
        columns = Columns(turns, Catalogue(self.layout), fresh, self.metrics)
        prepare = in_turns(turns, columns)
        found = await self._ask(PostgresReportSnapshots(self.stored.reading, self.stored.past, prepare))
        await engine.close()
        return found

    async def _ask(self, snapshots):
        async with self._application(snapshots) as client:
            return {
                (report, kind): await self._text(client, report, {**PERIOD, **own, **more}, accept)
                for report, own in QUESTIONS.items()
                for kind, (more, accept) in self.kinds.items()
            }

    async def _text(self, client, report, query, accept):
        if "{group}" in report and not self.groups:
            listed = await self.world.request("GET", f"{SITE}/errors", key="member", params=PERIOD)
            self.groups = [one["id"] for one in listed.json["data"]]
        path = f"{SITE}/{report}".replace("{group}", self.groups[0] if self.groups else "")
        headers = {"Authorization": f"Bearer {self.world.keys['member']}", "Accept": accept}
        answered = await client.simulate_get(path, params=query, headers=headers, remote_addr="127.0.0.1")
        assert answered.status_code == 200, (path, answered.text)
        return answered.content

    @asynccontextmanager
    async def _application(self, snapshots):
        built = build(evolve(self.stores.ports, report_snapshots=snapshots))
        await built.service.journal.directory.catch_up()
        async with falcon.testing.ASGIConductor(built.application) as client:
            yield client


@pytest.mark.parametrize("adapter", ["postgres"], indirect=True)
async def test_answers_are_the_same_bytes_whatever_their_source(filled, stores, stored, tmp_path):
    sources = Sources(filled, stores, stored, tmp_path)
    rows = await sources.of_fresh_rows()

    found = {"memory": await sources.of_memory()}
    found["files"] = await sources.of_files()
    async with rebuilding(stored.url) as rebuilt:
        await rebuilt.replay(lambda _position, _target: None)
        await rebuilt.exchange()
    # A file is written from the same answer as the document, whatever the source.
    sources.kinds = {kind: KINDS[kind] for kind in ("plain", "filtered")}
    found["rows of a rebuild"] = await sources.of_fresh_rows()
    found["files of a rebuild"] = await sources.of_files()

    differences = {source: _differences(rows, answers) for source, answers in found.items()}
    assert not any(differences.values()), differences
    assert sources.metrics.reports[""] > len(QUESTIONS)


def _differences(expected, answers):
    return {asked: (text, expected[asked]) for asked, text in answers.items() if text != expected[asked]}


def test_the_questions_are_all_reports_of_the_interface():
    described = {
        path.removeprefix("/api/sites/{site}/").replace("{goal}", "1").replace("{funnel}", "1")
        for path, methods in document()["paths"].items()
        if path.startswith("/api/sites/{site}/") and "Footfall-Positions" in _headers(methods.get("get", {}))
    }

    assert described == {*QUESTIONS, *OTHERS}


def _headers(operation):
    described = operation.get("responses", {}).get("200", {})
    if "$ref" in described:
        described = document()["components"]["responses"][described["$ref"].rpartition("/")[2]]
    return described.get("headers", {})
