"""`footfall` for the shells of tests, forked from one process that has imported it: a start takes a second otherwise.

This file is the process and, run by its path with that of the socket and the words of a command, its client.
"""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time

_FRAME = 8


def ask(path, words):
    """Let the process run a command with the streams, the folder and the environment of this one; return its status."""
    asked = json.dumps({"words": words, "folder": os.getcwd(), "environment": dict(os.environ)}).encode()  # noqa: PTH109 - a client imports little
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(path)
        socket.send_fds(connection, [len(asked).to_bytes(_FRAME)], [0, 1, 2])
        connection.sendall(asked)
        return int(connection.recv(_FRAME))


def serve(path):
    """Take commands until the process is ended."""
    from footfall.entrypoints import main  # noqa: PLC0415 - not of the client
    from footfall.entrypoints.cli import cli  # noqa: F401, PLC0415 - what the process is for

    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        listener.listen()
        while True:
            connection, _ = listener.accept()
            if os.fork() == 0:
                listener.close()
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                with connection:
                    connection.sendall(b"%d" % _status_of(connection, main))
                os._exit(0)
            connection.close()


def _status_of(connection, main):
    size, streams, _, _ = socket.recv_fds(connection, _FRAME, 3)
    asked = json.loads(connection.recv(int.from_bytes(size), socket.MSG_WAITALL))
    running = os.fork()
    if running == 0:
        _become(asked, streams)
        # The end of the interpreter frees all that is imported, which takes four times as long as most commands.
        os._exit(_ended(main))
    for stream in streams:
        os.close(stream)
    return os.waitstatus_to_exitcode(os.waitpid(running, 0)[1])


def _ended(main):
    """Run a program to its end, and return its status."""
    try:
        main()
    except SystemExit as end:
        return end.code or 0
    finally:
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
    return 0


def _become(asked, streams):
    """Make this process that of a command."""
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.chdir(asked["folder"])
    os.environ.clear()
    os.environ.update(asked["environment"])
    time.tzset()
    sys.argv[1:] = asked["words"]


@contextlib.contextmanager
def forking(path):
    """Keep a process that commands are forked from; return the words that a shell begins a command with."""
    process = subprocess.Popen([sys.executable, __file__, path], env=os.environ, start_new_session=True)
    try:
        until = time.monotonic() + 60
        while not os.path.exists(path):  # noqa: PTH110 - see above
            assert process.poll() is None
            assert time.monotonic() < until
            time.sleep(0.01)
        yield [sys.executable, "-I", "-S", __file__, path]
    finally:
        # With commands whose shell was given up.
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


if __name__ == "__main__":
    if sys.argv[2:]:
        sys.exit(ask(sys.argv[1], sys.argv[2:]))
    else:
        serve(sys.argv[1])
