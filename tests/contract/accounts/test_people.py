"""The contract of People."""

from datetime import timedelta

import pytest
from attrs import evolve

from footfall.domain.accounts.person import AddressTaken, Person
from footfall.domain.examples import NOON

LONGEST = f"{'a' * 64}@{'.'.join(['b' * 60] * 3)}.example"
ANN = Person(user_id="1", name="Ann \U0001f600", address="Ann@example.com", address_verified_at=NOON)
BOB = Person(user_id="2", name="n" * 100, address=LONGEST)


async def test_persons_are_found_by_user(people):
    for person in (ANN, BOB):
        await people.save(person)

    assert await people.of(["1", "2", "2", "3"]) == {"1": ANN, "2": BOB}
    assert await people.of([]) == {}


async def test_times_are_kept_to_the_microsecond(people):
    exact = evolve(ANN, address_verified_at=NOON + timedelta(microseconds=1))
    await people.save(exact)

    assert await people.of(["1"]) == {"1": exact}


async def test_a_later_person_replaces_the_earlier_one(people):
    await people.save(ANN)
    await people.save(Person(user_id="1", name="Anna"))

    assert await people.of(["1"]) == {"1": Person(user_id="1", name="Anna")}


async def test_a_verified_address_finds_its_person_in_any_letter_case(people):
    await people.save(ANN)

    assert await people.by_verified_address("aNN@EXAMPLE.com") == ANN


async def test_an_address_that_is_not_verified_finds_nobody(people):
    await people.save(BOB)

    assert await people.by_verified_address(LONGEST) is None


async def test_several_users_may_have_an_address_that_is_not_verified(people):
    await people.save(ANN)
    await people.save(evolve(BOB, address="ann@example.com"))

    assert await people.by_verified_address("ann@example.com") == ANN


async def test_two_users_never_verify_the_same_address(people):
    await people.save(ANN)

    with pytest.raises(AddressTaken):
        await people.save(evolve(ANN, user_id="2", address="ann@EXAMPLE.com"))

    assert await people.of(["1", "2"]) == {"1": ANN}


async def test_a_verified_person_can_be_saved_again(people):
    await people.save(ANN)
    await people.save(evolve(ANN, name="Anna"))

    assert await people.by_verified_address("ann@example.com") == evolve(ANN, name="Anna")


async def test_a_forgotten_person_is_gone_and_frees_the_address(people):
    await people.save(ANN)
    await people.forget("1")
    await people.forget("1")
    await people.save(evolve(ANN, user_id="2"))

    assert await people.of(["1", "2"]) == {"2": evolve(ANN, user_id="2")}
