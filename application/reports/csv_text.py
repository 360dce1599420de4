"""Tables as CSV (RFC 4180), with texts that spreadsheets do not run as formulas (docs/read/programs/files.md)."""

import csv
from io import StringIO

from footfall.application.reports.tables import Table, Value

# Spreadsheets read a cell that begins with one of these as a formula
# (https://owasp.org/www-community/attacks/CSV_Injection). The apostrophe itself is marked too, so that taking one
# leading apostrophe away always restores a text.
_MARKED = tuple("=+-@\t\r\n\N{FULLWIDTH EQUALS SIGN}\N{FULLWIDTH PLUS SIGN}\N{FULLWIDTH HYPHEN-MINUS}")
_MARKED_TOO = ("\N{FULLWIDTH COMMERCIAL AT}", "'")


def csv_text(table: Table) -> str:
    """Return a table with its columns as the first line; a missing value is an empty cell."""
    text = StringIO()
    writer = csv.writer(text)
    writer.writerow(table.columns)
    writer.writerows([_cell(value) for value in row] for row in table.rows)
    return text.getvalue()


def _cell(value: Value) -> Value:
    if isinstance(value, str) and value.startswith((*_MARKED, *_MARKED_TOO)):
        return f"'{value}"
    return value
