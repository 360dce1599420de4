"""The files of frames: what they are called, and whether they are code of the application or of a library."""

import os
import re
import sys
import sysconfig
from collections.abc import Mapping
from functools import cache, lru_cache
from types import ModuleType

from attrs import frozen

_MAX_NAME = 500
_INSTALLED = re.compile(r"[/\\](site|dist)-packages[/\\]")
_ABSOLUTE = re.compile(r"[/\\]|\w:[/\\]")
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
    if folders:
        return path[len(max(folders, key=len)) :].lstrip(os.sep)
    # Of a package that is installed editable, or a file that was loaded by its path, the folder can name a user.
    return "/".join(re.split(r"[/\\]", path)[-_depth(path) :]) if _ABSOLUTE.match(path) else path


def _depth(path: str) -> int:
    """Return how many parts of the path its module tells: one, if there is no module."""
    for name, module in list(sys.modules.items()):
        # The attributes of a module that is loaded when it is first used would load it.
        if name != "__main__" and _attributes(module).get("__file__") == path:
            return name.count(".") + 1 + ("__path__" in _attributes(module))
    return 1


def _attributes(module: object) -> Mapping[str, object]:
    return object.__getattribute__(module, "__dict__") if issubclass(type(module), ModuleType) else {}


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
