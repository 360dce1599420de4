"""Stacks as written: the frames of minified files, looked up in the maps of their release when a stack is read."""

import asyncio
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

from attrs import define, field, frozen

from footfall.application.ports.errors.source_maps import SourceMaps, Symbolicator, UnreadableSourceMap
from footfall.application.ports.system import Clock
from footfall.domain.error_tracking.fingerprint import stack_text
from footfall.domain.error_tracking.occurrence import Occurrence
from footfall.domain.error_tracking.source_maps import (
    MissingMap,
    Original,
    SourcedStack,
    StackLine,
    minified_file,
    names_of,
)
from footfall.domain.error_tracking.stack_trace import Frame, lines

# An answer waits no longer for maps; the rest of its stacks stays as it was sent, and the next answer goes on.
SECONDS = 10.0
# Files that one answer reads at most.
MOST_READ = 10
# Positions that are remembered, about a kilobyte each, and how long an unreadable map is left alone.
REMEMBERED = 5_000
PATIENCE = timedelta(minutes=10)

_Place = tuple[str, int, int]


@frozen
class _Stack:
    release: str
    lines: Sequence[tuple[str, Frame | None]]

    @property
    def frames(self) -> list[Frame]:
        """The frames that a map can tell more of."""
        return [frame for _, frame in self.lines if frame is not None and frame.column_number]


@frozen
class _MappedFile:
    release: str
    name: str
    digest: str


@define
class SourceStacks:
    """Shows stacks as written; without a Symbolicator all stacks stay as they were sent.

    What was looked up is remembered by the digest of the file, so that an upload that replaces one is seen at once.
    """

    _maps: SourceMaps
    _symbolicator: Symbolicator | None
    _clock: Clock
    _seconds: float = SECONDS
    _originals: "OrderedDict[_Place, Original | None]" = field(factory=OrderedDict, init=False)
    _unreadable: "OrderedDict[str, datetime]" = field(factory=OrderedDict, init=False)

    async def of(self, site_id: int, occurrences: Sequence[Occurrence]) -> list[SourcedStack | None]:
        """Return the stack of each occurrence as written; None where no file of its release is kept.

        Raises:
            StoreUnavailable: the store does not answer.

        """
        stacks = [_read(occurrence) for occurrence in occurrences]
        if self._symbolicator is None or not any(stacks):
            return [None for _ in stacks]
        files = await self._files(site_id, [stack for stack in stacks if stack])
        with suppress(TimeoutError):
            async with asyncio.timeout(self._seconds):
                await self._look_up(site_id, self._symbolicator, _wanted(stacks, files))
        return [None if stack is None else self._sourced(stack, files) for stack in stacks]

    async def missing(self, site_id: int, occurrences: Sequence[Occurrence]) -> list[MissingMap | None]:
        """Return of each occurrence the minified file for whose release no maps are kept; None of others.

        Raises:
            StoreUnavailable: the store does not answer.

        """
        files = [_minified(occurrence) for occurrence in occurrences]
        releases = {file.release for file in files if file is not None and file.release is not None}
        kept = await self._maps.with_maps(site_id, releases) if releases else frozenset[str]()
        return [None if file is None or file.release in kept else file for file in files]

    async def _files(self, site_id: int, stacks: Iterable[_Stack]) -> Mapping[tuple[str, str], _MappedFile]:
        """Return the kept files of frames, by release and the name of the file in the frame."""
        frames = {(stack.release, frame.file_name): frame for stack in stacks for frame in stack.frames}
        names: dict[str, list[str]] = {}
        for (release, _), frame in frames.items():
            names.setdefault(release, []).extend(names_of(frame))
        stored = await self._maps.known(site_id, names)
        files = {}
        for (release, file_name), frame in frames.items():
            # The longest name comes first.
            name_in_store = next((name for name in names_of(frame) if (release, name) in stored), None)
            if name_in_store is not None:
                files[release, file_name] = _MappedFile(
                    release, name_in_store, stored[release, name_in_store]
                )
        return files

    async def _look_up(
        self,
        site_id: int,
        symbolicator: Symbolicator,
        wanted: Mapping[_MappedFile, Sequence[tuple[int, int]]],
    ) -> None:
        missing = {
            file: [location for location in places if (file.digest, *location) not in self._originals]
            for file, places in wanted.items()
            if not self._is_unreadable(file.digest)
        }
        due = [(file, places) for file, places in missing.items() if places]
        for file, places in due[:MOST_READ]:
            packed = await self._maps.read(site_id, file.release, file.name)
            if packed is None:
                continue
            try:
                content = await asyncio.to_thread(packed.unpacked)
                originals = await symbolicator.originals(content, places)
            except UnreadableSourceMap:
                _remember(self._unreadable, file.digest, self._clock.now())
                continue
            for location, original in zip(places, originals, strict=True):
                _remember(self._originals, (packed.digest, *location), original)

    def _is_unreadable(self, digest: str) -> bool:
        since = self._unreadable.get(digest)
        return since is not None and self._clock.now() - since < PATIENCE

    def _sourced(self, stack: _Stack, files: Mapping[tuple[str, str], _MappedFile]) -> SourcedStack | None:
        shown, unreadable = [], {}
        for text, frame in stack.lines:
            file = None if frame is None else files.get((stack.release, frame.file_name))
            if frame is None or file is None:
                shown.append(StackLine(text))
                continue
            location = (file.digest, frame.line_number, frame.column_number or 0)
            shown.append(StackLine(text, self._originals.get(location)))
            if self._is_unreadable(file.digest):
                unreadable[file.name] = True
        sourced = SourcedStack(shown, tuple(unreadable))
        return sourced if sourced.is_mapped or sourced.unreadable else None


def _minified(occurrence: Occurrence) -> MissingMap | None:
    frames = (frame for _, frame in lines(stack_text(occurrence.details)) if frame is not None)
    name = minified_file(frames)
    return None if name is None else MissingMap(occurrence.hit.release, name)


def _read(occurrence: Occurrence) -> _Stack | None:
    release, details = occurrence.hit.release, occurrence.details
    if release is None:
        return None
    # The trace is without its message, so that none has to be found in it.
    return _Stack(release, list(lines(stack_text(details))))


def _wanted(
    stacks: Iterable[_Stack | None], files: Mapping[tuple[str, str], _MappedFile]
) -> Mapping[_MappedFile, Sequence[tuple[int, int]]]:
    wanted: dict[_MappedFile, dict[tuple[int, int], bool]] = {}
    for stack in stacks:
        for frame in stack.frames if stack else ():
            file = files.get((stack.release, frame.file_name)) if stack else None
            if file is not None and frame.column_number:
                wanted.setdefault(file, {})[frame.line_number, frame.column_number] = True
    return {file: list(places) for file, places in wanted.items()}


def _remember(cache: "OrderedDict[Any, Any]", key: object, value: object) -> None:
    cache[key] = value
    cache.move_to_end(key)
    while len(cache) > REMEMBERED:
        cache.popitem(last=False)
