"""Actions on the embedded PostgreSQL that several tests share."""

import os
import pwd
import subprocess
import sys
from pathlib import Path

import psutil
import psycopg
from psycopg.conninfo import conninfo_to_dict

from footfall.adapters.embedded.postmaster import is_alive
from tests.waiting import wait_until

USE_UNTIL_KILLED = """
import sys, time
from pathlib import Path
from footfall.adapters.embedded import EmbeddedPostgres
EmbeddedPostgres(Path(sys.argv[1])).start()
print("started", flush=True)
time.sleep(600)
"""


def python(script, *arguments):
    command = [sys.executable, "-c", script, *map(str, arguments)]
    # With a strict umask too, PostgreSQL's account must be able to enter these directories.
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, umask=0o022)


def query(postgres, statement):
    with psycopg.connect(postgres.url, autocommit=True) as connection:
        cursor = connection.execute(statement)
        return cursor.fetchall() if cursor.description else []


def remember(postgres, word):
    query(postgres, "create table if not exists memory (word text)")
    query(postgres, f"insert into memory values ('{word}')")


def remembered(postgres):
    return [word for (word,) in query(postgres, "select word from memory")]


def socket_directory(postgres):
    return Path(conninfo_to_dict(postgres.url)["host"])


def processes_in(directory):
    found = []
    for process in psutil.process_iter():
        try:
            if Path(process.cwd()).is_relative_to(directory):
                found.append(process)
        except psutil.Error:
            continue
    return found


def kill(pid):
    killed = psutil.Process(pid)
    killed.kill()
    wait_until(lambda: not is_alive(killed))


def as_user(name, action):
    """Run an action in a forked process of another user and return its exit status, 0 if it did not raise."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    status = 1
    try:
        entry = pwd.getpwnam(name)
        os.setgroups([])
        os.setgid(entry.pw_gid)
        os.setuid(entry.pw_uid)
        action()
        status = 0
    finally:
        os._exit(status)
