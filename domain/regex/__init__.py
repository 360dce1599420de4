"""The dialect of regular expressions that Python and PostgreSQL read alike."""
