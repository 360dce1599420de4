"""The layout of the embedded PostgreSQL below the data directory, and the permissions."""

import os
import sys
from hashlib import blake2b
from pathlib import Path
from urllib.parse import quote

from attrs import field, frozen

DATABASE = "footfall"
PORT = 5432

# The longest path that the kernel binds a socket to, without its closing NUL.
_LONGEST = 103 if sys.platform == "darwin" else 107


@frozen
class StoreLayout:
    """The places of one data directory, which is absolute and free of symbolic links."""

    data_dir: Path
    # Everything of PostgreSQL, in a directory of its own.
    home: Path = field()

    @home.default
    def _home_below_the_data_directory(self) -> Path:
        return self.data_dir / "postgres"

    @property
    def cluster(self) -> Path:
        """PostgreSQL's own data directory."""
        return self.home / "data"

    @property
    def log(self) -> Path:
        """The directory of the logs."""
        return self.home / "log"

    @property
    def configuration(self) -> Path:
        """The configuration, written anew at each start."""
        return self.home / "postgresql.conf"

    @property
    def authentication(self) -> Path:
        """The rules for connections, written at each start."""
        return self.home / "pg_hba.conf"

    @property
    def identities(self) -> Path:
        """The map of system users to roles, written anew at each start."""
        return self.home / "pg_ident.conf"

    @property
    def socket_directory(self) -> Path:
        """The directory of the socket: below the data directory, or in /tmp when that path is too long.

        Every process must come to the same one, so the data directory alone decides, not TMPDIR or the user.
        """
        near = StoreLayout(self.data_dir).home / "socket"
        # A comma separates several directories, for PostgreSQL and for its clients.
        if len(os.fsencode(near / f".s.PGSQL.{PORT}")) <= _LONGEST and "," not in str(near):
            return self.home / "socket"
        digest = blake2b(os.fsencode(self.data_dir), digest_size=8).hexdigest()
        return Path("/tmp") / f"footfall-{digest}"  # noqa: S108 -- made private, and refused when it is not ours

    @property
    def socket(self) -> Path:
        """The socket itself."""
        return self.socket_directory / f".s.PGSQL.{PORT}"

    def url(self, **parameters: int) -> str:
        """Return a connection URL for the role and the database `footfall`, with further parameters."""
        host = quote(str(self.socket_directory), safe="")
        further = "".join(f"&{name}={value}" for name, value in parameters.items())
        return f"postgresql://{DATABASE}@/{DATABASE}?host={host}&port={PORT}{further}"
