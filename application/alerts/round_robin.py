"""Round robin: pieces of work of several groups side by side, so that a slow group keeps no other one waiting."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Generic, TypeVar

from attrs import field, frozen

Item = TypeVar("Item")
Result = TypeVar("Result")


@frozen(kw_only=True)
class Taken(Generic[Result]):
    """The results of turns, and the failures that ended some of them."""

    results: Sequence[Result] = field(factory=list)
    failures: Sequence[BaseException] = field(factory=list)


async def take_turns(
    groups: Iterable[Sequence[Item]],
    work: Callable[[Item], Awaitable[Result]],
    *,
    at_once: int,
    seconds: float,
) -> Taken[Result]:
    """Work on the items of each group one after the other, on so many groups at once.

    A group gets its next piece of work done after those of the groups that waited before it, and no more when its
    pieces have taken so many seconds together.
    """
    slots, loop = asyncio.Semaphore(at_once), asyncio.get_running_loop()
    results: list[Result] = []

    async def turn(items: Sequence[Item]) -> None:
        spent = 0.0
        for item in items:
            if spent >= seconds:
                return
            async with slots:
                began = loop.time()
                results.append(await work(item))
                spent += loop.time() - began

    ends = await asyncio.gather(*map(turn, groups), return_exceptions=True)
    return Taken(results=results, failures=[end for end in ends if end is not None])
