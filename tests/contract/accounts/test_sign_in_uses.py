"""The contract of SignInUses."""

from datetime import timedelta

from footfall.application.ports.accounts.sign_in_uses import SignInUse
from footfall.domain.examples import NOON

HOUR = timedelta(hours=1)


def use(handle, *, user_id="1", device="Firefox on Linux", at=NOON):
    return SignInUse(handle=handle, user_id=user_id, device=device, last_used_at=at)


async def test_a_sign_in_that_was_never_used_is_not_in_it(sign_in_uses):
    await sign_in_uses.record([use("b"), use("a")])
    await sign_in_uses.record([])

    assert await sign_in_uses.of(["a", "c"]) == {"a": use("a")}
    assert await sign_in_uses.of([]) == {}


async def test_the_later_use_stays_with_its_browser(sign_in_uses):
    later = use("a", device="x" * 99 + "\U0001f600", at=NOON + HOUR)
    await sign_in_uses.record([later])
    await sign_in_uses.record([use("a")])

    assert await sign_in_uses.of(["a"]) == {"a": later}


async def test_the_uses_of_a_user_are_forgotten(sign_in_uses):
    await sign_in_uses.record([use("a"), use("b", user_id="2")])
    await sign_in_uses.forget_user("1")

    assert await sign_in_uses.of(["a", "b"]) == {"b": use("b", user_id="2")}


async def test_old_uses_are_forgotten(sign_in_uses):
    await sign_in_uses.record([use("a"), use("b", at=NOON + HOUR)])
    await sign_in_uses.forget_before(NOON + HOUR)

    assert set(await sign_in_uses.of(["a", "b"])) == {"b"}
