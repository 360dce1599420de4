"""Packages that tests install by locks; where they cannot be had, the test is skipped."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest


def install_with_npm(folder: Path) -> Path:
    """Install the packages of the lock of a folder, unless they are there, and return their folder."""
    # npm writes it last. `make test-clients` may have installed them.
    installed, lock = folder / "node_modules" / ".package-lock.json", folder / "package-lock.json"
    if not installed.exists() or installed.stat().st_mtime < lock.stat().st_mtime:
        _install(
            "npm", "ci", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund", folder=folder
        )
    return folder / "node_modules"


def copied_and_installed(lock: Path, folder: Path) -> Path:
    """Return a copy of the folder of a lock, with its packages."""
    copy = shutil.copytree(lock, folder / lock.name)
    install_with_npm(copy)
    return copy


def python_with(lock: Path, folder: Path) -> str:
    """Return a Python of its own, with the packages of a lock."""
    _install(sys.executable, "-m", "venv", str(folder / "venv"), folder=folder)
    python = str(folder / "venv" / "bin" / "python")
    pip = ("-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary", ":all:")
    _install(python, *pip, "--require-hashes", "--requirement", str(lock), folder=folder)
    return python


def _install(*command: str, folder: Path) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=600)
    if done.returncode:
        pytest.skip(f"the packages cannot be installed: {done.stderr.strip()[-300:]}")
