"""A change that is stored is done, also when the journal cannot be read right after it."""

import pytest
from attrs import define, evolve

from footfall.adapters.memory.event_store import MemoryEventStore
from footfall.adapters.user_agent import UaParserUserAgents
from footfall.application.commands.context import CommandContext
from footfall.application.ports.journal import StoreUnavailable
from footfall.entrypoints.composition.service import build_journal
from tests.application import SECRET, Surroundings, memory_stores

CONTEXT = CommandContext()


@define
class Away(MemoryEventStore):
    """A journal that is not there at the first read after each append."""

    is_away: bool = False

    async def append(self, *arguments, **named):
        await super().append(*arguments, **named)
        self.is_away = True

    async def read_all(self, **named):
        if self.is_away:
            self.is_away = False
            raise StoreUnavailable
        return await super().read_all(**named)


@pytest.fixture
def journal():
    around = Surroundings(user_agents=UaParserUserAgents())
    return build_journal(evolve(memory_stores(around).ports, event_store=Away()), lambda: SECRET)


async def test_what_belongs_to_an_event_is_stored_with_it(journal, caplog):
    people = journal.commands.people

    user = await people.register(CONTEXT, name="Anna", address="anna@example.com")

    assert (await people.of(user)).address == "anna@example.com"
    assert [record.message for record in caplog.records] == ["a change is stored that cannot be read yet"]


async def test_a_change_that_could_not_be_read_is_read_later(journal):
    organizations = journal.commands.organizations
    owner = await journal.commands.people.register(CONTEXT)
    organization = await organizations.register(name="Acme", owner=owner, context=CONTEXT)

    await organizations.rename(organization, "Acme Inc.", CONTEXT)
    await journal.directory.catch_up()

    assert journal.directory.organization(organization).organization.name == "Acme Inc."
