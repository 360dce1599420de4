"""The command that uploads the source maps of a build, for people to copy (docs/source-maps.md)."""

from shlex import quote


def upload_command(site_id: int, release: str, base_url: str) -> str:
    """Return the command for a shell; the name of a release can come from an event of any sender."""
    return (
        f"footfall sourcemaps upload dist --site {site_id} --release={quote(release)} --url {quote(base_url)}"
    )
