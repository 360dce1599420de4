"""The files of frames: what they are called, and whether they are code of the application or of a library."""

import os
import re
import sys
import sysconfig
from functools import cache, lru_cache

from attrs import frozen

_MAX_NAME = 500
_INSTALLED = re.compile(r"[/\\](site|dist)-packages[/\\]")
_UNSTORABLE = re.compile("[\x00-\x1f\ud800-\udfff]")
_OWN = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))  # noqa: PTH100,PTH120 - compared as text


@frozen
class CodeFile:
    """`name` is the path from the folder that modules are imported from, such as `shop/views.py`."""

    name: str
    is_in_app: bool


@lru_cache(maxsize=2_048)
def code_file(path: str) -> CodeFile:
    """Return what is told of the file of a frame.

    The folder in which a server keeps the application is not told: it can change with each deploy.
    """
    name = _UNSTORABLE.sub("\ufffd", _without_folder(path)).replace("\\", "/")
    return CodeFile(name[-_MAX_NAME:], _is_in_app(path))


def _without_folder(path: str) -> str:
    entries = (_working_folder() if entry in {"", "."} else str(entry) for entry in sys.path)
    folders = [entry for entry in entries if path.startswith(entry.rstrip(os.sep) + os.sep)]
    return path[len(max(folders, key=len)) :].lstrip(os.sep) if folders else path


@cache
def _working_folder() -> str:
    try:
        return os.getcwd()  # noqa: PTH109 - compared as text
    except OSError:
        # It was removed.
        return os.devnull


def _is_in_app(path: str) -> bool:
    # `<string>` and `<frozen importlib._bootstrap>` are no files.
    if path.startswith("<") or _INSTALLED.search(path):
        return False
    return not any(path.startswith(folder + os.sep) for folder in (_OWN, *_standard_library()))


@cache
def _standard_library() -> tuple[str, ...]:
    paths = sysconfig.get_paths()
    return tuple({paths["stdlib"], paths["platstdlib"]})
