"""Hooks for exceptions that end a program, a thread or a task: each calls the former hook first."""

import asyncio
import sys
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Any

from footfall.client.background.threaded import BackgroundFootfall
from footfall.client.exceptions.reporting import passing_on, report


def report_uncaught(client: BackgroundFootfall) -> Callable[[], None]:
    """Report exceptions that the program or one of its threads does not catch; return a function that ends that.

    `sys.excepthook` and `threading.excepthook` are replaced by hooks that call those of before first, with the same
    exception (docs/errors/python-errors.md).
    """
    of_program, of_threads = sys.excepthook, threading.excepthook

    def program_hook(
        kind: type[BaseException], error: BaseException, traceback: TracebackType | None, /
    ) -> None:
        try:
            with passing_on(error):
                of_program(kind, error, traceback)
        finally:
            report(client, error)

    def thread_hook(failed: threading.ExceptHookArgs, /) -> None:
        try:
            with passing_on(failed.exc_value):
                of_threads(failed)
        finally:
            if failed.exc_value is not None:
                report(client, failed.exc_value)

    def restore() -> None:
        # A hook that was set later calls ours, and stays.
        if sys.excepthook is program_hook:
            sys.excepthook = of_program
        if threading.excepthook is thread_hook:
            threading.excepthook = of_threads

    sys.excepthook, threading.excepthook = program_hook, thread_hook
    return restore


def report_from_loop(client: BackgroundFootfall, loop: asyncio.AbstractEventLoop | None = None) -> None:
    """Report exceptions of tasks and callbacks that nothing awaits, of a loop or of the running one.

    The exception handler of the loop is replaced by one that calls that of before first.

    Raises:
        RuntimeError: no loop is given, and none runs.

    """
    loop = loop or asyncio.get_running_loop()
    former = loop.get_exception_handler()

    def handle(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        try:
            with passing_on(error):
                if former is None:
                    loop.default_exception_handler(context)
                else:
                    former(loop, context)
        finally:
            if error is not None:
                report(client, error)

    loop.set_exception_handler(handle)
