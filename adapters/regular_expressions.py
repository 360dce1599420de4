"""Regular expressions of filters, and patterns, under RE2, whose time grows with the length of a text alone.

Documented in docs/read/reports.md#filters.

DuckDB has an RE2 of its own, with an older table of Unicode: what the two would read in different ways is refused.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import re2

from footfall.domain.exceptions import ExpressionRefused
from footfall.domain.paths.path_pattern import is_compiled, path_matcher, path_regex_of_re2
from footfall.domain.paths.pathname import decoded_path
from footfall.domain.traffic.filters import Search

# The memory of RE2 for one expression: a third of it remembers states of the automaton, the rest is for the program.
EXPRESSION_BYTES = 1024 * 1024
# An expression that fits into this memory can take 0.4 seconds for a value of 2,000 characters; of this size it takes
# 20 ms at most.
MOST_INSTRUCTIONS = 1_000
# The memory of RE2 for one pattern, of which some kilobytes are used. A list of a thousand states takes half a
# millisecond for a path of 2,000 characters, and 27 with 64 kB.
PATTERN_BYTES = 1024 * 1024

# The letters that lower and upper case bring together in one of the two tables only.
_OTHER_CASES = "\u0390\u03b0\u1fd3\u1fe3\ufb05\ufb06"
_TOKENS = re.compile(
    r"""
    (?P<literal> \\Q .*? (?: \\E | \Z ) )
    | (?P<escape> \\. )
    | (?P<set> \[ \^? \]? (?: \[:[^\]]*:\] | \\. | [^\]\\] )* \] )
    | (?P<options> \( \? [a-zA-Z]* -? [a-zA-Z]* [:)] )
    | (?P<named> \( \? < )
    | (?P<other> . )
    """,
    re.DOTALL | re.VERBOSE,
)
_PROPERTIES = ("\\p", "\\P")
# An end that is not of ASCII, written or as its code point.
_WIDE_RANGE = re.compile(r"[^\x00-\x7f]-(?!\])|-[^\x00-\x7f]|\\x|\\[0-7]")


def compile_expression(expression: str, /) -> Search:
    """Return a function that tells whether an expression, of which a dot matches every character, occurs in a text.

    Raises:
        ExpressionRefused: RE2 does not accept it, it is too large, or DuckDB would read it in another way.

    """
    _compiled(expression)
    # Compiled again if sixteen others have come in between, so that they hold no more memory.
    return lambda text: _compiled(expression).search(text) is not None


# Three lists of each of some hundred sites in use, and rules of groups of pages, one by one, while they are tried.
@lru_cache(maxsize=1_024)
def compile_patterns(patterns: tuple[str, ...]) -> Search:
    """Return `matches_any`, in a time that grows with the length of a text alone.

    Most patterns are compared as texts. The others have an expression each: one of all of them would have states for
    each combination of places in them.
    """
    searches = [
        path_matcher(pattern) if not is_compiled(pattern) else _search(pattern) for pattern in patterns
    ]
    re2.purge()
    return lambda text: any(matches(text) for matches in searches)


def _search(pattern: str) -> Search:
    options = re2.Options()
    options.max_mem = PATTERN_BYTES
    options.log_errors = False
    options.never_capture = True
    search = re2.compile(path_regex_of_re2(pattern), options).search
    # Most texts differ from most patterns in what stands before the first wildcard, which a comparison tells in a tenth
    # of the time of a search.
    beginning = decoded_path(pattern).partition("*")[0]
    return lambda text: text.startswith(beginning) and search(text) is not None


# RE2 keeps the states of each expression as it meets them, within its memory.
@lru_cache(maxsize=16)
def _compiled(expression: str) -> Any:
    options = re2.Options()
    options.max_mem = EXPRESSION_BYTES
    options.dot_nl = True
    options.log_errors = False
    options.never_capture = True
    try:
        compiled = re2.compile(expression, options)
    except re2.error as error:
        raise ExpressionRefused(_explained(error)) from None
    # The module remembers 128 others, each with its memory.
    re2.purge()
    if problem := next(_differences(expression), None):
        raise ExpressionRefused(f"not an accepted regular expression: {problem}")
    size = compiled.programsize
    if size > MOST_INSTRUCTIONS:
        raise ExpressionRefused(
            f"a regular expression must need at most {MOST_INSTRUCTIONS:,} instructions of RE2, not {size:,}:"
            " repeat less"
        )
    return compiled


def _explained(error: re2.error) -> str:
    """Return the reason of RE2, which is in UTF-8."""
    reason = error.args[0].decode(errors="replace") if error.args else "RE2 refuses it"
    if reason.startswith("pattern too large"):
        return f"a regular expression must need at most {EXPRESSION_BYTES:,} bytes of memory: repeat less"
    return f"not an accepted regular expression: {reason}"


def _differences(expression: str) -> Iterator[str]:
    """Return what the tables or the notations of two versions of RE2 differ in."""
    tokens = [(token.lastgroup, token[0]) for token in _TOKENS.finditer(expression)]
    ignores_case = any("i" in text.partition("-")[0] for kind, text in tokens if kind == "options")
    for kind, text in tokens:
        if kind == "named":
            yield "a group is named with (?P<name>, not with (?<name>"
        if kind in ("escape", "set") and any(
            escape in _PROPERTIES for escape in re.findall(r"\\.", text, re.DOTALL)
        ):
            yield r"\p and \P, whose letters differ between versions of Unicode"
        if ignores_case and set(_OTHER_CASES) & set(text):
            yield f"the letters {', '.join(_OTHER_CASES)} with the option i"
        if ignores_case and kind in ("set", "escape") and _WIDE_RANGE.search(text):
            yield r"ranges of letters outside of ASCII, \x and octal numbers with the option i"
