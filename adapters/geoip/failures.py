"""Why a download has failed."""


class DownloadFailed(Exception):
    """A database was not downloaded; the text is one line, without credentials."""
