"""An automaton: finds out in linear time whether an expression occurs in a text, however hostile both are."""

from collections.abc import Iterable

from attrs import field, frozen

from footfall.domain.expression import Chain, Characters, Choice, End, Expression, Repeat, Start

# Every combination of states that was met is remembered with where a character leads; this many fit.
_MAX_REMEMBERED = 10_000
_DONE = 0


@frozen
class _Read:
    characters: Characters
    after: int


@frozen
class _Fork:
    after: tuple[int, ...]


@frozen
class _AtStart:
    after: int


@frozen
class _AtEnd:
    after: int


@frozen
class _Place:
    at_start: bool = field(default=False, kw_only=True)
    at_end: bool = field(default=False, kw_only=True)


_State = _Read | _Fork | _AtStart | _AtEnd
_States = frozenset[int]


class Automaton:
    """The states of an expression; all possible ones are followed at once, so that nothing is tried twice."""

    def __init__(self, expression: Expression) -> None:
        # The state 0 is the end of the search; what stands in its place is never looked at.
        self._states: list[_State] = [_Fork(())]
        entry = self._build(expression, _DONE)
        self._first = self._reach((entry,), _Place(at_start=True))
        self._again = self._reach((entry,), _Place())
        self._steps: dict[tuple[_States, str], _States] = {}

    def occurs_in(self, text: str) -> bool:
        """Whether the expression matches the text or any part of it."""
        current = self._first
        for character in text:
            if _DONE in current:
                return True
            if not current:
                return False
            current = self._step(current, character)
        return _DONE in self._reach(current, _Place(at_start=not text, at_end=True))

    def _step(self, current: _States, character: str) -> _States:
        known = self._steps.get((current, character))
        if known is not None:
            return known
        read = (self._states[state] for state in current)
        moved = [state.after for state in read if isinstance(state, _Read) and character in state.characters]
        following = self._reach(moved, _Place()) | self._again
        if len(self._steps) >= _MAX_REMEMBERED:
            self._steps.clear()
        self._steps[current, character] = following
        return following

    def _reach(self, states: Iterable[int], place: "_Place") -> _States:
        reached = set[int]()
        waiting = list(states)
        while waiting:
            index = waiting.pop()
            if index not in reached:
                reached.add(index)
                waiting += self._onward(index, place)
        return frozenset(index for index in reached if index == _DONE or self._stays(index))

    def _onward(self, index: int, place: "_Place") -> tuple[int, ...]:
        match self._states[index]:
            case _Fork(after):
                return after
            case _AtStart(after) if place.at_start:
                return (after,)
            case _AtEnd(after) if place.at_end:
                return (after,)
            case _:
                return ()

    def _stays(self, index: int) -> bool:
        return isinstance(self._states[index], _Read | _AtEnd)

    def _add(self, state: _State) -> int:
        self._states.append(state)
        return len(self._states) - 1

    def _build(self, expression: Expression, after: int) -> int:
        match expression:
            case Characters():
                return self._add(_Read(expression, after))
            case Start():
                return self._add(_AtStart(after))
            case End():
                return self._add(_AtEnd(after))
            case Chain(parts):
                return self._build_chain(parts, after)
            case Choice(branches):
                return self._add(_Fork(tuple(self._build(branch, after) for branch in branches)))
            case Repeat():
                return self._build_repeat(expression, after)

    def _build_chain(self, parts: Iterable[Expression], after: int) -> int:
        for part in reversed(tuple(parts)):
            after = self._build(part, after)
        return after

    def _build_repeat(self, repeat: Repeat, after: int) -> int:
        if repeat.most is None:
            entry = self._add(_Fork(()))
            self._states[entry] = _Fork((self._build(repeat.part, entry), after))
        else:
            entry = after
            for _ in range(repeat.most - repeat.least):
                entry = self._add(_Fork((self._build(repeat.part, entry), after)))
        return self._build_chain([repeat.part] * repeat.least, entry)
