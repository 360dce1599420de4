"""The PATH of a machine that has Python, make, git and the tools of every Unix: no compiler, Node.js, browser or curl.

`python3 tests/bare_path.py <folder>` fills the folder and prints it, for `.ci/run`.
"""

import shutil
import sys
from pathlib import Path

PROGRAMS = (
    *(
        "awk",
        "basename",
        "bash",
        "cat",
        "chmod",
        "chown",
        "cp",
        "cut",
        "date",
        "dirname",
        "env",
        "expr",
        "false",
    ),
    *(
        "find",
        "git",
        "grep",
        "gzip",
        "head",
        "hostname",
        "id",
        "install",
        "kill",
        "ln",
        "ls",
        "make",
        "mkdir",
    ),
    *("mkfifo", "mktemp", "mount", "mv", "nproc", "readlink", "realpath", "rm", "rmdir", "sed", "seq", "sh"),
    *(
        "sleep",
        "sort",
        "stat",
        "tail",
        "tar",
        "tee",
        "test",
        "touch",
        "tr",
        "true",
        "umount",
        "uname",
        "uniq",
    ),
    *("wc", "xargs"),
)


def fill(folder: Path) -> str:
    """Make a folder of links to the programs, and return it as a PATH."""
    folder.mkdir(parents=True, exist_ok=True)
    found = {name: shutil.which(name) for name in PROGRAMS}
    # Of an environment its base, which can make another one; a shim would need the PATH that it is on.
    found["python3"] = sys._base_executable
    for name, program in found.items():
        if program and not (folder / name).is_symlink():
            (folder / name).symlink_to(program)
    return str(folder)


if __name__ == "__main__":
    sys.stdout.write(f"{fill(Path(sys.argv[1]).resolve())}\n")
