"""Maps are read in a process of its own: what they tell, and what a hostile one can do."""

import asyncio
import json

import pytest

from footfall.adapters.symbolication.process import ProcessSymbolicator
from footfall.application.ports.errors.source_maps import UnreadableSourceMap
from footfall.domain.error_tracking.source_maps import MinifiedFile
from tests.source_maps import CODE, THROWN, WRITTEN, mappings, source_map


def file(code=CODE, text=None):
    return MinifiedFile(code.encode(), (source_map() if text is None else text).encode())


async def test_a_place_is_found_as_written_with_the_lines_around():
    [found, nothing] = await ProcessSymbolicator(seconds=60.0).originals(file(), [THROWN, (99, 1)])

    assert (found.line_number, found.column_number) == WRITTEN
    assert (found.file_name, found.function) == ("webpack:///src/pay.js", "pay")
    assert found.line == "    throw new Error('no amount');"
    assert found.before == ("function pay(amount) {", "  if (!amount) {")
    assert found.after[:2] == ("  }", "}")
    assert nothing is None


async def test_a_map_without_source_text_tells_places_alone():
    [found] = await ProcessSymbolicator(seconds=60.0).originals(
        file(text=source_map(sourcesContent=None)), [THROWN]
    )

    assert (found.line_number, found.line, found.before, found.after) == (WRITTEN[0], "", (), ())


async def test_long_lines_and_names_of_a_map_are_cut():
    long = source_map(source="x" * 100_000 + "\n", name="n" * 10_000, mappings=mappings([(0, 0, 0)]))

    [found] = await ProcessSymbolicator(seconds=60.0).originals(file(text=long), [(1, 1)])

    assert (len(found.line), len(found.file_name)) == (300, 200)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "\x00",
        '{"version": 3, "mappings": 7}',
        '{"version": 3, "sources": [], "names": [], "mappings": "!!!!"}',
        "[" * 1_000_000,
        '{"version":3,"sections":'
        + '[{"offset":{"line":0,"column":0},"map":{"version":3,"sections":' * 50_000,
    ],
    ids=["empty", "cut", "list", "nul", "number", "digits", "deep", "deep sections"],
)
async def test_a_text_that_is_no_map_is_unreadable(text):
    with pytest.raises(UnreadableSourceMap):
        await ProcessSymbolicator(seconds=60.0).originals(file(text=text), [(1, 1)])


@pytest.mark.parametrize("code", ["(" * 2_000_000, "[" * 2_000_000, "a=>" * 500_000])
async def test_code_that_exhausts_its_reader_ends_only_the_process_that_reads_it(code):
    symbolicator = ProcessSymbolicator(seconds=60.0)

    outcome = (await asyncio.gather(symbolicator.originals(file(code), [THROWN]), return_exceptions=True))[0]
    [found] = await symbolicator.originals(file(), [THROWN])

    assert isinstance(outcome, UnreadableSourceMap | list)
    assert (found.line_number, found.column_number) == WRITTEN


async def test_a_map_that_takes_too_long_is_given_up():
    with pytest.raises(UnreadableSourceMap, match="too long"):
        await ProcessSymbolicator(seconds=0.0).originals(file(), [THROWN])


async def test_a_map_that_takes_too_much_memory_is_unreadable():
    # A few bytes for each of many million mappings.
    text = json.dumps(
        {"version": 3, "sources": ["a"], "names": [], "mappings": "AAAA," * 6_000_000, "sourcesContent": [""]}
    )

    outcome = await asyncio.gather(
        ProcessSymbolicator(seconds=60.0).originals(file(text=text), [(1, 1)]), return_exceptions=True
    )

    assert isinstance(outcome[0], UnreadableSourceMap | list)
