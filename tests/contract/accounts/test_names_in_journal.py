"""Names that users gave to their keys and passkeys are erased from the journal."""

from attrs import evolve

from footfall.application.ports.journal import Actor, Metadata
from footfall.domain.accounts.api_key import ApiKeyIssued, ApiKeyRevoked
from footfall.domain.accounts.user import PasskeyRegistered
from footfall.domain.examples import NOON

METADATA = Metadata(Actor("1"), NOON, "request")
NAME = "Eve's laptop \U0001f600"


def issued(key_id, user_id):
    return ApiKeyIssued(
        key_id=key_id, user_id=user_id, name=NAME, digest="d", prefix="ff_abcde", expires_at=None
    )


async def test_the_names_of_a_user_are_erased_and_all_else_stays(event_store, names_in_journal):
    streams = {
        "apikey-1": [issued(1, "1"), ApiKeyRevoked()],
        "apikey-2": [issued(2, "11")],
        "user-1": [PasskeyRegistered(passkey_id="p", name=NAME)],
        "user-11": [PasskeyRegistered(passkey_id="p", name=NAME)],
    }
    for stream, events in streams.items():
        await event_store.append(stream, events, expected=0, metadata=METADATA)
    before = {stream: await event_store.load(stream) for stream in streams}

    await names_in_journal.forget_user("1")
    await names_in_journal.forget_user("1")

    after = {stream: await event_store.load(stream) for stream in streams}
    for stream in ("apikey-1", "user-1"):
        first, *rest = before[stream]
        assert after[stream] == [evolve(first, event=evolve(first.event, name="")), *rest]
    assert {stream: after[stream] for stream in ("apikey-2", "user-11")} == {
        stream: before[stream] for stream in ("apikey-2", "user-11")
    }
